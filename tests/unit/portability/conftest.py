from tests.support.stores import clock, firestore, store, workspace  # noqa: F401
