"""What tests in other processes ask of the platform: scripts, calls, redirects; under /_cloud/aiplatform."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, jsonify, request

from infra.local.aiplatform.calls import CallLog
from infra.local.aiplatform.errors import invalid
from infra.local.aiplatform.redirects import Redirects
from infra.local.aiplatform.script import Script
from infra.local.aiplatform.script_queue import ScriptQueue


@dataclass(frozen=True)
class Control:
    scripts: ScriptQueue
    calls: CallLog
    redirects: Redirects

    def register(self, blueprint: Blueprint) -> None:
        base = "/_cloud/aiplatform"
        blueprint.add_url_rule(f"{base}/scripts", view_func=self.add_script, methods=["POST"])
        blueprint.add_url_rule(f"{base}/scripts", view_func=self.list_unused, methods=["GET"])
        blueprint.add_url_rule(f"{base}/calls", view_func=self.list_calls, methods=["GET"])
        blueprint.add_url_rule(f"{base}/redirects", view_func=self.add_redirect, methods=["POST"])

    def add_script(self) -> Response:
        self.scripts.add(Script.from_data(request.get_json(silent=True)))
        return self.list_unused()

    def list_unused(self) -> Response:
        return jsonify({"unused": self.scripts.unused()})

    def list_calls(self) -> Response:
        return jsonify(self.calls.summary())

    def add_redirect(self) -> Response:
        body = request.get_json(silent=True)
        if not isinstance(body, dict) or not isinstance(body.get("token"), str):
            raise invalid("A redirect is {token, location, delay_seconds}.", "token")
        self.redirects.add(body["token"], body.get("location"), float(body.get("delay_seconds", 0)))
        return jsonify({})
