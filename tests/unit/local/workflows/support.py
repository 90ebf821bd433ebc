"""Builders for the workflow tests: a part on a virtual clock, a scripted HTTP, ways to run to the end."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from infra.local.clock import VirtualClock
from infra.local.meter import Meter
from infra.local.workflows.ports import HttpRequest, HttpResponse
from infra.local.workflows.service import WorkflowsPart

PARENT = "projects/memex-local/locations/us-central1/workflows"
Answer = HttpResponse | Exception


class FakeTokens:
    """Tokens that name what they are for."""

    def id_token(self, email: str, audience: str) -> str:
        return f"id:{email}:{audience}"

    def access_token(self, email: str) -> str:
        return f"access:{email}"


def as_json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    return HttpResponse(status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(body).encode())


@dataclass
class FakeHttp:
    """Records requests and answers them: by a function, or from a list whose last answer repeats."""

    answers: list[Answer] = field(default_factory=lambda: [as_json({})])
    by: Callable[[HttpRequest], HttpResponse] | None = None
    requests: list[HttpRequest] = field(default_factory=list)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.requests.append(request)
        if self.by is not None:
            return self.by(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Cloud:
    """The workflows part on a virtual clock."""

    def __init__(self, data_dir: Path, http: Any = None) -> None:
        ids = itertools.count(1)
        self.data_dir = data_dir
        self.clock = VirtualClock()
        self.meter = Meter()
        self.http = http or FakeHttp()
        self.part = WorkflowsPart(
            data_dir,
            self.clock,
            self.meter,
            "memex-local",
            "us-central1",
            FakeTokens(),
            http=self.http,
            new_id=lambda: f"00000000-0000-4000-8000-{next(ids):012d}",
        )

    def deploy(self, source: str, name: str = "flow", env: Mapping[str, str] | None = None) -> None:
        file = self.data_dir / f"{name}.yaml"
        file.write_text(source, encoding="utf-8")
        self.part.deploy(name, file, env or {}, "runner@memex-local.iam.gserviceaccount.com")

    def begin(self, argument: Any = None, name: str = "flow") -> str:
        """Create an execution; returns its resource name."""
        text = "" if argument is None else json.dumps(argument)
        return str(self.part.api.create(f"{PARENT}/{name}", text, {}, 0).name)

    def get(self, execution: str) -> Any:
        return self.part.api.get(execution)

    def ended(self, execution: str) -> bool:
        return self.part.api.get(execution).state != 1

    def settle(self, execution: str, hours: float = 24 * 400) -> Any:
        """Move the clock until the execution has ended."""
        assert self.clock.run_until(lambda: self.ended(execution), limit=timedelta(hours=hours)), "it has not ended"
        return self.get(execution)

    def run(self, source: str, argument: Any = None) -> Any:
        """Deploy, execute, and return the ended execution."""
        self.deploy(source)
        return self.settle(self.begin(argument))

    def result(self, source: str, argument: Any = None) -> Any:
        """What a workflow returns."""
        execution = self.run(source, argument)
        assert execution.state == 2, execution
        return json.loads(execution.result)

    def error(self, source: str, argument: Any = None) -> Any:
        """What a workflow fails with."""
        execution = self.run(source, argument)
        assert execution.state == 3, execution
        return json.loads(execution.error.payload)

    def close(self) -> None:
        """Close the part, and let what sleeps on the clock wake and find it closed."""
        self.part.close()
        self.clock.run_until(lambda: False, limit=timedelta(days=30))
        self.clock.close()
