"""The webhooks of the project: registered, changed, given another secret."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from infra.local.aiplatform.errors import ApiError, invalid
from infra.local.aiplatform.storage import Storage
from infra.local.aiplatform.webhooks.events import SUBSCRIBABLE

SCHEMA = "CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY, body TEXT NOT NULL);"
GRACE = timedelta(hours=24)
_SECRET_BYTES = 32
_CHANGEABLE = frozenset({"name", "uri", "subscribed_events", "state"})
_IMMEDIATELY, _AFTER_A_DAY = "revoke_previous_secrets_immediately", "revoke_previous_secrets_after_h24"


class Registry:
    def __init__(self, database: Storage) -> None:
        self._db = database

    def create(self, body: Any, now: datetime) -> dict[str, Any]:
        """The webhook with its secret, which is shown this once. Raises ApiError 400."""
        given = _checked(body, required=("uri", "subscribed_events"), known=_CHANGEABLE - {"state"})
        identity = hashlib.sha256(f"{len(self.all())} {now.isoformat()} {given['uri']}".encode()).hexdigest()[:20]
        secret = _new_secret()
        hook = {
            "id": identity,
            "state": "enabled",
            **given,
            "create_time": _stamp(now),
            "update_time": _stamp(now),
            "secrets": [{"secret": secret, "until": None}],
        }
        self._save(hook)
        return {**self.shown(hook, now), "new_signing_secret": secret}

    def get(self, identity: str) -> dict[str, Any]:
        """As stored. Raises ApiError 404."""
        rows = self._db.rows("SELECT body FROM webhooks WHERE id = ?", identity)
        if not rows:
            raise ApiError(404, f"Webhook {identity!r} was not found.")
        found: dict[str, Any] = json.loads(rows[0][0])
        return found

    def all(self) -> list[dict[str, Any]]:
        return [json.loads(body) for (body,) in self._db.rows("SELECT body FROM webhooks ORDER BY rowid")]

    def change(self, identity: str, body: Any, now: datetime) -> dict[str, Any]:
        """Raises ApiError 404, 400."""
        given = _checked(body, required=(), known=_CHANGEABLE)
        hook = {**self.get(identity), **given, "update_time": _stamp(now)}
        self._save(hook)
        return self.shown(hook, now)

    def delete(self, identity: str) -> None:
        """Raises ApiError 404."""
        self.get(identity)
        with self._db.write() as connection:
            connection.execute("DELETE FROM webhooks WHERE id = ?", (identity,))

    def rotate(self, identity: str, body: Any, now: datetime) -> str:
        """A new secret; those before it end at once, or sign beside it for a day. Raises ApiError 404, 400."""
        behaviour = body.get("revocation_behavior", _AFTER_A_DAY) if isinstance(body, dict) else ""
        if not isinstance(behaviour, str) or behaviour.lower() not in (_IMMEDIATELY, _AFTER_A_DAY):
            raise invalid(f"Invalid value at 'revocation_behavior', {behaviour!r}", "revocation_behavior")
        hook, secret = self.get(identity), _new_secret()
        until = (now + GRACE).isoformat()
        kept = [] if behaviour.lower() == _IMMEDIATELY else _valid(hook, now)
        earlier = [{**one, "until": one["until"] or until} for one in kept]
        self._save({**hook, "secrets": [*earlier, {"secret": secret, "until": None}], "update_time": _stamp(now)})
        return secret

    def secrets_of(self, identity: str, now: datetime) -> list[str]:
        """The secrets that hold now. Raises ApiError 404 where the webhook is gone."""
        return [one["secret"] for one in _valid(self.get(identity), now)]

    @staticmethod
    def shown(hook: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        """As the API answers it: of secrets only their last characters."""
        answer = {name: value for name, value in hook.items() if name != "secrets"}
        answer["signing_secrets"] = [
            {"truncated_secret": f"...{one['secret'][-4:]}", **({"expire_time": one["until"]} if one["until"] else {})}
            for one in _valid(hook, now)
        ]
        return answer

    def _save(self, hook: Mapping[str, Any]) -> None:
        row = (hook["id"], json.dumps(hook, ensure_ascii=False))
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO webhooks VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body", row
            )


def check_uri(uri: Any, field: str) -> None:
    """Raises ApiError 400 for an address that is not https; loopback is as good here."""
    parts = urlsplit(uri) if isinstance(uri, str) and uri.isprintable() else None
    local = parts is not None and parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")
    if parts is None or not (local or (parts.scheme == "https" and parts.hostname)):
        raise invalid(f"Invalid value at '{field}': an https address is expected.", field)


def _checked(body: Any, *, required: tuple[str, ...], known: frozenset[str]) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise invalid("Invalid JSON payload received. An object is expected.")
    for name in body:
        if name not in known:
            raise invalid(f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.', name)
    for name in required:
        if name not in body:
            raise invalid(f"{name} is required.", name)
    if "uri" in body:
        check_uri(body["uri"], "uri")
    events = body.get("subscribed_events", [next(iter(SUBSCRIBABLE))])
    if not isinstance(events, list) or not events or not all(one in SUBSCRIBABLE for one in events):
        raise invalid("Invalid value at 'subscribed_events'.", "subscribed_events")
    if body.get("state", "enabled") not in ("enabled", "disabled"):
        raise invalid("Invalid value at 'state'.", "state")
    if not isinstance(body.get("name", ""), str):
        raise invalid("Invalid value at 'name'.", "name")
    return dict(body)


def _valid(hook: Mapping[str, Any], now: datetime) -> list[dict[str, Any]]:
    return [one for one in hook["secrets"] if one["until"] is None or datetime.fromisoformat(one["until"]) > now]


def _new_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
