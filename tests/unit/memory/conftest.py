from tests.support.stores import clock, database, firestore, store, workspace  # noqa: F401
