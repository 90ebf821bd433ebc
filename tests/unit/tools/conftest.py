from tests.support.stores import clock, database, firestore, flaky, store, system, workspace  # noqa: F401
