"""Bodies as they come, and as they break off."""

from __future__ import annotations

import io

from flask import Flask

from infra.local.aiplatform.json_body import json_body


def test_a_body_that_breaks_off_is_none() -> None:
    sent = {"method": "POST", "content_type": "application/json", "input_stream": io.BytesIO(b'{"a":')}
    with Flask("t").test_request_context("/", **sent, environ_overrides={"CONTENT_LENGTH": "5000"}):  # type: ignore[arg-type]
        assert json_body() is None
