from tests.support.stores import clock, firestore, flaky, store, system  # noqa: F401
