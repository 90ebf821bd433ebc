"""The writes of a commit, as plain values: what may be built far from any client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True)
class Snapshot:
    """A document as read: `path` lies below the workspace, `fields` is None when there is no such document.

    `read_time` is the server's: judge expiry by it, the clocks of instances differ.
    """

    path: str
    fields: Mapping[str, Any] | None
    update_time: datetime | None
    create_time: datetime | None
    read_time: datetime

    @property
    def id(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True)
class Vector:
    """A field's value that find_nearest can search by. It is written, and never read."""

    values: tuple[float, ...]


@dataclass(frozen=True)
class Write:
    """One write of a commit; build it with the functions below. `path` lies below the workspace."""

    kind: Literal["create", "set", "add", "update", "delete"]
    path: str
    fields: Mapping[str, Any]
    update_time: datetime | None = None
    """The precondition of an update or a delete: the document was last written at this moment."""


def create(path: str, fields: Mapping[str, Any]) -> Write:
    """A new document; the commit fails if there is one."""
    return Write("create", path, fields)


def put(path: str, fields: Mapping[str, Any]) -> Write:
    """The whole document, whatever was there."""
    return Write("set", path, fields)


def add(path: str, numbers: Mapping[str, Any]) -> Write:
    """Add to numbers of a document, also within maps; what is not there counts as 0, the document too.

    Texts and moments among them are set as they are.
    """
    return Write("add", path, numbers)


def update(path: str, fields: Mapping[str, Any], update_time: datetime | None = None) -> Write:
    """These fields of a document that exists; with `update_time` only if nobody wrote it since."""
    return Write("update", path, fields, update_time)


def delete(path: str, update_time: datetime | None = None) -> Write:
    """Take a document away; without `update_time` it need not exist."""
    return Write("delete", path, {}, update_time)
