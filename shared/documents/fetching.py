"""The file of a document on this machine, for as long as it is worked on."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.contracts.limits import DOCUMENT_BYTES
from shared.documents.refusals import Refused
from shared.gateway.objects import Objects


@contextmanager
def fetched(objects: Objects, name: str) -> Iterator[tuple[Path, str]]:
    """The object's bytes in a file, and their SHA-256. Raises NotFound, Refused where it is too large, Transient."""
    digest, size = hashlib.sha256(), 0
    with tempfile.TemporaryDirectory(prefix="memex-document-") as folder:
        path = Path(folder) / "original"
        with path.open("wb") as file:
            for piece in objects.chunks(name):
                size += len(piece)
                if size > DOCUMENT_BYTES:
                    raise Refused("too_large", f"The file has more than {DOCUMENT_BYTES:,} bytes.")
                digest.update(piece)
                file.write(piece)
        yield path, digest.hexdigest()
