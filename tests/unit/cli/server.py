"""A scripted API on loopback: each request takes the next answer that its method and path have."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.support import loopback
from tests.support.loopback import QuietHandler


@dataclass(frozen=True)
class Answer:
    """`body` as JSON; bytes are sent as they are, as an event stream whose end is the connection's end."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Seen:
    """A request that came; `path` has its query."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Script:
    """The answers to give; the last one of a path is given again and again."""

    url: str = ""
    answers: dict[tuple[str, str], deque[Answer]] = field(default_factory=lambda: defaultdict(deque))
    seen: list[Seen] = field(default_factory=list)

    def on(self, method: str, path: str, *answers: Answer) -> None:
        self.answers[method, path].extend(answers)

    def next(self, method: str, path: str) -> Answer:
        waiting = self.answers.get((method, path))
        if not waiting:
            return Answer({"error": {"code": "not_found", "message": f"no {path}", "details": {}}}, 404)
        return waiting.popleft() if len(waiting) > 1 else waiting[0]


@contextmanager
def serving() -> Iterator[Script]:
    """A server that follows the script while inside."""
    script = Script()

    class Handler(QuietHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw_body = self.rfile.read(length)
            is_json = self.headers.get("Content-Type") == "application/json"
            body = json.loads(raw_body) if length and is_json else raw_body or None
            script.seen.append(Seen(self.command, self.path, dict(self.headers.items()), body))
            answer = script.next(self.command, urlsplit(self.path).path)
            raw = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    with loopback.serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as script.url:
        yield script


def event(seq: int, kind: str = "thought", **data: Any) -> dict[str, Any]:
    """An envelope of operation op_1."""
    at = f"2026-11-30T12:00:{seq:02}Z"
    return {"v": 1, "id": f"op_1-{seq}", "seq": seq, "type": kind, "at": at, "stream": "operations/op_1", "data": data}


def frames(*events: dict[str, Any]) -> bytes:
    """The events as an SSE body."""
    return "".join(f"id: {item['seq']}\ndata: {json.dumps(item)}\n\n" for item in events).encode()


def note(identifier: str = "n1", **fields: Any) -> dict[str, Any]:
    """A note as the API has it."""
    return {
        "id": identifier,
        "kind": "capture",
        "title": "A title",
        "body": "A body.",
        "tags": ["a"],
        "created_at": "2026-11-30T12:00:00Z",
        "updated_at": "2026-11-30T12:00:00Z",
        "source_note_id": None,
        "operation_id": None,
        "citations": [],
        "partial": False,
        **fields,
    }


def operation(status: str = "running", **fields: Any) -> dict[str, Any]:
    """An operation as the API has it."""
    return {
        "id": "op_1",
        "kind": "deep_research",
        "status": status,
        "title": "A title",
        "source_note_id": "n1",
        "result_note_id": None,
        "created_at": "2026-11-30T12:00:00Z",
        "error": None,
        "seq": 3,
        **fields,
    }
