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
REFUSED = (401, 403, 404)
"""404 is how Cloud Run hides a service from those who may not see it."""
NOTE = {
    "title": "Smoke test",
    "body": "What is the boiling point of water at 2000 m? One sentence.",
    "tags": ["research"],
}


@dataclass(frozen=True)
class Deployed:
    """Where a deployment answers: base URLs by function, and of the page, empty where there is none."""

    public: Mapping[str, str]
    private: Mapping[str, str]
    page: str = ""

    @classmethod
    def from_outputs(cls, outputs: Mapping[str, Any]) -> Deployed:
        """What `terraform output -json` says. Raises KeyError when nothing is deployed."""
        return cls(outputs["public"]["value"], outputs["private"]["value"], outputs["page"]["value"])


class Smoke:
    """One pass; `say` is told of each step. Raises CliError for the first thing that is not as it must be."""

    def __init__(self, deployed: Deployed, token: str, say: Callable[[str], None], clock: Clock | None = None) -> None:
        self._deployed, self._token, self._say = deployed, token, say
        self._clock = clock or SystemClock()

    def run(self, limit_seconds: float = RESEARCH_SECONDS) -> None:
        """Strangers, the page, the main job."""
        with httpx.Client(trust_env=False, timeout=30.0) as http:
            self._strangers(http)
            self._page(http)
        with ApiClient(Address(self._deployed.public["api"], "", self._token), clock=self._clock) as client:
            self._main_job(client, limit_seconds)

    def _strangers(self, http: httpx.Client) -> None:
        for name, url in {**self._deployed.private, **self._deployed.public}.items():
            path = "/api/v1/notes" if name == "api" else "/"
            status = http.post(f"{url}{path}", json={}).status_code
            if status not in REFUSED:
                raise CliError(f"{name} answered a stranger with {status}.", code="not_refused")
        self._say(f"{len(self._deployed.private) + len(self._deployed.public)} functions refuse strangers")

    def _page(self, http: httpx.Client) -> None:
        if not self._deployed.page:
            return
        answer = http.get(self._deployed.page)
        if answer.status_code != 200 or "Content-Security-Policy" not in answer.headers:
            raise CliError(f"The page answers {answer.status_code}, or without its headers.", code="no_page")
        self._say("the page is there, with its headers")

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

    def _ended(self, client: ApiClient, note_id: str, limit_seconds: float) -> dict[str, Any]:
        begin = self._clock.now()
        while (self._clock.now() - begin).total_seconds() < limit_seconds:
            listed = client.get("/api/v1/operations", source_note_id=note_id)["operations"]
            if listed and listed[0]["status"] != "running":
                found: dict[str, Any] = listed[0]
                return found
            self._clock.sleep(min(LOOK_SECONDS, limit_seconds / 100))
        raise CliError(f"The research has not ended after {limit_seconds:g} s.", code="out_of_time")


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
