"""What both adapters do alike, against servers in the shapes of each service."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from shared.contracts.operations import Usage
from shared.errors import InputError, MemexError, ModelOutputError, SettingsError, Transient
from shared.gateway.transport import Cut, TransportError
from shared.llm.port import Answer, Delta, Message, ModelRequest, Text, TextDelta, Thought, ThoughtDelta, UsageDelta
from tests.unit.gateway.servers import Talk, answering, streaming
from tests.unit.llm.dialects import ASK, GEMINI, OPENAI, Dialect, serving


@pytest.fixture(params=[GEMINI, OPENAI], ids=lambda dialect: dialect.name)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    found: Dialect = request.param
    return found


def said(dialect: Dialect, talk: Talk, request: ModelRequest = ASK, cut: Cut | None = None) -> list[Delta]:
    with serving(dialect, talk) as (model, _):
        return list(model.stream(request, cut or Cut()))


def answer_in(deltas: list[Delta]) -> Answer:
    assert isinstance(deltas[-1], Answer)
    return deltas[-1]


def test_an_answer_comes_in_pieces_and_then_whole(dialect: Dialect) -> None:
    pieces = [dialect.thought("hm"), *dialect.text("Hel", "lo"), *dialect.end()]
    *deltas, answer = said(dialect, streaming(*pieces))
    usage = Usage(input_tokens=7, output_tokens=5, thought_tokens=3)
    assert deltas == [ThoughtDelta("hm"), TextDelta("Hel"), TextDelta("lo"), UsageDelta(usage)]
    assert isinstance(answer, Answer) and answer.stop == "end"
    assert answer.message.parts == (Thought("hm"), Text("Hello")) and answer.usage == usage


def test_characters_that_are_split_over_the_pieces_of_the_network_stay_whole(dialect: Dialect) -> None:
    stream = b"".join([*dialect.text("Zürich 東京 🦉\u2028 ende"), *dialect.end()])
    pieces = [stream[at : at + 1] for at in range(len(stream))]
    (text, _usage, answer) = said(dialect, streaming(*pieces))
    assert text == TextDelta("Zürich 東京 🦉\u2028 ende")
    assert answer_in([answer]).message.parts == (Text("Zürich 東京 🦉\u2028 ende"),)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("403 Forbidden", SettingsError),
        ("404 Not Found", SettingsError),
        ("400 Bad Request", InputError),
        ("429 Too Many Requests", Transient),
        ("500 Internal Server Error", Transient),
        ("503 Service Unavailable", Transient),
    ],
)
def test_a_refusal_is_an_error_of_ours_that_says_why(dialect: Dialect, status: str, expected: type[MemexError]) -> None:
    body = dialect.error(int(status[:3]), "because of the moon")
    talk = answering(status, body, "Content-Type: application/json\r\nRetry-After: 17\r\n")
    with pytest.raises(expected, match="because of the moon") as refused:
        said(dialect, talk)
    if isinstance(refused.value, Transient):
        assert refused.value.retry_after_seconds == 17


def test_what_a_service_says_of_a_key_it_does_not_take_is_not_repeated(dialect: Dialect) -> None:
    with pytest.raises(SettingsError, match="API_KEY") as refused:
        said(dialect, answering("401 Unauthorized", dialect.error(401, "Incorrect key: sesame")))
    assert "sesame" not in refused.value.message


def test_a_failed_request_is_sent_once(dialect: Dialect) -> None:
    with serving(dialect, answering("503 Busy", b"")) as (model, bodies):
        with pytest.raises(Transient):
            list(model.stream(ASK, Cut()))
        assert len(bodies) == 1


@pytest.mark.parametrize("before", [(), ("some",)], ids=["before the first piece", "after some text"])
def test_a_silent_server_is_left_at_the_cut(dialect: Dialect, before: tuple[str, ...]) -> None:
    stop, cut, deltas, cut_at = threading.Event(), Cut(), list[Delta](), list[float]()

    def cuts() -> None:
        cut_at.append(time.monotonic())
        cut.cut()

    def talk(connection: socket.socket, request: bytes) -> None:
        if before:
            streaming(*dialect.text(*before))(connection, request)
        threading.Timer(0.1, cuts).start()
        stop.wait(20)

    with serving(dialect, talk) as (model, _):
        with pytest.raises(TransportError) as ended:
            for delta in model.stream(ASK, cut):
                deltas.append(delta)
        assert time.monotonic() - cut_at[0] < 10, "it would have been silent for longer"
        stop.set()
    assert ended.value.reason == "cancelled"
    assert deltas == [TextDelta(text) for text in before]


def test_a_server_that_never_answers_is_left_at_the_deadline(dialect: Dialect) -> None:
    stop = threading.Event()
    with serving(dialect, lambda _connection, _request: stop.wait(20) and None) as (model, _):
        cut = Cut()
        with pytest.raises(TransportError) as ended:
            list(model.stream(replace(ASK, deadline_seconds=0.5), cut))
        stop.set()
    assert ended.value.reason == "deadline" and cut.reason == ""


def test_a_stream_that_breaks_off_is_no_answer(dialect: Dialect) -> None:
    with pytest.raises(Transient, match="broke off"):
        said(dialect, streaming(*dialect.text("half a sen")))


def test_a_body_that_is_shorter_than_promised_is_no_answer(dialect: Dialect) -> None:
    body = b"".join(dialect.text("half"))

    def talk(connection: socket.socket, _request: bytes) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {len(body) + 500}\r\n\r\n"
        connection.sendall(head.encode() + body)

    with pytest.raises(Transient):
        said(dialect, talk)


def test_a_piece_that_is_no_json_is_no_answer(dialect: Dialect) -> None:
    with pytest.raises((Transient, ModelOutputError)):
        said(dialect, streaming(*dialect.text("a"), b'data: {"candidates": [\n\n', *dialect.end()))


def test_an_error_in_the_middle_of_the_stream_is_raised(dialect: Dialect) -> None:
    error = b"data: " + dialect.error(503, "overloaded") + b"\n\n"
    with pytest.raises(Transient, match="overloaded"):
        said(dialect, streaming(*dialect.text("a"), error))


def test_an_empty_answer_is_none(dialect: Dialect) -> None:
    with pytest.raises(ModelOutputError, match="empty"):
        said(dialect, streaming(*dialect.end()))


@pytest.mark.parametrize(
    ("end", "stop"), [(Dialect.max_tokens, "max_tokens"), (Dialect.refusal, "refused")], ids=["length", "safety"]
)
def test_why_an_answer_ended_is_told(dialect: Dialect, end: Callable[[Dialect], list[bytes]], stop: str) -> None:
    answer = answer_in(said(dialect, streaming(*dialect.text("some"), *end(dialect))))
    assert (answer.stop, answer.message.parts) == (stop, (Text("some"),))
    assert answer_in(said(dialect, streaming(*end(dialect)))).message.parts == ()


def test_a_handle_that_was_cut_before_sends_nothing(dialect: Dialect) -> None:
    cut = Cut()
    cut.cut()
    with pytest.raises(TransportError):
        list(dialect.model("http://127.0.0.1:9").stream(ASK, cut))


def test_a_server_that_is_not_there_is_transient(dialect: Dialect) -> None:
    with pytest.raises(Transient):
        list(dialect.model("http://127.0.0.1:9").stream(ASK, Cut()))


def test_who_stops_reading_gives_the_connection_back(dialect: Dialect) -> None:
    stop, gone = threading.Event(), threading.Event()

    def talk(connection: socket.socket, request: bytes) -> None:
        streaming(*dialect.text("a"))(connection, request)
        connection.settimeout(10)
        if connection.recv(1) == b"":
            gone.set()
        stop.wait(10)

    with serving(dialect, talk) as (model, _):
        stream = model.stream(ASK, Cut())
        assert next(stream) == TextDelta("a")
        stream.close()  # type: ignore[attr-defined]
        assert gone.wait(5)
        stop.set()


def test_another_providers_answer_is_told_by_its_parts(dialect: Dialect) -> None:
    foreign = Message("model", (Thought("secret"), Text("I said so")), "elsewhere/x", '{"its": "own"}')
    request = ModelRequest((Message("user", (Text("a"),)), foreign, Message("user", (Text("b"),))))
    with serving(dialect, streaming(*dialect.text("ok"), *dialect.end())) as (model, bodies):
        list(model.stream(request, Cut()))
    sent = str(bodies[0])
    assert "I said so" in sent and "secret" not in sent and "its" not in sent
