"""What a test makes the research agent do instead of its own work, and what it breaks on the way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter

from infra.local.aiplatform.script_form import read_script

MAX_SECONDS = 1e9
CreateAnswer = Literal["normal", "lost", "hang", "plain_json"]
Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS)]


def _failing(status: int) -> int:
    if status != 0 and not 400 <= status <= 599:
        raise ValueError("a failure has status 0, or 400 to 599")
    return status


def _renderable(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """A step may be of any type and have any field; those that are streamed in pieces must come in pieces."""
    pieces = {"model_output": "content", "thought": "summary"}.get(str(step.get("type")))
    if pieces is not None:
        given = step.get(pieces) or []
        if not isinstance(given, list | tuple) or not all(isinstance(piece, Mapping) for piece in given):
            raise ValueError(f"{pieces} of a {step['type']} step is a list of objects")
        if not all(isinstance(piece.get("text", ""), str) for piece in given):
            raise ValueError(f"a text in {pieces} of a {step['type']} step is a string")
    if step.get("type") == "google_search_call" and not isinstance(step.get("arguments"), Mapping):
        raise ValueError("a google_search_call step needs arguments, an object")
    return step


Step = Annotated[Mapping[str, Any], AfterValidator(_renderable)]


@dataclass(frozen=True)
class HttpFailure:
    """An error answer to the next `times` requests (None: to all). Status 0 cuts the connection without an answer."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    status: Annotated[int, AfterValidator(_failing)]
    times: Annotated[int, Field(ge=1, le=10**9)] | None = 1
    retry_after: Seconds | None = None
    message: str = "scripted failure"


def next_failure(failures: tuple[HttpFailure, ...]) -> tuple[HttpFailure | None, tuple[HttpFailure, ...]]:
    """The failure due now and what stays for later."""
    if not failures:
        return None, ()
    first, rest = failures[0], failures[1:]
    if first.times is None:
        return first, failures
    if first.times <= 1:
        return first, rest
    return first, (replace(first, times=first.times - 1), *rest)


@dataclass(frozen=True)
class Script:
    """One run of the research agent; what is left out goes as it does without a script.

    statuses: (seconds after the create, status), any strings; the last one stays.
    steps: the output steps, made evenly over the run; "{base}" in their texts and urls is the server's address.
    errors: errors[] of a run that fails; without `statuses`, a script with errors ends failed.
    create_failures: answered, in turn, before the create is accepted (nothing is started by those).
    create_answer: "lost" accepts the run and closes the connection before the id, "hang" never sends the id,
        "plain_json" answers a stream request with JSON.
    raw_frames: (n, text): sent as it is before the n-th event of every stream.
    stream_seconds: streams are dropped after that time (600 when None).
    hold: (seconds after the create, name of a gate): there the run stands still until the gate is opened, and then goes
        on from there (POST /_cloud/aiplatform/gates {"name"}).
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    name: str = ""
    run_seconds: Seconds | None = None
    statuses: tuple[tuple[Seconds, str], ...] = ()
    steps: tuple[Step, ...] | None = None
    errors: tuple[Mapping[str, str], ...] = ()
    create_failures: tuple[HttpFailure, ...] = ()
    create_answer: CreateAnswer = "normal"
    get_failures: tuple[HttpFailure, ...] = ()
    cancel_failures: tuple[HttpFailure, ...] = ()
    raw_frames: tuple[tuple[Annotated[int, Field(ge=0)], str], ...] = ()
    stream_seconds: Seconds | None = None
    hold: tuple[Seconds, str] | None = None

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_data(cls, data: Any) -> Script:
        """A script from its JSON form (the same names; lists for tuples). Raises ApiError 400 for what it is not."""
        return read_script(_adapter(), data, "a script")


@cache
def _adapter() -> TypeAdapter[Script]:
    return TypeAdapter(Script)
