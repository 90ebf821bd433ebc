"""The main job in a deployed project, and that strangers are refused; what it makes, it deletes.

`terraform output -json | MEMEX_TOKEN=… python -m infra.terraform.smoke`, which `make smoke` does. It begins one real
research run, so it costs what one costs.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from infra.cli.address import Address
from infra.cli.client import ApiClient
from infra.cli.errors import CliError
from shared.clock import Clock, SystemClock

LOOK_SECONDS = 5.0
RESEARCH_SECONDS = 3600.0
COUNTED_SECONDS = 180.0
FIRESTORE = "https://firestore.googleapis.com"
REFUSED = (401, 403, 404)
"""404 is how Cloud Run hides a service from those who may not see it."""
NOTE = {
    "title": "Smoke test",
    "body": "What is the boiling point of water at 2000 m? One sentence.",
    "tags": ["research"],
}


GUARDED = {"api": "/api/v1/notes", "chat": "/api/v1/chat/sessions", "mcp": "/mcp"}
"""Of the public functions, an address that wants a token; a webhook wants a signature wherever it is asked."""
QUESTION = "Answer with the one word: ready"


@dataclass(frozen=True)
class Deployed:
    """Where a deployment answers: base URLs by function, and of the page, empty where there is none.

    `project` is whose Firestore must be closed to strangers; empty, it is not asked.
    """

    public: Mapping[str, str]
    private: Mapping[str, str]
    page: str = ""
    project: str = ""

    @classmethod
    def from_outputs(cls, outputs: Mapping[str, Any]) -> Deployed:
        """What `terraform output -json` says. Raises KeyError when nothing is deployed."""
        names = ("public", "private", "page", "project")
        return cls(*(outputs[name]["value"] for name in names))


class Smoke:
    """One pass; `say` is told of each step. Raises CliError for the first thing that is not as it must be."""

    def __init__(self, deployed: Deployed, token: str, say: Callable[[str], None], clock: Clock | None = None) -> None:
        self._deployed, self._token, self._say = deployed, token, say
        self._clock = clock or SystemClock()

    def run(self, limit_seconds: float = RESEARCH_SECONDS) -> None:
        """Strangers, the page, a chat turn, the main job, and that it was counted."""
        with httpx.Client(trust_env=False, timeout=30.0) as http:
            self._strangers(http)
            self._firestore(http)
            self._page(http)
        with ApiClient(Address(self._deployed.public["api"], "", self._token), clock=self._clock) as client:
            self._chat(client)
            counted = _researches(client)
            self._main_job(client, limit_seconds)
            self._counted(client, counted, min(limit_seconds, COUNTED_SECONDS))

    def _strangers(self, http: httpx.Client) -> None:
        for name, url in {**self._deployed.private, **self._deployed.public}.items():
            status = http.post(f"{url}{GUARDED.get(name, '/')}", json={}).status_code
            if status not in REFUSED:
                raise CliError(f"{name} answered a stranger with {status}.", code="not_refused")
        self._say(f"{len(self._deployed.private) + len(self._deployed.public)} functions refuse strangers")

    def _firestore(self, http: httpx.Client) -> None:
        if not self._deployed.project:
            return
        database = f"{FIRESTORE}/v1/projects/{self._deployed.project}/databases/(default)"
        status = http.get(f"{database}/documents/workspaces").status_code
        if status not in REFUSED:
            raise CliError(f"Firestore answered a stranger with {status}.", code="not_refused")
        self._say("Firestore refuses strangers")

    def _page(self, http: httpx.Client) -> None:
        if not self._deployed.page:
            return
        answer = http.get(self._deployed.page)
        if answer.status_code != 200 or "Content-Security-Policy" not in answer.headers:
            raise CliError(f"The page answers {answer.status_code}, or without its headers.", code="no_page")
        self._say("the page is there, with its headers")

    def _chat(self, client: ApiClient) -> None:
        session = client.post("/api/v1/chat/sessions", {})["session"]["id"]
        path = f"/api/v1/chat/sessions/{session}"
        try:
            with client.stream_of(f"{path}/messages", {"text": QUESTION}, key="smoke", silence_seconds=60) as stream:
                frames = b"".join(stream)
            turns = [one for one in client.get(path)["session"]["trace"] if one["type"] == "turn_ended"]
            if not turns or b"data:" not in frames:
                raise CliError("The chat did not answer.", code="no_answer")
        finally:
            client.delete(path)
        self._say("the chat answers, live")

    def _main_job(self, client: ApiClient, limit_seconds: float) -> None:
        note = client.post("/api/v1/notes", NOTE)["note"]
        made = [note["id"]]
        try:
            operation = self._ended(client, note["id"], limit_seconds)
            if operation["result_note_id"]:
                made.append(operation["result_note_id"])
            if operation["status"] != "completed":
                why = (operation.get("error") or {}).get("message", "no reason was given")
                raise CliError(f"The research is {operation['status']}: {why}", code="not_completed")
            report = client.get(f"/api/v1/notes/{operation['result_note_id']}")["note"]
            self._say(f"a note became a report: {report['title']}")
        finally:
            for note_id in made:
                client.delete(f"/api/v1/notes/{note_id}")
            self._say("both notes are in the trash, which empties itself")

    def _counted(self, client: ApiClient, before: int, limit_seconds: float) -> None:
        """Usage is counted from what reaches Pub/Sub, so it shows that triggers, fan-out and subscriptions work."""
        begin = self._clock.now()
        while (self._clock.now() - begin).total_seconds() < limit_seconds:
            if _researches(client) > before:
                self._say("its events went out by Pub/Sub, and it is counted")
                return
            self._clock.sleep(min(LOOK_SECONDS, limit_seconds / 100))
        raise CliError("The research is in nobody's usage: see trace-fanout and usage-meter.", code="not_counted")

    def _ended(self, client: ApiClient, note_id: str, limit_seconds: float) -> dict[str, Any]:
        begin = self._clock.now()
        while (self._clock.now() - begin).total_seconds() < limit_seconds:
            listed = client.get("/api/v1/operations", source_note_id=note_id)["operations"]
            if listed and listed[0]["status"] != "running":
                found: dict[str, Any] = listed[0]
                return found
            self._clock.sleep(min(LOOK_SECONDS, limit_seconds / 100))
        raise CliError(f"The research has not ended after {limit_seconds:g} s.", code="out_of_time")


def _researches(client: ApiClient) -> int:
    return int(client.get("/api/v1/usage")["by_kind"].get("research", {}).get("count", 0))


def main() -> int:
    """Exit status 0 when all is well."""
    token = os.environ.get("MEMEX_TOKEN", "")
    if not token:
        sys.stderr.write("Set MEMEX_TOKEN to a token of the deployment.\n")
        return 2
    try:
        Smoke(Deployed.from_outputs(json.load(sys.stdin)), token, lambda text: print(text, flush=True)).run()  # noqa: T201
    except (CliError, httpx.HTTPError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
