from tests.support.stores import clock, firestore, store, system, workspace  # noqa: F401
