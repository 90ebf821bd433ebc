from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from google.api_core import exceptions as api

from shared.errors import Forbidden, InputError, MemexError, NotFound, Transient
from shared.gateway.workflows import Executions


class FakeClient:
    """Records calls; each answers or raises what it was given."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.calls = answer, list[tuple[str, dict[str, Any]]]()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(**arguments: Any) -> Any:
            self.calls.append((name, arguments))
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

        return call


def of(answer: Any) -> tuple[Executions, FakeClient]:
    client = FakeClient(answer)
    return Executions(lambda: client, "p", "l"), client  # type: ignore[arg-type,return-value]


def state(name: str) -> SimpleNamespace:
    return SimpleNamespace(state=SimpleNamespace(name=name))


def test_start_gives_the_argument_as_json_once_with_a_timeout() -> None:
    executions, client = of(SimpleNamespace(name="projects/1/…/executions/e"))
    assert executions.start("research", {"workspace": "w"}) == "projects/1/…/executions/e"
    [(_, arguments)] = client.calls
    assert arguments["parent"] == "projects/p/locations/l/workflows/research"
    assert arguments["execution"].argument == '{"workspace": "w"}'
    assert arguments["timeout"] > 0 and arguments["retry"] is None


@pytest.mark.parametrize(
    ("raised", "ours"),
    [
        (api.NotFound("x"), NotFound),
        (api.PermissionDenied("x"), Forbidden),
        (api.Unauthenticated("x"), Forbidden),
        (api.InvalidArgument("x"), InputError),
        (api.FailedPrecondition("x"), InputError),
        (api.ServiceUnavailable("x"), Transient),
        (api.DeadlineExceeded("x"), Transient),
        (api.ResourceExhausted("x"), Transient),
        (api.InternalServerError("x"), Transient),
        (api.Unknown("x"), Transient),
        (api.RetryError("x", None), Transient),
    ],
)
def test_what_the_client_raises_is_an_error_of_ours(raised: Exception, ours: type[MemexError]) -> None:
    executions, client = of(raised)
    with pytest.raises(ours):
        executions.start("research", {})
    assert len(client.calls) == 1


@pytest.mark.parametrize(
    ("answer", "alive"),
    [
        (state("ACTIVE"), True),
        (state("QUEUED"), True),
        (state("SUCCEEDED"), False),
        (state("FAILED"), False),
        (state("CANCELLED"), False),
        (state("UNAVAILABLE"), False),
        (api.NotFound("x"), False),
    ],
)
def test_an_execution_lives_while_it_is_active_or_queued(answer: Any, alive: bool) -> None:
    assert of(answer)[0].alive("e") is alive


def test_nobody_is_declared_dead_because_nobody_answered() -> None:
    with pytest.raises(Transient):
        of(api.ServiceUnavailable("x"))[0].alive("e")


def test_cancelling_what_has_ended_is_fine() -> None:
    of(api.FailedPrecondition("x"))[0].cancel("e")
    of(api.NotFound("x"))[0].cancel("e")
    with pytest.raises(Transient):
        of(api.ServiceUnavailable("x"))[0].cancel("e")
