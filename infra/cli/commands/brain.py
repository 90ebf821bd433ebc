"""`memex brain`: the agents behind the notes, their jobs, and what they remember."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import click

from infra.cli.connect import connect
from infra.cli.options import address_options
from infra.cli.places import spelled
from infra.cli.terminal import columns, facts, minute, one_line, print_json, status_mark, styled, table

BRAIN = "/api/v1/brain"
STATUSES = ("pending", "running", "done", "failed", "cancelled")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def brain() -> None:
    """See what the memory agents do, have them work, and ask what is remembered and why."""


@brain.command(short_help="List the agents with their health.")
@address_options
def agents(**where: Any) -> None:
    """List the agents with their health: how many of their jobs went well, how much they refused."""
    with connect(**where) as client:
        answer = client.get(f"{BRAIN}/agents")
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (
            one_line(item["id"]),
            one_line(item["model"] or "-", 30),
            minute(item.get("last_run_at") or "-"),
            _share(item.get("success_rate")),
            _share(item.get("refusal_rate")),
            *(str(item[name]) for name in ("pending", "running", "failed")),
        )
        for item in answer["agents"]
    ]
    header = ("id", "model", "last run (UTC)", "went well", "refused", "pending", "running", "failed")
    table(rows, header, none="There are no agents.")


@brain.command()
@click.option("--status", type=click.Choice(STATUSES), help="Only jobs in this state.")
@click.option("--kind", metavar="AGENT", help="Only jobs of this agent.")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many at most.")
@click.option("--cursor", help="Go on after a page: the next_cursor of the last --json answer.")
@address_options
def jobs(status: str | None, kind: str | None, limit: int, cursor: str | None, **where: Any) -> None:
    """List jobs, newest first."""
    with connect(**where) as client:
        answer = client.get(f"{BRAIN}/jobs", status=status, kind=kind, limit=limit, cursor=cursor)
    if where["as_json"]:
        print_json(answer)
        return
    rows = [
        (
            one_line(item["id"]),
            minute(item["created_at"]),
            status_mark(item["status"]),
            one_line(item["kind"]),
            f"{item['attempts']}/{item['max_attempts']}",
            one_line(_waits(item), max(60, columns() - 90)),
        )
        for item in answer["jobs"]
    ]
    table(rows, ("id", "made (UTC)", "status", "agent", "failed", ""), none="No jobs.")


@brain.command(short_help="Have an agent work on something.")
@click.argument("agent")
@click.argument("given", metavar="[JSON]", required=False)
@click.option("--priority", type=click.IntRange(0, 100), help="0 to 100, the higher sooner; 50 unless said.")
@address_options
def run(agent: str, given: str | None, priority: int | None, **where: Any) -> None:
    """Have an agent work on something, given as a JSON object, and print the id of the job.

    \b
    memex brain run situation_reporter
    memex brain run source_chunker '{"document_id": "doc_…"}'

    A job that is in flight for the same is answered instead of a second one.
    """
    body: dict[str, Any] = {"input": _object(given)}
    if priority is not None:
        body["priority"] = priority
    with connect(**where) as client:
        answer = client.post(f"{BRAIN}/agents/{quote(agent, safe='')}/run", body)
    print_json(answer) if where["as_json"] else click.echo(answer["job"]["id"])


@brain.command(short_help="Have a failed or cancelled job done.")
@click.argument("job_id")
@address_options
def retry(job_id: str, **where: Any) -> None:
    """Have a failed or cancelled job done after all; any other stays as it is, and that is said."""
    _change(job_id, "retry", **where)


@brain.command(short_help="Cancel a job.")
@click.argument("job_id")
@address_options
def cancel(job_id: str, **where: Any) -> None:
    """Cancel a job; one that has ended stays as it is, and that is said."""
    _change(job_id, "cancel", **where)


@brain.command(short_help="Say why something is remembered.")
@click.argument("record_id")
@address_options
def why(record_id: str, **where: Any) -> None:
    """Say why something is remembered: what was said where, who made a record of it, and every critique."""
    from infra.cli.trail import lines

    with connect(**where) as client:
        answer = client.get(f"{BRAIN}/records/{quote(record_id, safe='')}/why")
    if where["as_json"]:
        print_json(answer)
        return
    for line in lines(answer):
        click.echo(line)


@brain.command(short_help="Ask what is remembered.")
@click.argument("text", nargs=-1, required=True)
@click.option("--as-of", help="What held then: YYYY-MM-DD, or a moment as RFC 3339.")
@click.option("--limit", type=click.IntRange(1, 20), default=8, show_default=True, help="How many records at most.")
@address_options
def recall(text: tuple[str, ...], as_of: str | None, limit: int, **where: Any) -> None:
    """Ask what is remembered of something, the best first, each with where it was said."""
    with connect(**where) as client:
        answer = client.get(f"{BRAIN}/records", q=" ".join(text), as_of=as_of, limit=limit)
    if where["as_json"]:
        print_json(answer)
        return
    for item in answer["records"]:
        pin = " ★" if item["pinned"] else ""
        click.echo(f"{styled(one_line(item['text']) + pin, bold=True)}  {styled(one_line(item['id']), dim=True)}")
        for name, value in _said(item).items():
            click.echo(f"  {name:<9} {one_line(value, max(40, columns() - 12))}")
    if not answer["records"]:
        click.echo(one_line(answer.get("message") or "Nothing of that is remembered."), err=True)


def _change(job_id: str, verb: str, **where: Any) -> None:
    with connect(**where) as client:
        answer = client.post(f"{BRAIN}/jobs/{quote(job_id, safe='')}/{verb}")
    if where["as_json"]:
        print_json(answer)
        return
    click.echo(f"{status_mark(answer['job']['status'])}  {one_line(answer['message'])}")
    for line in facts({"job": answer["job"]["id"], "agent": answer["job"]["kind"]}):
        click.echo(line)


def _object(given: str | None) -> dict[str, Any]:
    try:
        value = json.loads(given or "{}")
    except ValueError as error:
        raise click.UsageError(f"The input is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise click.UsageError('The input must be a JSON object, such as {"document_id": "…"}.')
    return value


def _said(item: dict[str, Any]) -> dict[str, str]:
    """What there is to say of a record below its text."""
    held = " to ".join(str(item.get(name) or "")[:10] for name in ("valid_from", "valid_to"))
    sources = [spelled(f"[{one['title']}]({one['link']})") for one in item.get("links", ())]
    found = {"held": held if held.strip() != "to" else "", "said in": "; ".join(sources), "bears": item["annotation"]}
    return {name: value for name, value in found.items() if value}


def _waits(item: dict[str, Any]) -> str:
    """What there is to say of a job's state."""
    if item["status"] == "pending" and item["waiting_on"]:
        return f"waits for {item['waiting_on']} others"
    if item["status"] == "pending" and item["attempts"]:
        return f"again at {minute(item['run_after'])}: {(item.get('error') or {}).get('message', '')}"
    if item["status"] == "pending":
        return f"due {minute(item['run_after'])}"
    return str((item.get("error") or {}).get("message", "")) if item["status"] != "done" else ""


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"
