"""Why something is remembered, as lines: the record, where it was said, what it came from, and every critique."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from infra.cli.terminal import facts, one_line, status_mark, styled

_QUOTE_CHARACTERS = 200


def lines(answer: dict[str, Any]) -> Iterator[str]:
    """The lines for an answer of GET /api/v1/brain/records/{id}/why."""
    record = answer["record"]
    yield f"{styled(one_line(record['text']), bold=True)}  {styled(one_line(record['status']), dim=True)}"
    yield from facts(
        {
            "record": record["id"],
            "type": record["type"],
            "about": record["subject"],
            "held from": record.get("valid_from"),
            "held to": record.get("valid_to"),
            "confidence": f"{record['confidence']:.0%}",
            "pinned": "yes" if record["pinned"] else None,
            "excluded": "yes" if record["excluded"] else None,
        }
    )
    yield styled("Said in", bold=True)
    for source in record["sources"]:
        yield from _source(source)
    yield styled("Came from", bold=True)
    for step in answer["trail"]:
        yield from _step(step)
    yield from _others(answer)


def _source(source: dict[str, Any]) -> Iterator[str]:
    place = f"{source['start']}–{source['end']}" if source["end"] else ""
    named = one_line(source["title"] or source["id"], 80)
    where = styled(one_line(f"{source['id']} {place}"), dim=True)
    yield f"  {source['kind']} {named}  {where}"
    if source["quote"]:
        yield f"    “{one_line(source['quote'], _QUOTE_CHARACTERS)}”"


def _step(step: dict[str, Any]) -> Iterator[str]:
    item = step["item"]
    said = one_line(str(item["payload"].get("text", "")), _QUOTE_CHARACTERS)
    yield f"  {one_line(item['status'])}: {said}  {styled(one_line(item['id']), dim=True)}"
    if item["reason"]:
        yield f"    {one_line(item['reason'])}"
    if step.get("job"):
        yield f"    put forward by {_job(step['job'])}"
    for critique in step["critiques"]:
        yield from _critique(critique)


def _critique(critique: dict[str, Any]) -> Iterator[str]:
    payload = critique["item"]["payload"]
    verdict = one_line(str(payload.get("verdict", critique["item"]["kind"])))
    who = f" ({_job(critique['job'])})" if critique.get("job") else ""
    yield f"    ▸ {verdict}: {one_line(str(payload.get('reason', '')), _QUOTE_CHARACTERS)}{who}"


def _job(job: dict[str, Any]) -> str:
    model = f", {one_line(job['model'])}" if job.get("model") else ""
    return f"{one_line(job['kind'])}{model}, {status_mark(job['status'])}, {styled(one_line(job['id']), dim=True)}"


def _others(answer: dict[str, Any]) -> Iterator[str]:
    for other in answer["supersedes"]:
        yield f"Held until then: {one_line(other['text'])}  {styled(one_line(other['id']), dim=True)}"
    later = answer.get("superseded_by")
    if later:
        yield f"No longer, because: {one_line(later['text'])}  {styled(one_line(later['id']), dim=True)}"
    for one in answer["contradictions"]:
        yield f"Contradiction ({one_line(one['status'])}): {one_line(one['reason'])}"
