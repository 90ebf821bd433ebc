"""The API on a port of this process, over a local Firestore and a folder of files, for several workspaces."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask, Response, request
from google.cloud.firestore_v1 import Client
from werkzeug.serving import make_server

from shared.api.dispatch import respond
from shared.bootstrap import App
from shared.config import Settings
from tests.support.loopback import serving


@contextmanager
def served(
    client: Client, files: Path, *workspaces: str, before: Callable[[str], None] = lambda _path: None
) -> Iterator[str]:
    """The address while inside; the token of a workspace is its name, and makes an owner.

    `before` is called with the path of each request, and may keep it waiting.
    """
    tokens = ";".join(f"{hashlib.sha256(name.encode()).hexdigest()}={name}" for name in workspaces)
    given = {"GOOGLE_CLOUD_PROJECT": "memex-local", "API_TOKENS": tokens, "OBJECTS_URL": files.as_uri()}
    given["WORKFLOWS_ENDPOINT"] = "127.0.0.1:1"  # nobody: what would be started stays as it was asked for
    app = App(Settings.from_env(given))
    app.__dict__["firestore"] = client  # what the cached property would connect to
    flask = Flask("api")
    rules = {"methods": ["GET", "POST", "PUT", "PATCH", "DELETE"], "provide_automatic_options": False}
    flask.add_url_rule("/<path:path>", "all", lambda path: _answer(app, path, before), **rules)  # type: ignore[arg-type]
    with serving(make_server("127.0.0.1", 0, flask, threaded=True)) as address:
        yield address


def _answer(app: App, path: str, before: Callable[[str], None]) -> Response:
    before(path)
    return respond(app, request)
