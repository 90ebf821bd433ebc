"""The webhooks API of the Gemini API over HTTP, and the page of the key that single runs' webhooks are signed with."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from infra.local.aiplatform.json_body import json_body
from infra.local.aiplatform.routing import developer
from infra.local.aiplatform.webhooks.outbox import Outbox
from infra.local.aiplatform.webhooks.registry import Registry
from infra.local.clock import Clock

KEYS_PATH = "/.well-known/jwks.json"


class WebhooksApi:
    def __init__(self, registry: Registry, outbox: Outbox, clock: Clock) -> None:
        self._registry, self._outbox, self._clock = registry, outbox, clock

    def register(self, blueprint: Blueprint) -> None:
        developer(blueprint, "/webhooks", self.create_webhook, "POST")
        developer(blueprint, "/webhooks", self.list_webhooks, "GET")
        developer(blueprint, "/webhooks/<identity>", self.get_webhook, "GET")
        developer(blueprint, "/webhooks/<identity>", self.change_webhook, "PATCH")
        developer(blueprint, "/webhooks/<identity>", self.delete_webhook, "DELETE")
        developer(blueprint, "/webhooks/<identity>:ping", self.ping_webhook, "POST")
        developer(blueprint, "/webhooks/<identity>:rotateSigningSecret", self.rotate_secret, "POST")
        blueprint.add_url_rule(KEYS_PATH, view_func=self.keys, methods=["GET"])
        blueprint.add_url_rule("/_cloud/aiplatform/webhooks", view_func=self.deliveries, methods=["GET"])

    def create_webhook(self) -> Response:
        return jsonify(self._registry.create(json_body(), self._clock.now()))

    def list_webhooks(self) -> Response:
        now = self._clock.now()
        return jsonify({"webhooks": [self._registry.shown(hook, now) for hook in self._registry.all()]})

    def get_webhook(self, identity: str) -> Response:
        return jsonify(self._registry.shown(self._registry.get(identity), self._clock.now()))

    def change_webhook(self, identity: str) -> Response:
        return jsonify(self._registry.change(identity, json_body(), self._clock.now()))

    def delete_webhook(self, identity: str) -> Response:
        self._registry.delete(identity)
        return jsonify({})

    def ping_webhook(self, identity: str) -> Response:
        self._outbox.ping(self._registry.get(identity))
        return jsonify({})

    def rotate_secret(self, identity: str) -> Response:
        return jsonify({"secret": self._registry.rotate(identity, json_body() or {}, self._clock.now())})

    def keys(self) -> Response:
        answer = jsonify(self._outbox.key.jwks())
        answer.headers["Cache-Control"] = "public, max-age=3600"
        return answer

    def deliveries(self) -> Response:
        return jsonify({"deliveries": self._outbox.deliveries()})
