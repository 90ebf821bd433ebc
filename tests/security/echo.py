"""An upstream that says in its refusals everything that it was sent: address, headers, body."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer

from tests.support import loopback
from tests.support.loopback import QuietHandler


@dataclass
class Echo:
    """`status` is what it answers; `seen` is what it said, so that a test knows that there was something to leak."""

    url: str = ""
    status: int = 400
    seen: list[str] = field(default_factory=list)


@contextmanager
def echoing() -> Iterator[Echo]:
    """The upstream, on loopback, while inside."""
    echo = Echo()

    class Handler(QuietHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(errors="replace")
            sent = f"{self.command} {self.path} {dict(self.headers.items())} {body}"
            echo.seen.append(sent)
            refusal = {"code": echo.status, "status": "INVALID_ARGUMENT", "message": f"I was sent {sent}"}
            raw = json.dumps({"error": refusal}).encode()
            self.send_response(echo.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = answer

    with loopback.serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as echo.url:
        yield echo
