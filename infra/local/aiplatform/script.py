"""What a test makes the research agent do instead of its own work, and what it breaks on the way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from infra.local.aiplatform.errors import invalid

CreateAnswer = Literal["normal", "lost", "hang", "plain_json"]


@dataclass(frozen=True)
class HttpFailure:
    """An error answer to the next `times` requests (None: to all). Status 0 cuts the connection without an answer."""

    status: int
    times: int | None = 1
    retry_after: float | None = None
    message: str = "scripted failure"


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
    """

    name: str = ""
    run_seconds: float | None = None
    statuses: tuple[tuple[float, str], ...] = ()
    steps: tuple[Mapping[str, Any], ...] | None = None
    errors: tuple[Mapping[str, str], ...] = ()
    create_failures: tuple[HttpFailure, ...] = ()
    create_answer: CreateAnswer = "normal"
    get_failures: tuple[HttpFailure, ...] = ()
    cancel_failures: tuple[HttpFailure, ...] = ()
    raw_frames: tuple[tuple[int, str], ...] = ()
    stream_seconds: float | None = None

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_data(cls, data: Any) -> Script:
        """A script from its JSON form (the same names; lists for tuples). Raises ApiError 400 for what it is not."""
        if not isinstance(data, Mapping):
            raise invalid("A script is a JSON object.")
        unknown = set(data) - {field.name for field in fields(cls)}
        if unknown:
            raise invalid(f"A script has no field {sorted(unknown)[0]!r}.", sorted(unknown)[0])
        if data.get("create_answer", "normal") not in get_args(CreateAnswer):
            raise invalid(f"create_answer must be one of {', '.join(get_args(CreateAnswer))}.", "create_answer")
        given = dict(data)
        try:
            for name in ("create_failures", "get_failures", "cancel_failures"):
                given[name] = tuple(HttpFailure(**failure) for failure in data.get(name) or ())
            given["statuses"] = tuple((float(at), str(status)) for at, status in data.get("statuses") or ())
            given["raw_frames"] = tuple((int(index), str(raw)) for index, raw in data.get("raw_frames") or ())
            given["errors"] = tuple(dict(error) for error in data.get("errors") or ())
            given["steps"] = None if data.get("steps") is None else tuple(dict(step) for step in data["steps"])
        except (TypeError, ValueError) as error:
            raise invalid(f"Not a script: {error}") from error
        return cls(**given)
