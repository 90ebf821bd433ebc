"""Models: which class asks which role, what is counted of what they use, and what is set aside before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from shared.brain.agent import Desk, ModelClass, Outcome
from shared.brain.models import Roles
from shared.contracts.jobs import JobStatus
from shared.contracts.operations import Usage
from shared.contracts.usage import UsageKind
from shared.errors import BudgetExceeded, InputError
from shared.llm.port import Message, ModelRequest, Models, Text
from tests.support.scripted_model import ScriptedModel
from tests.unit.brain.queue.conftest import MakeWorld
from tests.unit.brain.queue.world import Given, scripted


def named(name: str) -> Any:
    return ScriptedModel(name=name)


def asking(_given: Given, desk: Desk) -> Outcome:
    assert desk.model is not None
    request = ModelRequest((Message("user", (Text("?"),)),))
    list(desk.model.stream(request, desk.cut))
    return Outcome({}, model=desk.model.name, usage=Usage(input_tokens=99_999))


@pytest.mark.parametrize(
    ("wanted", "role"),
    [("extraction", "enrich"), ("synthesis", "work"), ("judge", "plan"), ("embedding", None), ("none", None)],
)
def test_each_class_asks_the_model_of_its_role(wanted: ModelClass, role: str | None) -> None:
    models = Models(**{name: named(name) for name in ("chat", "enrich", "plan", "work")})
    found = Roles(lambda: models, by_rule=False).model(wanted)
    assert (found.name if found else None) == role
    assert Roles(lambda: models, by_rule=True).model(wanted) is None


def test_a_judge_makes_do_with_the_working_model_then_with_that_of_the_chat() -> None:
    work, chat = named("work"), named("chat")
    assert Roles(lambda: Models(chat=chat, work=work), by_rule=False).model("judge") is work
    assert Roles(lambda: Models(chat=chat), by_rule=False).model("judge") is chat
    assert Roles(Models, by_rule=False).model("judge") is None


def test_what_a_model_used_is_counted_whatever_its_agent_says(world: MakeWorld) -> None:
    here = world(scripted("ask", asking, model_class="judge"))
    here.model = ScriptedModel([Text("yes")], name="wise")
    job = here.put("ask")
    here.drain()
    done = here.job(job)
    used = done.usage
    assert done.model == "wise" and 0 < used.input_tokens + used.output_tokens < 99_999
    counted = here.store().usage.book(here.now().strftime("%Y-%m")).by_kind[UsageKind.BRAIN]
    assert (counted.count, counted.input_tokens) == (1, used.input_tokens)
    assert here.spending.reserved == here.spending.released == [job.id]


def test_what_a_failed_attempt_used_is_counted_too(world: MakeWorld) -> None:
    def failing(given: Given, desk: Desk) -> Outcome:
        asking(given, desk)
        raise InputError("no")

    here = world(scripted("ask", failing, model_class="judge", max_attempts=2))
    here.model = ScriptedModel([Text("yes")], [Text("yes")], name="wise")
    job = here.put("ask")
    here.work_once()
    once = here.job(job).usage
    here.clock.advance(300)
    here.work_once()
    ended = here.job(job)
    assert ended.status is JobStatus.FAILED and ended.usage == once + once != once
    assert here.store().usage.book(here.now().strftime("%Y-%m")).by_kind[UsageKind.BRAIN].count == 2


def test_without_room_in_the_quota_no_model_is_asked_and_the_job_waits(world: MakeWorld) -> None:
    here = world(scripted("ask", asking, model_class="judge"))
    here.model = ScriptedModel(name="wise")
    here.spending.full = BudgetExceeded("The month's quota has no room for this.")
    job = here.put("ask")
    here.work_once()
    now = here.job(job)
    assert (now.status, now.attempts, now.run_after - here.now()) == (JobStatus.PENDING, 0, timedelta(hours=1))
    assert now.error is not None and "no room" in now.error.message
