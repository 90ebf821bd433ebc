"""What a comparison found, as data and as text."""

from __future__ import annotations

from typing import Any

from tests.contract.parity.script import Disagreement
from tests.contract.parity.suites import Outcome

ANSWER_CHARACTERS = 600


def result(outcome: Outcome, found: dict[str, list[Disagreement]]) -> dict[str, Any]:
    """One service's part of the report."""
    return {
        "suite": {"passed": outcome.passed, "listed": outcome.listed, "failed": outcome.failed},
        "differences": {kind: [_disagreement(each) for each in some] for kind, some in found.items()},
    }


def differs(service: dict[str, Any]) -> bool:
    """Whether there is a difference that is not listed."""
    return bool(service.get("differences") or service.get("suite", {}).get("failed"))


def _disagreement(each: Disagreement) -> dict[str, Any]:
    sides = {"local": each.local, "emulator": each.official}
    answers = {name: {"code": side.code, "text": side.text, "content": side.content} for name, side in sides.items()}
    return {"requests": [repr(step) for step in each.script], **answers}


def text(outcome: dict[str, Any]) -> str:
    """The whole report for a person."""
    lines = []
    for name, service in outcome["services"].items():
        lines += [f"{name}", *_service(service), ""]
    if outcome["met"]:
        lines += ["Listed differences that random requests met (tests/contract/differences.py has the reasons):"]
        lines += [f"  {each}: {what}" for each, what in outcome["met"].items()] + [""]
    unlisted = sum(map(differs, outcome["services"].values()))
    lines.append(
        f"{'There are unlisted differences' if unlisted else 'No unlisted difference'}; {outcome['seconds']} s."
    )
    return "\n".join(lines)


def _service(service: dict[str, Any]) -> list[str]:
    if "not_compared" in service:
        return [f"  not compared: {service['not_compared']}"]
    suite = service["suite"]
    lines = [f"  contract suite: {suite['passed']} passed, {suite['listed']} listed, {len(suite['failed'])} failed"]
    lines += [f"    FAILED {name}: {wrong}" for name, wrong in suite["failed"].items()]
    lines.append(f"  random requests: {sum(map(len, service['differences'].values()))} unlisted differences")
    for kind, some in service["differences"].items():
        for each in some:
            lines += [f"    {kind}:", *(f"      {request}" for request in each["requests"])]
            lines += [f"      {side}: {_answer(each[side])}" for side in ("local", "emulator")]
    return lines


def _answer(answer: dict[str, Any]) -> str:
    shown = answer["text"] if answer["code"] != "OK" else str(answer["content"])
    return f"{answer['code']} {shown}"[:ANSWER_CHARACTERS]
