"""What of an import says who may come in and what was, or may be, used: taken in only as this Memex would have it.

Whoever imports owns the workspace, and is not who gives plans: those are an operator's to give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from shared.contracts.members import Member
from shared.contracts.usage import UsageShard
from shared.contracts.workspaces import Workspace
from shared.store import paths
from shared.store.raw import RawDocument
from shared.store.typed import fields_from

_MEMBER = "It is no member as a workspace has them."
_PLAN = "A plan, quotas and switches are an operator's to give: memex workspace create NAME --plan."
_USAGE = "It is no count of what was used."
_OF_AN_OPERATOR = ("plan", "features", "quotas")


def refusal(one: RawDocument) -> str | None:
    """Why a document is not taken in although its collection is; None where it is, or says nothing of the kind.

    Raises InputError for a value that is none.
    """
    judge = _JUDGES.get(one.path.partition("/")[0])
    if judge is None:
        return None
    try:
        return judge(one.path, fields_from(one.fields, lambda path: path))
    except ValidationError:
        return _MALFORMED[one.path.partition("/")[0]]


def _member(path: str, fields: Mapping[str, Any]) -> str | None:
    """One that lies elsewhere than under its address could not be removed."""
    return None if path == paths.member(Member.model_validate(fields).email) else _MEMBER


def _workspace(_path: str, fields: Mapping[str, Any]) -> str | None:
    given, plain = Workspace.model_validate(fields), Workspace()
    return _PLAN if any(getattr(given, name) != getattr(plain, name) for name in _OF_AN_OPERATOR) else None


def _usage(_path: str, fields: Mapping[str, Any]) -> str | None:
    """Nothing was used less than not at all: that would be a present."""
    sums = [one.model_dump() for one in UsageShard.model_validate(fields).kinds.values()]
    return _USAGE if any(number < 0 for each in sums for number in each.values()) else None


_JUDGES: Mapping[str, Callable[[str, Mapping[str, Any]], str | None]] = {
    "": _workspace,
    "members": _member,
    "usage": _usage,
}
_MALFORMED = {"": _PLAN, "members": _MEMBER, "usage": _USAGE}
