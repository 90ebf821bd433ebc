"""What tests script: statuses, failures, lost answers, broken streams, redirects."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from infra.local.aiplatform.errors import ApiError
from infra.local.aiplatform.script import HttpFailure, Script
from tests.unit.local.aiplatform.platform_server import Platform, report_text, request_body

STATUSES = [
    "in_progress",
    "queued",
    "idle",
    "requires_action",
    "requires_continuation",
    "completed",
    "failed",
    "cancelled",
    "incomplete",
    "budget_exceeded",
    "gone_fishing",
]


@pytest.mark.parametrize("status", STATUSES)
def test_a_run_can_be_in_any_status(platform: Platform, status: str) -> None:
    platform.part.script_interaction(Script(statuses=((0, status),)))
    identity = platform.begin()
    assert platform.get(identity)["status"] == status
    assert platform.part.unused_scripts() == []


def test_statuses_follow_each_other_in_time(platform: Platform) -> None:
    platform.part.script_interaction(Script(statuses=((0, "queued"), (0.05, "in_progress"), (0.1, "incomplete"))))
    stream = platform.replay(platform.begin())
    updates = [event["status"] for event in stream if event["event_type"] == "interaction.status_update"]
    assert updates == ["queued", "in_progress", "incomplete"]


def test_explicit_steps_are_shown_as_they_are(platform: Platform) -> None:
    steps = (
        {"type": "never_heard_of", "content": [1, 2]},
        {"type": "model_output", "content": [{"type": "text", "text": "see {base}/x"}]},
    )
    platform.part.script_interaction(Script(steps=steps, run_seconds=0.05))
    done = platform.finished(platform.begin())
    assert done["steps"][1] == steps[0]
    assert report_text(done) == f"see {platform.base}/x"


def test_an_empty_report_is_possible(platform: Platform) -> None:
    platform.part.script_interaction(Script(steps=(), run_seconds=0.05))
    done = platform.finished(platform.begin())
    assert (done["status"], report_text(done)) == ("completed", "")


@pytest.mark.parametrize("status", [403, 404, 429, 500, 503])
def test_gets_fail_as_often_as_scripted(platform: Platform, status: int) -> None:
    failure = HttpFailure(status, times=2, retry_after=7)
    platform.part.script_interaction(Script(name="s", get_failures=(failure,)))
    identity = platform.begin()
    answers = [platform.http.get(f"/v1/interactions/{identity}") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [status] * 2
    assert answers[0].headers["Retry-After"] == "7"
    assert answers[0].json()["error"]["code"] == status
    assert platform.get(identity)["id"] == identity
    assert platform.part.unused_scripts() == []


def test_a_get_can_fail_for_ever(platform: Platform) -> None:
    platform.part.script_interaction(Script(get_failures=(HttpFailure(404, times=None),)))
    identity = platform.begin()
    assert {platform.http.get(f"/v1/interactions/{identity}").status_code for _ in range(5)} == {404}
    assert platform.part.unused_scripts() == []


def test_a_create_that_fails_starts_nothing_and_the_next_one_does(platform: Platform) -> None:
    platform.part.script_interaction(Script(create_failures=(HttpFailure(500), HttpFailure(429))))
    codes = [platform.http.post("/v1/interactions", json=request_body()).status_code for _ in range(3)]
    assert codes == [500, 429, 200]
    assert platform.part.calls.count("create") == 3
    assert len(platform.part.calls.created()) == 1


def test_a_create_whose_answer_is_lost_was_accepted_all_the_same(platform: Platform) -> None:
    platform.part.script_interaction(Script(create_answer="lost"))
    with pytest.raises(httpx.TransportError):
        platform.http.post("/v1/interactions", json=request_body())
    assert len(platform.part.calls.created()) == 1
    assert platform.finished(platform.part.calls.created()[0])["status"] == "completed"


def test_a_create_can_hang(platform: Platform) -> None:
    platform.part.script_interaction(Script(create_answer="hang"))
    with pytest.raises(httpx.ReadTimeout):
        platform.http.post("/v1/interactions", json=request_body(), timeout=0.2)
    assert len(platform.part.calls.created()) == 1


def test_a_stream_request_can_be_answered_with_plain_json(platform: Platform) -> None:
    platform.part.script_interaction(Script(create_answer="plain_json"))
    answer = platform.http.post("/v1/interactions", json=request_body())
    assert answer.json()["id"] == platform.part.calls.created()[0]


def test_malformed_frames_come_where_they_were_scripted(platform: Platform) -> None:
    broken = "event: step.delta\ndata: {not json\n\n"
    platform.part.script_interaction(Script(raw_frames=((0, broken), (2, "data:\n\n"))))
    with platform.http.stream("POST", "/v1/interactions", json=request_body()) as answer:
        text = answer.read().decode()
    assert text.startswith(broken + "event: interaction.created")
    assert "data:\n\nevent: step.start" in text


def test_a_stream_can_be_dropped_early(platform: Platform) -> None:
    platform.part.script_interaction(Script(stream_seconds=0.1, run_seconds=3600))
    stream = platform.replay(platform.begin())
    assert stream
    assert stream[-1]["event_type"] != "interaction.completed"


def test_cancel_can_fail(platform: Platform) -> None:
    platform.part.script_interaction(Script(run_seconds=3600, cancel_failures=(HttpFailure(500),)))
    identity = platform.begin()
    codes = [platform.http.post(f"/v1/interactions/{identity}/cancel").status_code for _ in range(2)]
    assert codes == [500, 200]
    assert platform.part.calls.cancelled() == [identity]


def test_scripts_that_nobody_used_are_told(platform: Platform) -> None:
    platform.part.script_interaction(Script(name="first", get_failures=(HttpFailure(500, times=3),)))
    platform.part.script_interaction(Script(name="second"))
    platform.begin()
    assert platform.part.unused_scripts() == ["first: 3 of its get_failures not answered", "second: no create took it"]


def test_scripts_that_wait_are_forgotten_and_those_of_runs_are_not(platform: Platform) -> None:
    address = "/_cloud/aiplatform/scripts"
    script = {"statuses": [[0, "queued"]], "get_failures": [{"status": 403}], "steps": []}
    platform.http.post(address, json=script)
    identity = platform.begin()
    platform.http.post(address, json=script)
    assert platform.http.delete(address).json() == {"cleared": 1}
    assert platform.http.get(f"/v1/interactions/{identity}").status_code == 403
    assert platform.http.get(address).json() == {"unused": []}


def test_scripts_calls_and_redirects_go_over_http_too(platform: Platform) -> None:
    script = {"statuses": [[0, "queued"]], "get_failures": [{"status": 403}], "steps": []}
    assert platform.http.post("/_cloud/aiplatform/scripts", json=script).status_code == 200
    identity = platform.begin()
    assert platform.http.get(f"/v1/interactions/{identity}").status_code == 403
    summary = platform.http.get("/_cloud/aiplatform/calls").json()
    assert (summary["creates"], summary["accepted"]) == (1, [identity])
    assert [call["verb"] for call in summary["calls"]] == ["create", "get"]
    assert summary["calls"][0]["body"]["agent"] == request_body()["agent"]
    assert platform.http.get("/_cloud/aiplatform/scripts").json() == {"unused": []}


@pytest.mark.parametrize(
    "script",
    [[], {"colour": 1}, {"create_answer": "maybe"}, {"get_failures": [{"stat": 1}]}, {"statuses": [["soon", "x"]]}],
)
def test_what_is_not_a_script_is_refused(platform: Platform, script: Any) -> None:
    assert platform.http.post("/_cloud/aiplatform/scripts", json=script).status_code == 400
    assert platform.part.unused_scripts() == []


def test_redirect_links_lead_where_they_were_told_to(platform: Platform) -> None:
    path = "/grounding-api-redirect/tok"
    assert httpx.get(platform.base + path).status_code == 404
    body = {"token": "tok", "location": "https://example.org/a?b=c"}
    assert platform.http.post("/_cloud/aiplatform/redirects", json=body).status_code == 200
    for method in ("GET", "HEAD"):
        answer = httpx.request(method, platform.base + path)
        assert (answer.status_code, answer.headers["location"]) == (302, "https://example.org/a?b=c")


def test_a_redirect_can_be_slower_than_its_reader_waits(platform: Platform) -> None:
    platform.part.add_redirect("slow", "https://example.org/", delay_seconds=60)
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{platform.base}/grounding-api-redirect/slow", timeout=0.2)


FAILURE = {"status": 500}
STEP = {"type": "model_output", "content": [{"type": "text", "text": "x"}]}
MALFORMED = [
    {"name": 5},
    {"run_seconds": "abc"},
    {"run_seconds": -1},
    {"run_seconds": 1e300},
    {"stream_seconds": True},
    {"statuses": "abc"},
    {"statuses": [[0]]},
    {"statuses": [["0", "queued"]]},
    {"statuses": [[0, 5]]},
    {"statuses": [[1e300, "queued"]]},
    *[
        {kind: [FAILURE | wrong]}
        for kind in ("create_failures", "get_failures", "cancel_failures")
        for wrong in (
            {"times": "x"},
            {"times": 1.5},
            {"times": 0},
            {"status": "abc"},
            {"status": 200},
            {"status": 99999},
            {"retry_after": "soon"},
            {"retry_after": 1e300},
            {"message": 5},
        )
    ],
    {"create_failures": 5},
    {"create_failures": [5]},
    {"errors": [{"code": 13}]},
    {"errors": {"code": "13"}},
    {"raw_frames": [["first", "x"]]},
    {"raw_frames": [[-1, "x"]]},
    {"steps": 5},
    {"steps": [5]},
    {"steps": [STEP | {"content": 5}]},
    {"steps": [STEP | {"content": [5]}]},
    {"steps": [STEP | {"content": [{"type": "text", "text": 5}]}]},
    {"steps": [{"type": "thought", "summary": "x"}]},
    {"steps": [{"type": "google_search_call"}]},
]


@pytest.mark.slow
@pytest.mark.parametrize("script", MALFORMED, ids=repr)
def test_a_script_that_could_not_be_followed_is_refused_and_spoils_nothing(platform: Platform, script: Any) -> None:
    answer = platform.http.post("/_cloud/aiplatform/scripts", json=script)
    assert answer.status_code == 400
    assert next(iter(script)) in answer.json()["error"]["message"]
    assert platform.part.unused_scripts() == []
    assert platform.http.post("/v1/interactions", json=request_body()).status_code == 200


@pytest.mark.parametrize(
    "raw", [b'{"name": "\\ud800"}', b'{"name": "\xff"}', b'{"steps": [{"a": NaN}]}', b"[" * 100_000, b"{", b"9" * 5000]
)
@pytest.mark.parametrize("path", ["/_cloud/aiplatform/scripts", "/_cloud/aiplatform/redirects", "/v1/interactions"])
def test_what_is_not_json_to_google_is_400(platform: Platform, path: str, raw: bytes) -> None:
    answer = platform.http.post(path, content=raw, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


def test_a_script_made_in_this_process_is_checked_too(platform: Platform) -> None:
    with pytest.raises(ApiError, match="get_failures"):
        platform.part.script_interaction(Script(get_failures=(HttpFailure(200),)))
    assert platform.part.unused_scripts() == []


@pytest.mark.parametrize(
    "wrong",
    [
        *[{"delay_seconds": value} for value in ("x", -1, 1e300, True, None, [])],
        *[{"location": value} for value in (5, "https://a.example/\nX: y", {})],
        {"token": 5},
    ],
    ids=repr,
)
def test_a_redirect_that_could_not_be_followed_is_refused(platform: Platform, wrong: dict[str, Any]) -> None:
    body = {"token": "tok", "location": "https://example.org/"} | wrong
    assert platform.http.post("/_cloud/aiplatform/redirects", json=body).status_code == 400
    assert httpx.get(f"{platform.base}/grounding-api-redirect/tok").status_code == 404
