from tests.unit.research.conftest import clock, firestore, make_world, world

__all__ = ["clock", "firestore", "make_world", "world"]
