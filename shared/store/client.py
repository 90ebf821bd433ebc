"""Making the client of Firestore, which costs most of a cold start: nothing else loads the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client


def connect(project: str, database: str) -> Client:
    """A client; the library itself reads FIRESTORE_EMULATOR_HOST."""
    from google.cloud.firestore_v1 import Client

    return Client(project=project, database=database)
