from tests.support.stores import clock, database, firestore, store, system, workspace  # noqa: F401
