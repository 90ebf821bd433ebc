"""The API as a Flask test client, without functions-framework and without a port."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Flask, Response, request
from flask.testing import FlaskClient

from shared.api.dispatch import respond
from shared.bootstrap import App
from shared.clock import Clock
from shared.config import Settings

TOKEN = "test-token"
AUTH = {"Authorization": f"Bearer {TOKEN}"}


def settings(workspace: str = "demo", **env: str) -> Settings:
    """Settings under which TOKEN opens `workspace`."""
    tokens = f"{hashlib.sha256(TOKEN.encode()).hexdigest()}={workspace}"
    return Settings.from_env({"GOOGLE_CLOUD_PROJECT": "memex-local", "API_TOKENS": tokens, **env})


def api_client(app: App) -> FlaskClient:
    """A client of the API of this App."""
    flask = Flask("api")

    def everything(path: str) -> Response:
        return respond(app, request)

    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    rules: dict[str, Any] = {"methods": methods, "provide_automatic_options": False}
    flask.add_url_rule("/", "root", everything, defaults={"path": ""}, **rules)
    flask.add_url_rule("/<path:path>", "all", everything, merge_slashes=False, **rules)
    return flask.test_client()


def make_app(clock: Clock, workspace: str = "demo", **env: str) -> App:
    return App(settings(workspace, **env), clock=clock)
