"""http.*: what is sent, what comes back, what is raised, what is retried (google-wire 6.2, reference/stdlib/http)."""

import json
from datetime import timedelta
from typing import Any

import pytest

from infra.local.workflows.errors import TokenError
from infra.local.workflows.ports import ConnectionFailedError, HttpRequest, HttpResponse
from tests.unit.local.workflows.support import Cloud, FakeHttp, as_json

URL = "http://127.0.0.1:9/path"


def call(arguments: str, function: str = "http.post", more: str = "") -> str:
    return f"""
main:
  steps:
    - ask:
        try: {{call: {function}, args: {arguments}, result: answer}}
        {more or "retry: {predicate: '${retry.never}', max_retries: 1}"}
    - r: {{return: "${{answer}}"}}
"""


def sent(cloud: Cloud, arguments: str, function: str = "http.post") -> HttpRequest:
    cloud.run(call(arguments, function))
    request: HttpRequest = cloud.http.requests[-1]
    return request


@pytest.mark.parametrize("verb", ["get", "post", "put", "patch", "delete"])
def test_each_verb_has_its_function(cloud: Cloud, verb: str) -> None:
    assert sent(cloud, f"{{url: '{URL}'}}", f"http.{verb}").method == verb.upper()


def test_request_takes_the_method(cloud: Cloud) -> None:
    assert sent(cloud, f"{{url: '{URL}', method: patch}}", "http.request").method == "PATCH"


def test_a_query_is_added_to_the_address(cloud: Cloud) -> None:
    request = sent(cloud, f"{{url: '{URL}?a=1', query: {{b: 'x y', c: [1, 2], d: true}}}}")
    assert request.url == f"{URL}?a=1&b=x+y&c=1&c=2&d=true"


@pytest.mark.parametrize(
    ("arguments", "body", "content_type"),
    [
        ("body: {a: [1, null]}", b'{"a":[1,null]}', "application/json; charset=utf-8"),
        ("body: text", b"text", "text/plain; charset=utf-8"),
        ("body: 5", b"5", "application/json; charset=utf-8"),
        (
            "headers: {content-type: application/x-www-form-urlencoded}, body: {a: 'b c'}",
            b"a=b+c",
            "application/x-www-form-urlencoded",
        ),
        ("headers: {Content-Type: text/csv}, body: 'a,b'", b"a,b", "text/csv"),
        ("body: '${base64.decode(\"/wA=\")}'", b"\xff\x00", None),
        ("timeout: 5", b"", None),
    ],
)
def test_a_body_is_written_by_its_type(cloud: Cloud, arguments: str, body: bytes, content_type: str | None) -> None:
    request = sent(cloud, f"{{url: '{URL}', {arguments}}}")
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert (request.body, headers.get("content-type")) == (body, content_type)
    assert headers["user-agent"] == "GoogleCloudWorkflows; (+https://cloud.google.com/workflows/docs)"


@pytest.mark.parametrize(
    ("auth", "header"),
    [
        ("{type: OIDC}", f"Bearer id:runner@memex-local.iam.gserviceaccount.com:{URL}"),
        ("{type: OIDC, audience: 'https://a'}", "Bearer id:runner@memex-local.iam.gserviceaccount.com:https://a"),
        ("{type: OAuth2}", "Bearer access:runner@memex-local.iam.gserviceaccount.com"),
    ],
)
def test_auth_is_a_token_of_the_service_account(cloud: Cloud, auth: str, header: str) -> None:
    request = sent(cloud, f"{{url: '{URL}', query: {{q: 1}}, auth: {auth}}}")
    assert request.headers["Authorization"] == header


def test_the_timeout_is_five_minutes_unless_given(cloud: Cloud) -> None:
    assert sent(cloud, f"{{url: '{URL}'}}").timeout_seconds == 300
    assert sent(cloud, f"{{url: '{URL}', timeout: 1800}}").timeout_seconds == 1800


@pytest.mark.parametrize(
    ("arguments", "tag"),
    [
        ("{url: 5}", "TypeError"),
        ("{url: 'ftp://x'}", "ValueError"),
        (f"{{url: '{URL}', timeout: 1801}}", "ValueError"),
        (f"{{url: '{URL}', timeout: soon}}", "TypeError"),
        (f"{{url: '{URL}', headers: [a]}}", "TypeError"),
        (f'{{url: "{URL}", headers: {{a: "b\\r\\nc: d"}}}}', "ValueError"),
        (f"{{url: '{URL}', auth: {{type: Basic}}}}", "ValueError"),
    ],
)
def test_arguments_that_cannot_be_sent_raise(cloud: Cloud, arguments: str, tag: str) -> None:
    assert tag in cloud.error(call(arguments))["tags"]
    assert cloud.http.requests == []


@pytest.mark.parametrize(
    ("response", "body"),
    [
        (as_json({"a": 1}), {"a": 1}),
        (HttpResponse(200, {"content-type": "application/problem+json"}, b"[1]"), [1]),
        (HttpResponse(200, {"content-type": "text/html"}, "é".encode()), "é"),
        (HttpResponse(200, {"content-type": "application/json"}, b"{"), "{"),
        (HttpResponse(204, {}, b""), None),
    ],
)
def test_a_response_has_body_code_and_lower_case_headers(cloud: Cloud, response: HttpResponse, body: Any) -> None:
    cloud.http.answers = [response]
    answer = cloud.result(call(f"{{url: '{URL}'}}"))
    assert (answer["body"], answer["code"]) == (body, response.status)
    assert answer["headers"] == {name.lower(): value for name, value in response.headers.items()}


def test_an_http_error_carries_the_whole_answer(cloud: Cloud) -> None:
    cloud.http.answers = [as_json({"why": "busy"}, 429, {"Retry-After": "5"})]
    assert cloud.error(call(f"{{url: '{URL}'}}")) == {
        "message": "HTTP server responded with error code 429",
        "code": 429,
        "headers": {"content-type": "application/json", "retry-after": "5"},
        "body": {"why": "busy"},
        "tags": ["HttpError"],
    }


def test_a_response_over_2_mb_is_an_error(cloud: Cloud) -> None:
    cloud.http.answers = [HttpResponse(200, {"content-type": "text/plain"}, b"x" * (2 * 1024 * 1024 + 1))]
    assert cloud.error(call(f"{{url: '{URL}'}}"))["tags"] == ["ResourceLimitError"]


@pytest.mark.parametrize(
    ("failure", "tag"),
    [
        (ConnectionFailedError("refused"), "ConnectionFailedError"),
        (ConnectionRefusedError("refused"), "ConnectionFailedError"),
        (ConnectionResetError("reset"), "ConnectionError"),
        (TimeoutError("late"), "TimeoutError"),
        (TokenError("no such account"), "AuthError"),
    ],
)
def test_a_request_without_an_answer_has_the_documented_tag(cloud: Cloud, failure: Exception, tag: str) -> None:
    cloud.http.answers = [failure]
    assert cloud.error(call(f"{{url: '{URL}'}}"))["tags"] == [tag]


def test_a_request_that_hangs_times_out_and_its_late_answer_is_ignored(cloud: Cloud) -> None:
    def slow(_request: HttpRequest) -> HttpResponse:
        cloud.clock.sleep(600)
        return as_json("late")

    cloud.http.by = slow
    execution = cloud.run(call(f"{{url: '{URL}', timeout: 60}}"))
    assert json.loads(execution.error.payload)["tags"] == ["TimeoutError"]
    assert round((execution.end_time.ToDatetime() - execution.start_time.ToDatetime()).total_seconds()) == 60
    cloud.clock.run_until(lambda: False, limit=timedelta(hours=1))
    assert cloud.get(execution.name) == execution


OK = as_json("fine")


def status(code: int) -> HttpResponse:
    return as_json({}, code)


BOTH = "http.default_retry", "http.default_retry_non_idempotent"
RETRIED = [
    (BOTH[0], [429, 502, 503, 504], [ConnectionResetError(), ConnectionFailedError(), TimeoutError()]),
    (BOTH[1], [429, 503], [ConnectionFailedError()]),
]
NOT_RETRIED = [
    (BOTH[0], [400, 401, 403, 404, 408, 409, 500, 501], []),
    (BOTH[1], [400, 404, 500, 502, 504], [ConnectionResetError(), TimeoutError()]),
]


def cases(table: list[Any]) -> list[tuple[str, Any]]:
    return [(policy, one) for policy, codes, failures in table for one in [*map(status, codes), *failures]]


@pytest.mark.parametrize(("policy", "first"), cases(RETRIED))
def test_a_default_policy_retries(cloud: Cloud, policy: str, first: Any) -> None:
    cloud.http.answers = [first, OK]
    assert cloud.result(call(f"{{url: '{URL}'}}", more=f"retry: ${{{policy}}}"))["body"] == "fine"
    assert len(cloud.http.requests) == 2


@pytest.mark.parametrize(("policy", "first"), cases(NOT_RETRIED))
def test_a_default_policy_does_not_retry(cloud: Cloud, policy: str, first: Any) -> None:
    cloud.http.answers = [first, OK]
    cloud.error(call(f"{{url: '{URL}'}}", more=f"retry: ${{{policy}}}"))
    assert len(cloud.http.requests) == 1


def test_a_default_policy_gives_up_after_five_retries_of_growing_delays(cloud: Cloud) -> None:
    cloud.http.answers = [status(503)]
    execution = cloud.run(call(f"{{url: '{URL}'}}", more="retry: ${http.default_retry}"))
    assert json.loads(execution.error.payload)["code"] == 503
    assert len(cloud.http.requests) == 6
    seconds = (execution.end_time.ToDatetime() - execution.start_time.ToDatetime()).total_seconds()
    assert seconds == pytest.approx(1 + 1.25 + 1.25**2 + 1.25**3 + 1.25**4, abs=0.01)


def test_a_custom_policy_asks_its_subworkflow_and_reruns_the_whole_block(cloud: Cloud) -> None:
    cloud.http.answers = [status(500), status(500), status(418)]
    source = f"""
main:
  steps:
    - begin: {{assign: [{{tries: 0}}]}}
    - guarded:
        try:
          steps:
            - count: {{assign: [{{tries: "${{tries + 1}}"}}]}}
            - ask: {{call: http.get, args: {{url: "{URL}"}}}}
        retry:
          predicate: ${{on_500}}
          max_retries: 9
          backoff: {{initial_delay: 2, max_delay: 3, multiplier: 2}}
        except:
          as: e
          steps: [{{r: {{return: ["${{e.code}}", "${{tries}}"]}}}}]
on_500:
  params: [e]
  steps:
    - only_http: {{switch: [{{condition: '${{not("HttpError" in e.tags)}}', return: false}}]}}
    - r: {{return: "${{e.code == 500}}"}}
"""
    execution = cloud.run(source)
    assert json.loads(execution.result) == [418, 3]
    seconds = (execution.end_time.ToDatetime() - execution.start_time.ToDatetime()).total_seconds()
    assert seconds == pytest.approx(5, abs=0.01)


def test_a_predicate_may_be_modified_with_own_numbers(cloud: Cloud) -> None:
    cloud.http.answers = [status(503)]
    policy = (
        "retry: {predicate: '${http.default_retry_predicate}', max_retries: '${1 + 1}', backoff: {initial_delay: 0}}"
    )
    cloud.error(call(f"{{url: '{URL}'}}", more=policy))
    assert len(cloud.http.requests) == 3


@pytest.mark.parametrize(
    ("predicate", "error"), [("return: 1", "TypeError"), ("raise: {tags: [Mine]}", "Mine"), ("next: end", "TypeError")]
)
def test_a_predicate_that_fails_replaces_the_error(cloud: Cloud, predicate: str, error: str) -> None:
    cloud.http.answers = [status(503)]
    source = call(f"{{url: '{URL}'}}", more="retry: {predicate: '${mine}', max_retries: 1}")
    assert error in cloud.error(f"{source}\nmine: {{params: [e], steps: [{{s: {{{predicate}}}}}]}}\n")["tags"]


def test_internal_and_external_calls_are_metered_apart(cloud: Cloud) -> None:
    source = f"""
main:
  steps:
    - a: {{call: http.get, args: {{url: "{URL}"}}}}
    - b: {{call: http.get, args: {{url: "https://x-uc.a.run.app/"}}}}
    - c: {{call: http.get, args: {{url: "https://example.com/"}}}}
    - d: {{return: 1}}
"""
    cloud.result(source)
    totals = cloud.meter.totals()
    assert (totals["workflows", "internal_steps"], totals["workflows", "external_steps"]) == (3, 1)


def test_each_variable_that_is_assigned_is_a_billed_step(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - a: {assign: [{x: 1}, {y: 2}, {z: 3}]}
    - b: {return: "${x + y + z}"}
"""
    assert cloud.result(source) == 6
    assert cloud.meter.totals()["workflows", "internal_steps"] == 4


def test_the_fake_answers_in_order() -> None:
    http = FakeHttp([as_json(1), as_json(2)])
    request = HttpRequest("GET", URL, {}, b"", 1)
    assert [http(request).body for _ in range(3)] == [b"1", b"2", b"2"]
