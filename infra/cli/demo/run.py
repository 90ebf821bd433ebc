"""The demonstration from start to bill."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import click

from infra.cli.billing import show_bill
from infra.cli.client import ApiClient
from infra.cli.demo import talking
from infra.cli.demo.deadline import deadline
from infra.cli.demo.memex import SampleNote, sample_notes
from infra.cli.demo.putting import put_in
from infra.cli.errors import CliError
from infra.cli.follow import Followed, Follower
from infra.cli.local import running
from infra.cli.progress import Progress
from infra.cli.reading import show_note
from infra.cli.terminal import columns, one_line, print_json, styled, wrapped
from shared.clock import SystemClock

RUN_SECONDS = 2.0
APPEAR_SECONDS = 15.0
LOOK_SECONDS = 0.1


@dataclass
class Demonstration:
    """Speaks as it goes on, unless it is to print one JSON object at the end."""

    as_json: bool
    clock: SystemClock = field(default_factory=SystemClock)

    def run(self) -> None:
        began = self.clock.now()
        notes = sample_notes()
        self._say("Starting the local cloud: database, queues, workflows, functions")
        with running(None, http_port=0, grpc_port=0, functions="process", run_seconds=RUN_SECONDS) as address:
            self._say(f"It answers at {address.http}", after=began)
            with ApiClient(address, clock=self.clock) as client:
                question = self._put_in(client, notes)
                operation, events = self._research(client, question)
                report = client.get(f"/api/v1/notes/{operation['result_note_id']}")["note"]
                if not self.as_json:
                    self._heading("The report")
                    show_note(report)
                    self._heading("A question in the chat")
                told = talking.ask(client, report["id"], show=not self.as_json)
                bill = client.get("/_cloud/bill")
        seconds = (self.clock.now() - began).total_seconds()
        if self.as_json:
            chat = {"turn": told.done, "events": told.trace, "tasks": told.tasks}
            outcome = {"operation": operation, "events": events, "report": report, "chat": chat, "bill": bill}
            print_json({"notes": len(notes), **outcome, "seconds": round(seconds, 1)})
            return
        self._heading("The bill")
        show_bill(bill)
        closing = "The emulated model read the notes alone; a real research run reads the web too, for 1 to 7 USD."
        click.echo(wrapped(closing))
        click.echo(f"\nDone in {seconds:.1f} s; nothing was kept. Your own Memex: make run")

    def _put_in(self, client: ApiClient, notes: tuple[SampleNote, ...]) -> dict[str, Any]:
        """Write the notes through the API, in order; the one that asks is returned as the API has it."""
        began = self.clock.now()
        kept = put_in(client, notes)
        asked = next(item for item, note in zip(kept, notes, strict=True) if note.is_question)
        words = sum(len(note.body.split()) for note in notes)
        self._say(f"{len(notes)} notes put in, {words:,} words, on home solar power and on bread", after=began)
        return asked

    def _research(self, client: ApiClient, note: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Tag the note, follow the operation that appears, and return it as it ended, with its events."""
        self._say(f"Tagging “{one_line(note['title'])}” with #research")
        client.patch(f"/api/v1/notes/{note['id']}", {"add_tags": ["research"]})
        path = f"/api/v1/operations/{self._appeared(client, note['id'])}"
        follower = Follower(client, Followed(path, "operation"))
        events = []
        if self.as_json:
            events = list(follower.events())
        else:
            click.echo()
            with Progress(note["title"], self.clock) as progress:
                for event in follower.events():
                    events.append(event)
                    progress.show(event)
        operation = client.get(path)["operation"]
        if operation["status"] != "completed":
            reason = (operation.get("error") or {}).get("message", "no reason was given")
            raise CliError(f"The research is {operation['status']}: {reason}", code="not_completed")
        return operation, events

    def _appeared(self, client: ApiClient, note_id: str) -> str:
        began = self.clock.now()
        while (self.clock.now() - began).total_seconds() < APPEAR_SECONDS:
            for operation in client.get("/api/v1/operations", limit=20)["operations"]:
                if operation["source_note_id"] == note_id:
                    return str(operation["id"])
            self.clock.sleep(LOOK_SECONDS)
        raise CliError(f"No research began within {APPEAR_SECONDS:g} s of tagging the note.", code="not_started")

    def _say(self, text: str, *, after: datetime | None = None) -> None:
        if self.as_json:
            return
        took = styled(f"  {(self.clock.now() - after).total_seconds():.1f} s", dim=True) if after else ""
        click.echo(f"{styled('▸', fg='cyan')} {wrapped(text)}{took}")

    def _heading(self, text: str) -> None:
        click.echo(f"\n{styled(f'── {text} ' + '─' * (min(60, columns() - 4) - len(text)), fg='cyan')}\n")


def run_demo(*, limit_seconds: float, as_json: bool) -> None:
    """Show it all, within the limit. Raises CliError when something does not work or takes too long."""
    with deadline(limit_seconds):
        Demonstration(as_json).run()
