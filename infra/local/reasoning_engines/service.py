"""The sessions of reasoning engines as one part: a blueprint for the HTTP front."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, g, jsonify, request

from infra.local.aiplatform.errors import ApiError
from infra.local.aiplatform.json_body import json_body
from infra.local.aiplatform.routing import install_converter
from infra.local.clock import Clock
from infra.local.reasoning_engines import checks, lists
from infra.local.reasoning_engines.store import Operation, Session, SessionsStore, sortable, stamp

_ENGINE = "/<ai_version:version>/projects/<project>/locations/<location>/reasoningEngines/<engine>"
_TYPES = "type.googleapis.com/google.cloud.aiplatform"
OPERATION_SECONDS = 0.2


class ReasoningEnginesPart:
    """Sessions under any engine of any project; state in `data_dir`/reasoning_engines.sqlite.

    `operation_seconds` is how long a create or a delete takes to be done: until then a get does not find what is
    created. An engine is there as soon as it is named.
    """

    def __init__(self, data_dir: Path, clock: Clock, operation_seconds: float = OPERATION_SECONDS) -> None:
        self._store, self._clock = SessionsStore(data_dir / "reasoning_engines.sqlite"), clock
        self.operation_seconds = operation_seconds

    def close(self) -> None:
        """Idempotent."""
        self._store.close()

    def wipe(self) -> int:
        """Forget all sessions; how many there were."""
        return self._store.wipe()

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("reasoning_engines", __name__)
        install_converter(blueprint)
        one = "/sessions/<session>"
        for path, method, view in (
            ("/sessions", "POST", self.create),
            ("/sessions", "GET", self.list_sessions),
            (one, "GET", self.get),
            (one, "PATCH", self.patch),
            (one, "DELETE", self.delete),
            (f"{one}:appendEvent", "POST", self.append_event),
            (f"{one}/events", "GET", self.list_events),
            (f"{one}/operations/<operation>", "GET", self.get_operation),
            (f"{one}:<verb>", "POST", self.refuse),
            ("", "GET", self.refuse),
            ("", "PATCH", self.refuse),
            ("", "DELETE", self.refuse),
        ):
            endpoint = f"{view.__name__}-{method}-{path.replace('.', '-')}"
            blueprint.add_url_rule(_ENGINE + path, endpoint, _guarded(view), methods=[method])
        blueprint.register_error_handler(ApiError, ApiError.response)
        return blueprint

    def create(self) -> Response:
        name = checks.query(request.args, ("sessionId",)).get("sessionId")
        body, now = checks.new_session(json_body()), self._clock.now()
        ready = now + timedelta(seconds=self.operation_seconds)
        session = Session(
            engine=g.engine,
            id=checks.session_id(name) if name is not None else f"s{int(now.timestamp() * 1e6)}",
            user_id=body["userId"],
            display_name=body.get("displayName", ""),
            state=body.get("sessionState", {}),
            labels=body.get("labels", {}),
            created=now,
            updated=now,
            expires=checks.expiry(body, now),
            ready=ready,
        )
        operation = self._store.add(session, now)
        if operation is None:
            raise ApiError(409, f"Session already exists: {session.name}", status="ALREADY_EXISTS")
        return self._shown(operation, session.name, None)

    def get(self, session: str) -> Response:
        checks.query(request.args, ())
        return jsonify(self._found(session).resource())

    def list_sessions(self) -> Response:
        query = checks.query(request.args, ("filter", "orderBy", "pageSize", "pageToken"))
        now, lets = self._clock.now(), lists.of_sessions(query.get("filter", ""))
        found = [one for one in self._store.of_engine(g.engine) if one.shown(now) and lets(one)]
        items, token = lists.page(lists.ordered(found, query.get("orderBy", "")), query, lambda one: one.id)
        return _page("sessions", [one.resource() for one in items], token)

    def patch(self, session: str) -> Response:
        mask = checks.query(request.args, ("updateMask",)).get("updateMask")
        found = self._found(session)
        changes = checks.patch(found.name, json_body(), mask)
        columns = {"displayName": "display_name", "labels": "labels"}
        self._store.change(found, {columns[name]: value for name, value in changes.items()}, self._clock.now())
        return jsonify(self._found(session).resource())

    def delete(self, session: str) -> Response:
        checks.query(request.args, ())
        found, now = self._found(session), self._clock.now()
        gone = found.gone or now + timedelta(seconds=self.operation_seconds)
        return self._shown(self._store.remove(found, now, gone), found.name, None)

    def append_event(self, session: str) -> Response:
        checks.query(request.args, ())
        found, body = self._found(session), checks.event(json_body())
        self._store.append(found, body, checks.moment(body["timestamp"], "event.timestamp"), self._clock.now())
        return jsonify({})

    def list_events(self, session: str) -> Response:
        query = checks.query(request.args, ("filter", "orderBy", "pageSize", "pageToken"))
        found, lets = self._found(session), lists.of_events(query.get("filter", ""))
        events = [
            {**body, "name": f"{found.name}/events/{n}", "timestamp": stamp(at)}
            for n, at, body in self._store.events(found)
            if lets(sortable(at))
        ]
        items, token = lists.page(events, query, lambda one: str(one["name"]))
        return _page("sessionEvents", list(items), token)

    def get_operation(self, session: str, operation: str) -> Response:
        found = self._store.operation(g.engine, session, operation)
        name = f"{g.engine}/sessions/{session}"
        if found is None:
            raise ApiError(404, f"Operation not found: {name}/operations/{operation}")
        return self._shown(found, name, self._store.find(g.engine, session))

    def refuse(self, **arguments: str) -> Response:
        what = f"{arguments['verb']} of sessions" if "verb" in arguments else "the engines themselves"
        raise ApiError(501, f"The local cloud does not implement {what}.")

    def _found(self, session: str) -> Session:
        found = self._store.find(g.engine, session)
        if found is None or not found.shown(self._clock.now()):
            raise ApiError(404, f"Session not found: {g.engine}/sessions/{session}")
        return found

    def _shown(self, operation: Operation, name: str, session: Session | None) -> Response:
        """An operation; the answer that begins it (without a session) never says that it is done."""
        kind = operation.kind.title()
        times = {"createTime": stamp(operation.begun), "updateTime": stamp(operation.begun)}
        shown: dict[str, Any] = {
            "name": f"{name}/operations/{operation.number}",
            "metadata": {
                "@type": f"{_TYPES}.{g.version}.{kind}SessionOperationMetadata",
                "genericMetadata": times,
            },
            "done": False,
        }
        if session is not None and operation.ready <= self._clock.now():
            created = {"@type": f"{_TYPES}.{g.version}.Session", **session.resource()}
            empty = {"@type": "type.googleapis.com/google.protobuf.Empty"}
            shown |= {"done": True, "response": created if operation.kind == "create" else empty}
        return jsonify(shown)


def _page(name: str, items: list[dict[str, Any]], token: str) -> Response:
    return jsonify({**({name: items} if items else {}), **({"nextPageToken": token} if token else {})})


def _guarded(view: Callable[..., Response]) -> Callable[..., Response]:
    """Refuse a caller without a token, and versions without sessions; the parent goes to `g`."""

    def guarded(version: str, project: str, location: str, engine: str, **arguments: str) -> Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise ApiError(401, "Request is missing required authentication credential: an OAuth 2 token.")
        if version not in ("v1", "v1beta1"):
            raise ApiError(404, f"There are no sessions in {version}.")
        g.version, g.engine = version, f"projects/{project}/locations/{location}/reasoningEngines/{engine}"
        return view(**arguments)

    return guarded
