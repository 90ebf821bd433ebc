"""What earlier results do to the calls that come after them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from shared.contracts.chat import ModelAnswer
from shared.contracts.operations import Usage
from shared.llm.port import Answer, Call, Message
from shared.loop.journal import Journal, stored_answer
from shared.loop.seat import Place
from shared.loop.strangers import bounds_of
from shared.tools.tool import Job

FOUND = {"results": [{"url": "https://found.example/a?b=1&c=2"}]}


def job(**fields: Any) -> Job:
    nothing = cast(Any, None)
    return Job(nothing, nothing, nothing, "chat_sessions/s", "k", nothing, **fields)


def answer(n: int, *calls: Call) -> ModelAnswer:
    return stored_answer(Answer(Message("model", calls), Usage()), n)


def journal(tool: str, result: dict[str, Any], *, ok: bool = True, text: str = "x", **arguments: Any) -> Journal:
    """One answer with one call, and its result."""
    data = {"tool": tool, "ok": ok, "result": result}
    return Journal(text, [answer(1, Call("c1", tool, arguments))], {Place(1, 0): data})


def test_without_results_a_job_is_as_it_was() -> None:
    plain = job()
    assert bounds_of(Journal("x"), 1)(plain) is plain
    assert plain.is_given("https://anything.example/")


def test_results_of_the_same_answer_do_not_count() -> None:
    plain = job()
    assert bounds_of(journal("web_search", FOUND), 1)(plain) is plain
    assert bounds_of(journal("web_search", FOUND), 2)(plain).web_read


@pytest.mark.parametrize("tool", ["web_search", "fetch_url"])
@pytest.mark.parametrize(
    ("code", "read"),
    [("unreadable", True), ("address_refused", True), ("not_run", False), ("no_search_provider", False)],
)
def test_a_failure_counts_unless_nothing_can_have_been_read(tool: str, code: str, read: bool) -> None:
    failed = journal(tool, {"error": {"code": code, "message": "words of a page"}}, ok=False)
    assert bounds_of(failed, 2)(job()).web_read is read


def test_other_tools_read_no_web_but_bound_what_is_read_of_it() -> None:
    bound = bounds_of(journal("search_notes", {"notes": [{"passage": "see www.notes.example/x"}]}), 2)(job())
    assert not bound.web_read
    assert bound.is_given("https://www.notes.example/x") and not bound.is_given("https://notes.example/x")
    assert not bound.is_given("https://www.notes.example/x?d=1")


@pytest.mark.parametrize("text", ["Read https://asked.example/?a=1&b=2", "Read https://asked.example/?a=1&amp;b=2"])
def test_what_was_asked_for_names_addresses(text: str) -> None:
    bound = bounds_of(journal("list_tasks", {}, text=text), 2)(job())
    assert bound.is_given("https://asked.example/?a=1&b=2") and not bound.is_given("https://asked.example/?a=1&b=23")


def test_a_job_that_comes_with_bounds_keeps_them() -> None:
    bounded = job(web_read=True, is_given=lambda url: url == "https://source.example/")
    bound = bounds_of(journal("search_notes", FOUND), 2)(bounded)
    assert bound.web_read
    assert bound.is_given("https://source.example/") and bound.is_given("https://found.example/a?b=1&c=2")
    assert not bound.is_given("https://other.example/")


def test_what_the_model_wrote_before_is_not_named_by_what_repeats_it() -> None:
    url = "https://evil.example/?d=1"
    assert not bounds_of(journal("t", {"said": url}, note=url), 2)(job()).is_given(url)
    found = journal("web_search", {"results": [{"url": url}]}, query="x")
    found.answers.append(answer(2, Call("c2", "fetch_url", {"url": url})))
    found.results[Place(2, 0)] = {"tool": "fetch_url", "ok": False, "result": {"error": {"code": "unreadable"}}}
    assert bounds_of(found, 3)(job()).is_given(url), "it was found before the model wrote it"
