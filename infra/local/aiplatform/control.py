"""What tests in other processes ask of the platform: scripts, calls, redirects; under /_cloud/aiplatform."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, Response, jsonify

from infra.local.aiplatform.calls import CallLog
from infra.local.aiplatform.errors import invalid
from infra.local.aiplatform.generating import Pace
from infra.local.aiplatform.json_body import json_body
from infra.local.aiplatform.model_queue import ModelQueue
from infra.local.aiplatform.model_script import ModelScript
from infra.local.aiplatform.redirects import Redirects
from infra.local.aiplatform.script import MAX_SECONDS, Script
from infra.local.aiplatform.script_queue import ScriptQueue


@dataclass(frozen=True)
class Control:
    scripts: ScriptQueue
    model_scripts: ModelQueue
    calls: CallLog
    redirects: Redirects
    pace: Pace
    open_gate: Callable[[str], None]

    def register(self, blueprint: Blueprint) -> None:
        base = "/_cloud/aiplatform"
        blueprint.add_url_rule(f"{base}/scripts", view_func=self.add_script, methods=["POST"])
        blueprint.add_url_rule(f"{base}/scripts", view_func=self.list_unused, methods=["GET"])
        blueprint.add_url_rule(f"{base}/model-scripts", view_func=self.add_model_script, methods=["POST"])
        for path, queue in (("scripts", self.scripts), ("model-scripts", self.model_scripts)):
            clear = partial(_cleared, queue)
            blueprint.add_url_rule(f"{base}/{path}", f"clear-{path}", view_func=clear, methods=["DELETE"])
        blueprint.add_url_rule(f"{base}/pace", view_func=self.set_pace, methods=["POST"])
        blueprint.add_url_rule(f"{base}/gates", view_func=self.go_on, methods=["POST"])
        blueprint.add_url_rule(f"{base}/calls", view_func=self.list_calls, methods=["GET"])
        blueprint.add_url_rule(f"{base}/redirects", view_func=self.add_redirect, methods=["POST"])

    def add_script(self) -> Response:
        self.scripts.add(Script.from_data(json_body()))
        return self.list_unused()

    def list_unused(self) -> Response:
        return jsonify({"unused": [*self.scripts.unused(), *self.model_scripts.unused()]})

    def add_model_script(self) -> Response:
        self.model_scripts.add(ModelScript.from_data(json_body()))
        return self.list_unused()

    def set_pace(self) -> Response:
        body = json_body()
        self.pace.seconds = _seconds(body.get("seconds") if isinstance(body, dict) else None, "seconds")
        return jsonify({"seconds": self.pace.seconds})

    def go_on(self) -> Response:
        body = json_body()
        name = body.get("name") if isinstance(body, dict) else None
        if not isinstance(name, str):
            raise invalid("A gate is opened by {name}.", "name")
        self.open_gate(name)
        return jsonify({"open": name})

    def list_calls(self) -> Response:
        return jsonify(self.calls.summary())

    def add_redirect(self) -> Response:
        body = json_body()
        if not isinstance(body, dict) or not isinstance(body.get("token"), str):
            raise invalid("A redirect is {token, location, delay_seconds}.", "token")
        location = body.get("location")
        if location is not None and not (isinstance(location, str) and location.isprintable()):
            raise invalid("location is an address, or null for none.", "location")
        self.redirects.add(body["token"], location, _seconds(body.get("delay_seconds", 0), "delay_seconds"))
        return jsonify({})


def _cleared(queue: ScriptQueue | ModelQueue) -> Response:
    return jsonify({"cleared": queue.clear()})


def _seconds(value: Any, name: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= MAX_SECONDS:
        raise invalid(f"{name} is a number from 0 to {MAX_SECONDS:g}.", name)
    return float(value)
