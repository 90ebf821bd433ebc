"""Webhooks as the service signs them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

from shared.webhooks.delivery import Delivery
from tests.support.seams import FakeClock
from tests.support.signing import signed

ADDRESS = "https://memex.example/webhook"
SECRET, OTHER_SECRET = b"a secret of sixteen bytes and more", b"another secret, as long as the first"


def body(interaction_id: str = "v1_run1", kind: str = "interaction.completed", **more: Any) -> bytes:
    event = {"type": kind, "version": "v1", "timestamp": "2026-12-01T00:00:00Z", "data": {"id": interaction_id}}
    return json.dumps({**event, **more}).encode()


def by_secret(clock: FakeClock, *secrets: bytes, age: float = 0.0, **changes: Any) -> Delivery:
    """A delivery to a hook of the project, signed with each of the secrets."""
    given = {"id": "msg_1", "timestamp": str(int(clock.now().timestamp() - age)), "body": body(), **changes}
    content = f"{given['id']}.{given['timestamp']}.".encode() + given["body"]
    macs = [hmac.digest(secret, content, hashlib.sha256) for secret in secrets or (SECRET,)]
    signature = " ".join(f"v1,{base64.b64encode(mac).decode()}" for mac in macs)
    return Delivery(**{"signature": signature, **given})


def by_token(clock: FakeClock, name: str = "one", age: float = 0.0, content: bytes = b"", **claims: Any) -> Delivery:
    """A delivery to the hook of a single run; a claim that is None is left out."""
    now = int(clock.now().timestamp() - age)
    event = json.loads(body())
    every = {
        "iss": "generativelanguage.googleapis.com",
        "aud": ADDRESS,
        "iat": now,
        "exp": now + 300,
        **event,
        **claims,
    }
    token = signed({key: value for key, value in every.items() if value is not None}, name)
    return Delivery("msg_1", str(now), token, content or body())
