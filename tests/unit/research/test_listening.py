"""A run whose end the service tells of: begun with a webhook, listened for, polled less, and looked at when woken."""

from __future__ import annotations

import pytest

from shared.contracts.research import ListenRequest, PollAnswer
from shared.errors import InputError, NotFound
from shared.gateway.interactions import Interaction, InteractionError
from tests.unit.research.world import MakeWorld, World, execution

ADDRESS = "https://us-central1-p.cloudfunctions.net/webhook"


def callback(number: int = 1, host: str = "https://workflowexecutions.googleapis.com") -> str:
    return f"{host}/v1/{execution(number)}/callbacks/c1"


def listen(world: World, url: str = "", fence: int | None = None) -> PollAnswer:
    operation = world.operation
    fence = operation.fence if fence is None else fence
    request = ListenRequest(
        workspace=world.workspace, operation_id=operation.id, fence=fence, callback_url=url or callback()
    )
    return world.research.listen(request)


def wake(world: World) -> None:
    world.edit(wakes=world.operation.wakes + 1, woken_at=world.clock.now())


def refused(status: int) -> InteractionError:
    return InteractionError(f"http_{status}", f"The service answered {status}", sent=False, http_status=status)


def test_a_run_is_begun_with_our_webhook_and_the_execution_is_told_to_listen(world: World) -> None:
    world.delivered(world.tag())
    assert world.start().early_wake
    [body] = world.interactions.created
    assert body["webhook_config"] == {"uris": [ADDRESS]}
    assert world.operation.interactions[0].webhook
    assert world.start().early_wake  # called again, it gives the same


@pytest.mark.parametrize("settings", [{"research_webhooks": "off"}, {"research_backend": "vertex"}])
def test_without_webhooks_a_run_is_begun_and_polled_as_ever(make_world: MakeWorld, settings: dict[str, str]) -> None:
    world = make_world(**settings)
    world.delivered(world.tag())
    assert not world.start().early_wake
    assert "webhook_config" not in world.interactions.created[0]
    world.clock.advance(1000)
    assert world.poll().next_poll_seconds == pytest.approx(30.0)


def test_who_listens_polls_less_and_who_does_not_polls_as_ever(world: World) -> None:
    world.begin()
    world.clock.advance(1000)
    assert world.poll().next_poll_seconds == pytest.approx(30.0)
    assert listen(world).next_poll_seconds == pytest.approx(120.0, abs=1)
    assert world.poll().next_poll_seconds == pytest.approx(120.0, abs=1)


def test_an_execution_that_took_over_is_not_taken_for_the_one_that_listened(world: World) -> None:
    world.begin()
    listen(world)
    world.executions.dead.add(execution(1))
    world.start(2)
    world.clock.advance(1000)
    assert world.poll().next_poll_seconds == pytest.approx(30.0)
    listen(world, callback(2))
    assert world.poll().next_poll_seconds == pytest.approx(120.0, abs=1)


@pytest.mark.parametrize(
    "url",
    [
        callback(2),
        callback(host="https://workflowexecutions.googleapis.com.evil.example"),
        callback(host="https://evil.example"),
        callback(host="http://workflowexecutions.googleapis.com"),
        callback(host="http://127.0.0.1:8420"),
        callback() + "?to=https://evil.example",
        callback() + "/../../x",
        "",
    ],
)
def test_no_other_address_is_taken_for_the_executions_callback(world: World, url: str) -> None:
    world.begin()
    with pytest.raises(InputError):
        listen(world, url or "file:///etc/passwd")
    assert world.operation.callback_url is None


def test_listening_with_an_old_fence_or_after_the_end_changes_nothing(world: World) -> None:
    world.begin()
    assert listen(world, fence=0).status == "superseded"
    world.research.engine.cancel(world.workspace, world.operation.id)
    assert listen(world).status == "cancelled"
    assert world.operation.callback_url is None
    with pytest.raises(NotFound):
        world.research.listen(
            ListenRequest(workspace=world.workspace, operation_id="none", fence=1, callback_url=callback())
        )


def test_a_wake_that_came_before_anybody_listened_is_answered_to_the_listener(world: World) -> None:
    world.begin()
    wake(world)
    assert listen(world).next_poll_seconds < 1
    world.poll()
    assert world.operation.wakes_seen == 1


def test_a_wake_that_comes_while_the_service_answers_is_not_taken_for_seen(world: World) -> None:
    world.begin()
    listen(world)

    run = world.operation.interaction_id
    assert run is not None
    shown = Interaction(run, "in_progress")

    def meanwhile() -> Interaction:
        wake(world)
        return shown

    world.interactions.runs[run] = meanwhile
    assert world.poll().next_poll_seconds < 1
    world.interactions.runs[run] = shown
    assert world.poll().next_poll_seconds >= 1


def test_after_a_wake_that_showed_no_end_it_looks_again_soon_and_then_less_and_less(world: World) -> None:
    world.begin()
    listen(world)
    world.clock.advance(1000)
    wake(world)
    waits = []
    for _ in range(9):
        waits.append(world.poll().next_poll_seconds)
        world.clock.advance(waits[-1])
    assert waits[0] == pytest.approx(1.0, abs=0.5) and waits[-1] == pytest.approx(120.0, abs=1)
    assert waits == sorted(waits) and sum(waits[:5]) < 40


def test_errors_of_the_service_after_a_wake_use_up_no_great_number_of_polls(world: World) -> None:
    world.begin()
    listen(world)
    world.interactions.runs[world.operation.interaction_id or ""] = InteractionError(
        "http_500", "The service answered 500", sent=True, http_status=500
    )
    wake(world)
    polls = 0
    for _ in range(100):
        answer = world.poll()
        polls += 1
        if answer.status != "running":
            break
        world.clock.advance(answer.next_poll_seconds)
    assert world.operation.status.value == "failed" and polls < 40


def test_a_service_that_refuses_the_webhook_is_asked_without_it(world: World) -> None:
    world.interactions.creates = [refused(400)]
    world.delivered(world.tag())
    answer = world.start()
    assert answer.status == "running" and not answer.early_wake
    assert ["webhook_config" in body for body in world.interactions.created] == [True, False]
    assert len(world.operation.interactions) == 1 and world.operation.error is None


def test_one_that_refuses_it_without_too_is_not_asked_again(world: World) -> None:
    world.interactions.creates = [refused(400), refused(400)]
    world.delivered(world.tag())
    assert world.start().status == "superseded"
    assert world.operation.status.value == "failed" and len(world.interactions.created) == 2
