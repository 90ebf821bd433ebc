"""Object storage: files of one bucket or folder, by name; the same calls for file://, gs://, s3:// and memory://.

Every request to a server ends at REQUEST_SECONDS and is tried again for RETRY_SECONDS at most, by the library itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote, urlsplit

from shared.errors import InputError, NotFound, SettingsError, Transient, Unprocessable

if TYPE_CHECKING:
    from obstore.store import ObjectStore

REQUEST_SECONDS = 60
RETRY_SECONDS = 60
CONNECT_SECONDS = 5
CHUNK_BYTES = 1_000_000
_SEGMENT = re.compile(r"[A-Za-z0-9_=-][A-Za-z0-9._=-]{0,199}")
"""What is a name as it stands in every store and on every disk. Names are made of ids, never of what people type."""


@dataclass(frozen=True)
class StoredObject:
    """An object as a list shows it."""

    name: str
    bytes: int
    modified_at: datetime


@dataclass(frozen=True)
class Beneath:
    """What lies right below a folder: further folders, and objects."""

    folders: tuple[str, ...]
    objects: tuple[StoredObject, ...]


class Objects:
    """The objects below one address. A name is segments of letters, digits, . _ = - between slashes.

    Everything raises InputError for another name, SettingsError where the store does not let us in or is not there, and
    Transient where there was no good answer. Blocking; safe to use from several threads.
    """

    def __init__(self, store: ObjectStore, *, keeps_types: bool = True) -> None:
        self._store, self._keeps_types = store, keeps_types

    def put(self, name: str, data: bytes | Iterable[bytes], content_type: str, *, only_if_absent: bool = False) -> bool:
        """Write the whole object, or nothing; whether it was written: False where `only_if_absent` found one there.

        A put that is repeated after a lost answer may find its own object. Pieces are sent as they come.
        """
        import obstore
        from obstore.exceptions import AlreadyExistsError

        place = _checked(name)
        attributes: dict[str, str] = {"Content-Type": content_type} if self._keeps_types else {}
        try:
            with _translated(f"write {name}", missing=SettingsError(f"There is no place to write {name}: {_HINT}")):
                obstore.put(
                    self._store,
                    place,
                    data,
                    attributes=attributes or None,
                    mode="create" if only_if_absent else "overwrite",
                )
        except AlreadyExistsError:
            return False
        return True

    def get(self, name: str, max_bytes: int) -> bytes:
        """The whole object. Raises NotFound, Unprocessable where it is longer than `max_bytes`."""
        pieces, size = [], 0
        for piece in self.chunks(name):
            size += len(piece)
            if size > max_bytes:
                raise Unprocessable(f"The object {name} is longer than {max_bytes} bytes.")
            pieces.append(piece)
        return b"".join(pieces)

    def chunks(self, name: str) -> Iterator[bytes]:
        """The object piece by piece, some CHUNK_BYTES each. Raises NotFound, before the first piece."""
        import obstore

        place = _checked(name)
        with _translated(f"read {name}", missing=_missing(name)):
            pieces = iter(obstore.get(self._store, place).stream(min_chunk_size=CHUNK_BYTES))
        while True:
            with _translated(f"read {name}", missing=_missing(name)):
                piece = next(pieces, None)
            if piece is None:
                return
            yield bytes(piece)

    def get_range(self, name: str, start: int, length: int) -> bytes:
        """`length` bytes from `start`, fewer at the object's end, none behind it. Raises NotFound."""
        import obstore

        place = _checked(name)
        if start >= self.size(name) or length < 1:
            return b""
        with _translated(f"read {name}", missing=_missing(name)):
            return bytes(obstore.get_range(self._store, place, start=start, length=length))

    def size(self, name: str) -> int:
        """How many bytes it has. Raises NotFound."""
        import obstore

        with _translated(f"look at {name}", missing=_missing(name)):
            return int(obstore.head(self._store, _checked(name))["size"])

    def delete(self, name: str) -> None:
        """Take it away; where there is none, that is well."""
        import obstore

        try:
            with _translated(f"delete {name}", missing=_missing(name)):
                obstore.delete(self._store, _checked(name))
        except NotFound:
            return

    def list(self, prefix: str) -> Iterator[StoredObject]:
        """Every object below a prefix of whole segments, in no promised order."""
        import obstore

        pages = iter(obstore.list(self._store, _checked(prefix.rstrip("/")), chunk_size=500))
        while True:
            with _translated(f"list {prefix}", missing=_missing(prefix)):
                page = next(pages, None)
            if page is None:
                return
            for one in page:
                yield StoredObject(str(one["path"]), int(one["size"]), one["last_modified"])

    def beneath(self, prefix: str) -> Beneath:
        """What lies right below a prefix of whole segments; nothing where there is no such folder."""
        import obstore

        try:
            with _translated(f"list {prefix}", missing=_missing(prefix)):
                found = obstore.list_with_delimiter(self._store, _checked(prefix.rstrip("/")))
        except NotFound:
            return Beneath((), ())
        objects = (StoredObject(str(one["path"]), int(one["size"]), one["last_modified"]) for one in found["objects"])
        return Beneath(tuple(sorted(str(one).rstrip("/") for one in found["common_prefixes"])), tuple(objects))

    @property
    def signs(self) -> bool:
        """Whether `sign` can be asked."""
        from obstore.store import GCSStore, S3Store

        return isinstance(self._store, GCSStore | S3Store)

    def sign(self, name: str, method: Literal["GET", "PUT"], seconds: float) -> str:
        """An address by which anyone may do that for so long. Raises Unprocessable: a folder has none."""
        import obstore
        from obstore.store import GCSStore, S3Store

        place = _checked(name)
        if not isinstance(self._store, GCSStore | S3Store):
            raise Unprocessable("This store gives out no signed addresses: only gs:// and s3:// do.")
        with _translated(f"sign an address for {name}", missing=_missing(name)):
            return obstore.sign(self._store, method, place, timedelta(seconds=seconds))


def connect(url: str, options: Mapping[str, str]) -> Objects:
    """The objects at `url`: file:///folder, gs://bucket/prefix, s3://bucket/prefix or memory:///.

    `options` are the library's own of that store, such as endpoint, region, access_key_id; what is not given comes from
    where the store's own tools look. Nothing is asked yet. Raises SettingsError.
    """
    from obstore.exceptions import BaseError
    from obstore.store import GCSStore, LocalStore, MemoryStore, S3Store

    try:
        parts = urlsplit(url)
        if parts.scheme == "memory":
            return Objects(MemoryStore())
        if parts.scheme == "file" and not parts.netloc and parts.path.startswith("/"):
            folder = Path(unquote(parts.path))
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return Objects(LocalStore(folder), keeps_types=False)
        if parts.scheme in ("gs", "s3") and parts.netloc:
            store = GCSStore if parts.scheme == "gs" else S3Store
            prefix = parts.path.strip("/") or None
            return Objects(store(parts.netloc, prefix=prefix, **_remote(options)))
    except (BaseError, OSError, ValueError, TypeError) as error:
        raise SettingsError(f"OBJECTS_URL or OBJECTS_OPTIONS cannot be used: {_first_line(error)}") from None
    raise SettingsError(f"OBJECTS_URL is {url!r}: {_HINT}")


_HINT = "OBJECTS_URL must be file:///folder, gs://bucket/prefix or s3://bucket/prefix, of a bucket that is there."


def _remote(options: Mapping[str, str]) -> dict[str, Any]:
    given = dict(options)
    plain = given.get("endpoint", "").startswith("http://")
    return {
        **given,
        "client_options": {
            "allow_http": plain,
            "timeout": timedelta(seconds=REQUEST_SECONDS),
            "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
        },
        "retry_config": {"max_retries": 4, "retry_timeout": timedelta(seconds=RETRY_SECONDS)},
    }


def _checked(name: str) -> str:
    if not all(_SEGMENT.fullmatch(segment) for segment in name.split("/")):
        raise InputError("The name of an object is segments of letters, digits and . _ = - between slashes.")
    return name


def _missing(name: str) -> NotFound:
    return NotFound(f"There is no object {name}.")


def _first_line(error: Exception) -> str:
    """Without what the library adds for its own developers."""
    return str(error).partition("\n")[0] or type(error).__name__


@contextmanager
def _translated(what: str, *, missing: NotFound | SettingsError) -> Iterator[None]:
    from obstore import exceptions

    try:
        yield
    except exceptions.AlreadyExistsError:
        raise
    except FileNotFoundError as error:
        raise missing from error
    except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError, PermissionError) as error:
        raise SettingsError(f"The object store does not let us {what}: {_first_line(error)}") from error
    except (exceptions.BaseError, OSError, NotImplementedError) as error:
        raise Transient(f"Could not {what}: {_first_line(error)}", retry_after_seconds=2.0) from error
