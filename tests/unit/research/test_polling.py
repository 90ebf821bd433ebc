"""poll: what the service shows becomes events, and the last look ends the operation."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest

from shared.errors import InputError, NotFound
from shared.gateway.interactions import Interaction, InteractionError
from shared.research.cadence import POLLS_PER_ATTEMPT
from shared.store.database import Database
from shared.store.writes import Write
from tests.unit.research.build import IMAGE, THOUGHT, cite, output, text
from tests.unit.research.world import MakeWorld, World, execution

A = "https://a.example/x"
SEARCH = {"type": "google_search_call", "id": "1", "arguments": {"queries": ["bees"]}}
WORDS = "Bees shiver. They eat honey."
REPORT = output(text(WORDS, cite(WORDS, "Bees shiver.", A, "On bees")))
RUN = (THOUGHT, SEARCH, REPORT)
RUN_1 = "v1_run1"


def note_of(world: World) -> Any:
    assert world.operation.result_note_id is not None
    return world.store.notes.get(world.operation.result_note_id)


def test_the_end_is_a_cited_note_linked_to_its_source(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "completed", *RUN)
    assert world.poll().status == "completed"
    operation, note = world.operation, note_of(world)
    assert (note.kind, note.source_note_id, note.operation_id) == ("research", "n1", operation.id)
    assert note.body == f"Bees shiver. [1] They eat honey.\n\n## Sources\n\n1. [On bees]({A})"
    assert (note.title, note.tags, note.partial) == ("Research: Bees", ("research-report", "hive"), False)
    assert [(c.n, c.url) for c in note.citations] == [(1, A)]
    assert operation.finished_at is not None and not operation.cancel_pending
    closing = world.events()[-1]
    assert (closing.type, closing.terminal) == ("completed", True)
    assert closing.data["result_note_id"] == note.id


def test_new_steps_become_events_while_the_run_goes_on(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "in_progress", THOUGHT, SEARCH)
    world.poll()
    world.interactions.shows(RUN_1, "in_progress", THOUGHT, SEARCH, REPORT)
    world.poll()
    world.poll()
    assert world.types()[3:] == ["thought", "search"]
    world.interactions.shows(RUN_1, "completed", *RUN)
    world.poll()
    assert world.types()[5:] == ["writing", "completed"]
    assert world.operation.attempts == 4
    assert [event.seq for event in world.events()] == list(range(1, 8))


def test_one_poll_is_at_most_one_get(world: World) -> None:
    world.begin()
    world.poll()
    assert world.interactions.asked == 1


def test_three_last_polls_at_once_are_one_report_and_one_end(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "completed", *RUN)
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda _n: world.poll().status, range(3)))
    assert answers == ["completed"] * 3
    assert world.types() == [
        "created", "execution_started", "interaction_started", "thought", "search", "writing", "completed",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("status", "deadline"),
    [
        pytest.param("in_progress", 7500.0, marks=pytest.mark.slow),
        ("queued", 300.0),
        ("idle", 300.0),
        ("pondering", 300.0),
    ],
)
def test_statuses_that_wait_wait_no_longer_than_the_deadline(
    make_world: MakeWorld, status: str, deadline: float
) -> None:
    world = make_world(research_deadline_seconds=deadline)
    world.begin()
    world.interactions.shows(RUN_1, status, THOUGHT, REPORT)
    began = world.clock.now()
    assert world.poll_until_ended() == "failed"
    took = (world.clock.now() - began).total_seconds()
    assert deadline - 1 <= took < deadline + 60
    operation = world.operation
    assert operation.error is not None and operation.error.code == "deadline"
    assert operation.attempts <= POLLS_PER_ATTEMPT
    assert world.interactions.cancelled == [RUN_1]
    note = note_of(world)
    assert (note.partial, note.title, note.tags) == (True, "Partial: Bees", ("research-partial", "hive"))


def test_an_unknown_status_is_told_once(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "pondering")
    world.poll()
    world.poll()
    assert world.types()[3:] == ["status"]
    assert world.events()[-1].data == {"status": "pondering", "known": False}


@pytest.mark.parametrize(
    ("status", "ended", "error"),
    [
        ("failed", "failed", "interaction_failed"),
        ("incomplete", "failed", "incomplete"),
        ("budget_exceeded", "failed", "budget_exceeded"),
        ("requires_action", "failed", "requires_action"),
        ("requires_continuation", "failed", "requires_continuation"),
        ("cancelled", "cancelled", "interaction_cancelled"),
    ],
)
def test_each_other_ending_ends_the_operation_and_says_why(world: World, status: str, ended: str, error: str) -> None:
    world.begin()
    world.interactions.shows(RUN_1, status, *RUN, errors=[("9", "details")])
    assert world.poll().status == ended
    operation = world.operation
    assert operation.error is not None and operation.error.code == error
    assert operation.result_note_id is not None
    partial = world.store.notes.get(operation.result_note_id)
    assert partial.partial and "research-partial" in partial.tags
    assert world.interactions.cancelled == ([RUN_1] if status.startswith("requires") else [])


def test_a_failed_run_without_text_leaves_no_note(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "failed", THOUGHT, errors=[("8", "Out of quota")])
    world.poll()
    operation = world.operation
    assert operation.result_note_id is None
    assert operation.error is not None and "Out of quota" in operation.error.message


def test_a_report_without_text_is_a_failure(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "completed", THOUGHT, output(IMAGE))
    assert world.poll().status == "failed"
    assert world.operation.error is not None and world.operation.error.code == "no_text"
    assert world.operation.result_note_id is None


def test_a_report_without_evidence_is_a_failure_and_its_text_a_partial_note(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "completed", output("A fluent text. See memex://notes/invented."))
    assert world.poll().status == "failed"
    assert world.operation.error is not None and world.operation.error.code == "no_evidence"
    assert note_of(world).partial and note_of(world).citations == ()


def test_cited_notes_are_looked_up_and_redirects_resolved(world: World) -> None:
    world.write_note("n7", title="My note", body="x")
    world.begin()
    world.interactions.shows(RUN_1, "completed", output("[a](memex://notes/n7) [b](https://g.example/redirect/1)"))
    world.poll()
    assert [(c.note_id, c.url, c.title) for c in note_of(world).citations] == [
        ("n7", None, "My note"),
        (None, "https://g.example/page/1", "b"),
    ]


def test_a_very_long_report_is_stored_whole_in_one_commit(world: World) -> None:
    world.begin()
    long = "".join(f"Sentence {n} about bees.\n\n" for n in range(60_000))
    world.interactions.shows(RUN_1, "completed", output(text(long, cite(long, "Sentence 1 about", A))))
    assert world.poll().status == "completed"
    note = note_of(world)
    assert note.parts > 0 and len(note.body) > 1_400_000
    assert "Sentence 59999 about bees." in note.body


@pytest.mark.parametrize("code", ["13"])
def test_a_hard_failure_is_tried_once_more_with_a_fresh_interaction(world: World, code: str) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "failed", *RUN, errors=[(code, "Internal")])
    assert world.poll().status == "running"
    assert world.operation.interaction_id == "v1_run2"
    assert "interaction_retried" in world.types()
    world.interactions.shows("v1_run2", "failed", errors=[(code, "Internal")])
    assert world.poll().status == "failed"
    assert len(world.interactions.created) == 2
    assert [(a.reason, a.polls) for a in world.operation.interactions] == [("first", 1), ("report_phase_failure", 1)]


def test_a_hard_failure_shown_in_a_step_counts_too(world: World) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "failed", {"type": "model_output", "error": {"code": 13, "message": "x"}})
    assert world.poll().status == "running"
    assert world.operation.interaction_id == "v1_run2"


def test_the_second_interaction_has_its_own_deadline_polls_and_steps(world: World) -> None:
    world.begin()
    world.clock.advance(7000)
    world.interactions.shows(RUN_1, "failed", *RUN, errors=[("13", "Internal")])
    world.poll()
    world.clock.advance(7000)
    world.interactions.shows("v1_run2", "completed", *RUN)
    assert world.poll().status == "completed"
    assert world.types().count("search") == 2


def test_a_crash_between_a_hard_failure_and_the_new_run_is_made_good_by_the_next_poll(world: World) -> None:
    def die() -> str:
        raise KeyboardInterrupt

    world.begin()
    world.interactions.creates = [die]
    world.interactions.shows(RUN_1, "failed", errors=[("13", "Internal")])
    with pytest.raises(KeyboardInterrupt):
        world.poll()
    world.clock.advance(100)
    assert world.poll().status == "running"
    assert world.operation.interaction_id == "v1_run3" or world.operation.interaction_id == "v1_run2"


@pytest.mark.parametrize(
    "error",
    [
        InteractionError("http_403", "x", sent=False, http_status=403),
        InteractionError("http_404", "x", sent=False, http_status=404),
        InteractionError("http_500", "x", sent=True, http_status=500),
        InteractionError("malformed", "x", sent=True),
        InteractionError("timeout", "x", sent=True),
        Interaction(RUN_1, ""),
    ],
)
def test_a_get_that_never_succeeds_ends_the_operation_in_bounded_time_with_one_create(world: World, error: Any) -> None:
    world.begin()
    world.interactions.runs[RUN_1] = error
    began = world.clock.now()
    assert world.poll_until_ended() == "failed"
    assert 600 <= (world.clock.now() - began).total_seconds() < 700
    operation = world.operation
    reason = error.reason if isinstance(error, InteractionError) else "malformed"
    assert operation.error is not None and operation.error.code == reason
    assert len(world.interactions.created) == 1
    assert world.types().count("poll_error") == 1


def test_one_good_answer_ends_a_series_of_errors(world: World) -> None:
    world.begin()
    world.interactions.runs[RUN_1] = InteractionError("http_500", "x", sent=True, http_status=500)
    world.poll()
    world.clock.advance(599)
    world.interactions.shows(RUN_1, "in_progress")
    world.poll()
    world.interactions.runs[RUN_1] = InteractionError("http_500", "x", sent=True, http_status=500)
    world.poll()
    world.clock.advance(500)
    assert world.poll().status == "running"
    assert world.types().count("poll_error") == 2


def test_an_ended_operation_answers_its_status_and_asks_nobody(world: World) -> None:
    world.begin()
    world.research.engine.cancel(world.workspace, world.operation.id)
    assert world.poll().status == "cancelled"
    assert world.interactions.asked == 0


@pytest.mark.parametrize("status", ["completed", "in_progress", "failed"])
def test_a_late_answer_does_not_undo_a_cancel(world: World, status: str) -> None:
    def cancelled_meanwhile() -> Interaction:
        world.research.engine.cancel(world.workspace, world.operation.id)
        return Interaction(RUN_1, status, RUN if status == "completed" else ())

    world.begin()
    world.interactions.runs[RUN_1] = cancelled_meanwhile
    assert world.poll().status == "cancelled"
    operation = world.operation
    assert (operation.status, operation.result_note_id, operation.attempts) == ("cancelled", None, 0)
    assert world.types()[-1] == "cancelled"


@pytest.mark.parametrize("answer", ["completed", "in_progress", "error"])
def test_a_poller_that_was_overtaken_while_it_asked_writes_nothing(world: World, answer: str) -> None:
    def overtaken_meanwhile() -> Interaction:
        world.executions.dead.add(execution(1))
        world.start(2)
        if answer == "error":
            raise InteractionError("http_500", "x", sent=True, http_status=500)
        return Interaction(RUN_1, answer, RUN)

    world.begin()
    world.interactions.runs[RUN_1] = overtaken_meanwhile
    assert world.poll().status == "superseded"
    operation = world.operation
    assert (operation.status, operation.fence, operation.attempts) == ("running", 2, 0)


def test_an_old_fence_writes_nothing(world: World) -> None:
    world.begin()
    world.edit(fence=9)
    world.interactions.shows(RUN_1, "completed", *RUN)
    assert world.poll(fence=1).status == "superseded"
    assert world.operation.status == "running"


def test_an_unknown_operation_is_not_found(world: World) -> None:
    world.begin()
    world.store.notes.delete("n1", point="test")
    from shared.contracts.research import PollRequest

    with pytest.raises(NotFound):
        world.research.poll(PollRequest(workspace=world.workspace, operation_id="op_none", fence=1))


def test_usage_is_summed_over_the_interactions(world: World) -> None:
    world.begin()
    usage = {"total_input_tokens": 100, "total_output_tokens": 10}
    world.interactions.runs[RUN_1] = Interaction(RUN_1, "failed", (), (("13", "x"),), usage)
    world.poll()
    world.interactions.runs["v1_run2"] = Interaction("v1_run2", "completed", RUN, (), usage)
    world.poll()
    assert (world.operation.usage.input_tokens, world.operation.usage.output_tokens) == (200, 20)
    assert world.operation.usage.searches == 1


def test_a_report_with_more_sources_than_fit_a_note_is_stored_with_those_that_do(world: World) -> None:
    world.begin()
    links = (f"Claim {n} [source](https://site{n}.example/{'x' * 700})." for n in range(1_800))
    world.interactions.shows("v1_run1", "completed", output("\n\n".join(links)))
    assert world.poll().status == "completed"
    note = world.store.notes.get(world.operation.result_note_id or "")
    assert 100 < len(note.citations) < 200 and f"[{len(note.citations)}]" in note.body and "Claim 1799" in note.body
    assert world.events()[-1].data["dropped_citations"] == 1_800 - len(note.citations)


def test_a_report_that_the_store_refuses_leaves_its_beginning_and_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.begin()
    world.interactions.shows(RUN_1, "completed", THOUGHT, output("See [a](https://a.example). " + "word " * 100_000))
    commit = Database.commit

    def refuse(database: Database, writes: Iterable[Write], point: str) -> datetime:
        given = list(writes)
        if point == "operation.end" and len(given) > 3:
            raise InputError("Firestore refuses the document: it is too large")
        return commit(database, given, point)

    monkeypatch.setattr(Database, "commit", refuse)
    assert world.poll().status == "failed"
    operation, note = world.operation, note_of(world)
    assert operation.error is not None and operation.error.code == "report_refused"
    assert (note.partial, note.title, note.citations) == (True, "Partial: Bees", ())
    assert note.body.startswith("See a [1]. word") and note.body.endswith("bytes cut]")
    assert note.body_bytes == len(note.body.encode()) <= 100_000
