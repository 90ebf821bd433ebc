"""Builds one functions-framework application per row of the manifest, several of them in one process."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.contracts.manifest import FirestoreTrigger, FunctionRow, Manifest, PubSubTrigger

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_framework = threading.Lock()
_WRITTEN_BY_FRAMEWORK = ("FUNCTION_TARGET", "FUNCTION_SIGNATURE_TYPE")


class BuildFailed(Exception):
    """A function that could not be loaded; the message names it and says why."""


def read_manifest(root: Path) -> Manifest:
    """The manifest of the project at `root`. Raises OSError and pydantic's ValidationError."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (root / "functions" / "manifest.yaml").read_text(encoding="utf-8")
    return Manifest.model_validate(yaml.load(text, Loader=loader))


def build(root: Path, row: FunctionRow) -> WSGIApplication:
    """The application of functions/{entry_point}/main.py. Raises BuildFailed."""
    source = root / "functions" / row.entry_point / "main.py"
    if not source.is_file():
        raise BuildFailed(f"The function {row.name} cannot be loaded: {source} is missing.")
    with _framework, _framework_leaves_no_trace(row.entry_point):
        return _created(row, source)


def _created(row: FunctionRow, source: Path) -> WSGIApplication:
    import flask
    import functions_framework

    create_app: Any = functions_framework.create_app

    signature = "cloudevent" if isinstance(row.trigger, FirestoreTrigger | PubSubTrigger) else "http"
    try:
        app: Any = create_app(target=row.entry_point, source=str(source), signature_type=signature)
    except Exception as error:  # whatever a function's own module raises when it is imported
        raise BuildFailed(f"The function {row.name} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(app, flask.Flask):
        raise BuildFailed(f"The function {row.name} is an ASGI application; the local host serves WSGI only.")
    return app


@contextmanager
def _framework_leaves_no_trace(entry_point: str) -> Iterator[None]:
    """The framework writes two variables, and every source into sys.modules as `main`: undo one, rename the other."""
    variables = {name: os.environ.get(name) for name in _WRITTEN_BY_FRAMEWORK}
    main = sys.modules.pop("main", None)
    try:
        yield
    finally:
        for name, value in variables.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        module = sys.modules.pop("main", None)
        if module is not None:
            module.__name__ = f"functions.{entry_point}.main"
            sys.modules[module.__name__] = module
        if main is not None:
            sys.modules["main"] = main
