"""The text of a routine by the chat model: it may look things up, and propose; it can change nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from shared.contracts.operations import Usage
from shared.contracts.routines import RoutineKind
from shared.gateway.transport import Cut
from shared.ids import derived
from shared.llm.parts import calls_of, text_of
from shared.llm.port import Call, Message, Model, ModelRequest, Result, Text
from shared.llm.whole import whole
from shared.routines.gathering import Material
from shared.store.event_size import cut_text
from shared.tools.registry import Outcome, Registry
from shared.tools.tool import Job

ITERATIONS, CALLS = 6, 16
_MATERIAL_BYTES, _NOTE_BYTES = 60_000, 1_500
_ASK_SECONDS = 60.0


@dataclass(frozen=True)
class Written:
    """The model's text (empty where it came to none), what it proposed, what all that has used."""

    text: str = ""
    approvals: tuple[str, ...] = ()
    usage: Usage = Usage()
    model_away: bool = False
    """The model failed in passing: later it may write."""


JobOf = Callable[[str, Cut], Job]
"""A job by the key of its effect."""


def written(
    model: Model, registry: Registry, job_of: JobOf, material: Material, cut: Cut, spend: Callable[[Usage], None]
) -> Written:
    """Let the model write; `spend` is told what each answer used.

    Raises as `Model.stream` does; what it proposed until then stays proposed.
    """
    messages = [Message("user", (Text(_shown(material)),))]
    approvals: dict[str, None] = {}
    calls = 0
    tools = registry.specs() if model.capabilities.tools else ()
    for iteration in range(ITERATIONS):
        offered = tools if iteration < ITERATIONS - 1 and calls < CALLS else ()
        request = ModelRequest(tuple(messages), system=_system(material), tools=offered, deadline_seconds=_ASK_SECONDS)
        answer = whole(model, request, cut)
        spend(answer.usage)
        wanted = calls_of(answer.message.parts)
        if not wanted:
            return Written(text_of(answer.message.parts), tuple(approvals))
        calls += len(wanted)
        results = tuple(_called(registry, job_of, material, call, cut, approvals) for call in wanted)
        messages += [answer.message, Message("tool", results)]
    return Written("", tuple(approvals))


def _called(
    registry: Registry, job_of: JobOf, material: Material, call: Call, cut: Cut, approvals: dict[str, None]
) -> Result:
    if call.problem:
        return Result(call.id, call.name, {"error": {"code": "malformed_call", "message": call.problem}}, failed=True)
    outcome: Outcome = registry.call(job_of(_key(material, call), cut), call.name, call.arguments)
    if outcome.ok and "approval_id" in outcome.result:
        approvals[str(outcome.result["approval_id"])] = None
    return Result(call.id, call.name, outcome.result, failed=not outcome.ok)


def _key(material: Material, call: Call) -> str:
    """The same proposal in the same period is one, however often the routine runs."""
    said = json.dumps([call.name, dict(call.arguments)], sort_keys=True, default=str)
    digest = hashlib.sha256(said.encode(errors="replace")).hexdigest()
    return derived("effect", material.period.kind.value, material.period.name, digest)


def _system(material: Material) -> str:
    return Template(_prompt()).substitute(kind=_kind(material), period=material.period.name)


def _shown(material: Material) -> str:
    """The material as JSON inside a mark that nothing in it can close."""
    plain: dict[str, Any] = {
        "period": material.period.name,
        "notes": [
            {
                "note_id": note.id,
                "title": note.title,
                "kind": note.kind.value,
                "tags": list(note.tags),
                "text": cut_text(note.body, _NOTE_BYTES),
            }
            for note in material.notes
        ],
        "research": [
            {"title": each.title, "status": each.status.value, "report_note_id": each.result_note_id}
            for each in material.research
        ],
        "tasks_done": [each.title for each in material.done],
        "tasks_due": [
            {"task_id": each.id, "title": each.title, "due": each.due.isoformat() if each.due else None}
            for each in material.due
        ],
        "waiting_approvals": [each.title for each in material.waiting],
    }
    said = cut_text(json.dumps(plain, ensure_ascii=False), _MATERIAL_BYTES).replace("</", "<\\/")
    return f"Write the {_kind(material)} of {material.period.name}. The material:\n\n<data>\n{said}\n</data>"


def _kind(material: Material) -> str:
    return "daily digest" if material.period.kind is RoutineKind.DIGEST else "weekly review"


@cache
def _prompt() -> str:
    return (Path(__file__).parent / "prompt.md").read_text(encoding="utf-8")
