"""Logs as Cloud Logging reads them: one JSON object a line on standard output, with what the thread works on.

By the documentation of Cloud Logging (structured logging, "special fields", 2026): severity, message, time, trace,
spanId. A line is text in the local cloud, where a person reads it.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone
from typing import TextIO

from shared.redaction import redacted
from shared.telemetry import context, spans

_TRACE, _SPAN = "logging.googleapis.com/trace", "logging.googleapis.com/spanId"
_MOST_CHARACTERS = 60_000
"""Of a message with its traceback: an entry ends at 256 KB."""


class JsonFormatter(logging.Formatter):
    """`project` is what the trace's name begins with."""

    def __init__(self, project: str) -> None:
        super().__init__()
        self._project = project

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, timezone.utc)
        line = {
            "severity": record.levelname,
            "message": redacted(self._message(record))[:_MOST_CHARACTERS],
            "time": moment.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            "logger": record.name,
            **context.told(),
            **self._trace(),
        }
        # Services may send half a character, which no stream can write: the line would be lost.
        return json.dumps(line, ensure_ascii=False, default=str).encode(errors="replace").decode()

    def _message(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        return f"{message}\n{self.formatException(record.exc_info)}" if record.exc_info else message

    def _trace(self) -> dict[str, str]:
        parent = spans.traceparent() or context.current().get("traceparent", "")
        if not parent:
            return {}
        _version, trace, span, _flags = parent.split("-")
        return {_TRACE: f"projects/{self._project}/traces/{trace}", _SPAN: span}


def to_json(project: str, stream: TextIO | None = None) -> None:
    """Every line from now on, of libraries too, from INFO on."""
    handler = logging.StreamHandler(stream or sys.stdout)
    handler.setFormatter(JsonFormatter(project))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for noisy in ("httpx", "httpx2", "google_genai", "werkzeug", "urllib3", "mcp"):  # one line for each request
        logging.getLogger(noisy).setLevel(logging.WARNING)
