from tests.support.stores import firestore  # noqa: F401
from tests.unit.chat.conftest import make_world  # noqa: F401
