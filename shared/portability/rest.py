"""Work at rest: what of a workspace was under way is written into an export as ended, with an event that says so.

So an export holds no work in flight, whoever takes it in begins nothing that costs, and what is exported again is the
same. The functions are pure: `at` is the moment of the export.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from shared.contracts.chat import TurnStatus
from shared.contracts.documents import DocumentStatus
from shared.contracts.events import EventType
from shared.contracts.jobs import COUNT_SHARDS, JobStatus
from shared.contracts.operations import OperationStatus
from shared.contracts.runs import RunStatus, StepStatus
from shared.store import paths
from shared.store.raw import RawDocument

CODE = "exported"
MESSAGE = "It was under way when its workspace was exported, and was not taken along: ask for it anew."

_OPERATIONS = {one.value for one in OperationStatus if one.terminal}
_TURNS = {one.value for one in TurnStatus if one.terminal}
_RUNS = {one.value for one in RunStatus if one.terminal}
_STEPS = {one.value for one in StepStatus if one.terminal}
_DOCUMENTS = {DocumentStatus.READY.value, DocumentStatus.FAILED.value}
JOBS_IN_FLIGHT = [one.value for one in JobStatus if not one.terminal]

Json = dict[str, Any]


def failure() -> Json:
    """What the ended work says of why."""
    return {"v": 1, "code": CODE, "message": MESSAGE}


def in_flight(owner: RawDocument) -> bool:
    """Whether the owner of a stream, an operation, a session or a run, has work under way."""
    kind, fields = owner.path.partition("/")[0], owner.fields
    if owner.path.count("/") != 1:
        return False
    if kind == "chat_sessions":
        return isinstance(fields.get("turn"), Mapping)
    if kind == "operations":
        return _open(fields, _OPERATIONS)
    return kind == "agent_runs" and _open(fields, _RUNS)


def at_rest(one: RawDocument, session: RawDocument | None, at: str) -> RawDocument:
    """The document as an export has it. `session` is that of a turn; `at` is the moment as typed text."""
    rest = _RESTS.get("/".join(one.path.split("/")[::2]))
    if rest is None:
        return one
    changed = rest(one, session, {"$timestamp": at})
    return one.having(**changed) if changed else one


def closing_event(owner: RawDocument, at: str) -> RawDocument | None:
    """The event that ends what `owner` has under way; None where there is none, or where nobody has told of it yet."""
    if not in_flight(owner) or not _seq(owner):
        return None
    seq, fields = _seq(owner) + 1, owner.fields
    kind, identifier = owner.path.split("/")
    type_, terminal = EventType.CANCELLED, True
    data: Json = {"code": CODE, "message": MESSAGE}
    if kind == "chat_sessions":
        type_, terminal = EventType.TURN_ENDED, False
        data = {"turn_id": fields["turn"].get("id"), "status": "cancelled", "stop_reason": "cancelled", **_told(fields)}
    elif kind == "agent_runs":
        title = " ".join(str(fields.get("goal", "")).split())[:100]
        named = {"run_id": identifier, "step_id": None, "parent_step_id": None, "title": title}
        type_, data = EventType.RUN_COMPLETED, {**named, "status": "cancelled", "stop_reason": "cancelled"}
        data |= {"error": {"code": CODE, "message": MESSAGE}}
    event = {
        "v": 1,
        "id": f"{identifier}-{seq}",
        "seq": seq,
        "type": type_,
        "at": {"$timestamp": at},
        "data": data,
        "writer": "",
        "terminal": terminal,
        "expire_at": None,
    }
    return RawDocument(paths.event(owner.path, seq), event)


def counted(shard: RawDocument, jobs: list[RawDocument]) -> RawDocument:
    """A shard of the brain's counts, in which the jobs that are in flight count as cancelled."""
    agents = {name: dict(each) for name, each in dict(shard.fields.get("agents") or {}).items()}
    for job in jobs:
        kind, identifier = str(job.fields.get("kind", "")), job.path.partition("/")[2]
        number = hashlib.sha256(identifier.encode()).digest()[0] % COUNT_SHARDS
        if shard.path == paths.brain_counts(number) and kind in agents:
            _move(agents[kind], str(job.fields.get("status")), -1)
            _move(agents[kind], JobStatus.CANCELLED.value, 1)
    return shard.having(agents=agents) if agents else shard


def lease_kept(one: RawDocument) -> bool:
    """What was dealt with goes along: which tagging of a note, which period of a routine. What is held now does not.

    A claim that names no operation is an import's own: that a tag is not to begin anything there.
    """
    name = one.path.partition("/")[2]
    if name.startswith("routine-"):
        return True
    return name.startswith(("research-", "research_")) and bool(one.fields.get("operation_id"))


def _operation(one: RawDocument, _session: RawDocument | None, at: Json) -> Json:
    if not _open(one.fields, _OPERATIONS):
        return {"cancel_pending": False} if one.fields.get("cancel_pending") else {}
    return {**_ended(one, at), "cancel_pending": False, "launch_expires_at": None, **_last(one)}


def _session(one: RawDocument, _session: RawDocument | None, at: Json) -> Json:
    turn = one.fields.get("turn")
    if not isinstance(turn, Mapping):
        return {}
    usage = _sum(one.fields.get("usage"), turn.get("usage"))
    return {"turn": None, "updated_at": at, "usage": usage, **({"seq": _seq(one) + 1} if _seq(one) else {})}


def _turn(one: RawDocument, session: RawDocument | None, at: Json) -> Json:
    if not _open(one.fields, _TURNS):
        return {}
    running = (session.fields.get("turn") if session else None) or {}
    mine = isinstance(running, Mapping) and running.get("id") == one.path.rpartition("/")[2]
    usage = {"usage": running["usage"]} if mine and running.get("usage") else {}
    last = {"last_seq": _seq(session) + 1} if mine and session is not None else {}
    return {**_ended(one, at), "stop_reason": "cancelled", "launch_expires_at": None, **usage, **last}


def _run(one: RawDocument, _session: RawDocument | None, at: Json) -> Json:
    if not _open(one.fields, _RUNS):
        return {}
    ledger = one.fields.get("ledger")
    nothing = {"v": 1, "tokens": 0, "calls": 0, "usd": 0.0}
    given = {"ledger": {**ledger, "granted": nothing}} if isinstance(ledger, Mapping) else {}
    ended = {**_ended(one, at), "stop_reason": "cancelled", "active": False, "launch_expires_at": None}
    return {**ended, "tell_pending": False, **given, **_last(one)}


def _step(one: RawDocument, _session: RawDocument | None, at: Json) -> Json:
    if not _open(one.fields, _STEPS):
        return {}
    return {**_ended(one, at), "lease_expires_at": None, "run_after": None}


def _job(one: RawDocument, _session: RawDocument | None, at: Json) -> Json:
    if one.fields.get("status") not in JOBS_IN_FLIGHT:
        return {}
    return {**_ended(one, at), "locked_at": None, "locked_until": None, "worker": ""}


def _document(one: RawDocument, _session: RawDocument | None, at: Json) -> Json:
    if not _open(one.fields, _DOCUMENTS):
        return {}
    return {"status": "failed", "error": failure(), "updated_at": at, "upload_expires_at": None}


def _index(one: RawDocument, _session: RawDocument | None, _at: Json) -> Json:
    """Whoever was just describing the note has the claim no longer."""
    return {"claimed_hash": "", "claim_expires_at": None} if one.fields.get("claimed_hash") else {}


_RESTS: Mapping[str, Callable[[RawDocument, RawDocument | None, Json], Json]] = {
    "operations": _operation,
    "chat_sessions": _session,
    "chat_sessions/turns": _turn,
    "agent_runs": _run,
    "agent_runs/steps": _step,
    "memory_jobs": _job,
    "documents": _document,
    "note_index": _index,
}


def _ended(one: RawDocument, at: Json) -> Json:
    return {"status": "cancelled", "error": failure(), "finished_at": at, "updated_at": at}


def _last(one: RawDocument) -> Json:
    """The owner of a stream after its closing event."""
    return {"seq": _seq(one) + 1, "stream_ended": True} if _seq(one) else {}


def _open(fields: Mapping[str, Any], terminal: set[str]) -> bool:
    """What has no status is no work."""
    status = fields.get("status")
    return isinstance(status, str) and status not in terminal


def _seq(one: RawDocument) -> int:
    seq = one.fields.get("seq")
    return seq if isinstance(seq, int) else 0


def _told(fields: Mapping[str, Any]) -> Json:
    usage = dict(fields["turn"].get("usage") or {})
    usage.pop("v", None)
    return {"usage": usage, "error": {"code": CODE, "message": MESSAGE}}


def _sum(one: Any, other: Any) -> Json:
    """Two usages together; whichever has no number counts as none."""
    first, second = (dict(each) if isinstance(each, Mapping) else {} for each in (one, other))
    names = [name for name in {**first, **second} if name != "v"]
    return {"v": 1, **{name: _number(first, name) + _number(second, name) for name in names}}


def _number(usage: Json, name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) else 0


def _move(counts: Json, status: str, by: int) -> None:
    counts[status] = _number(counts, status) + by
