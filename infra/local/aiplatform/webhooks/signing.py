"""The two signatures: HMAC with each secret that holds (Standard Webhooks), and a token of the service's own key."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any

from infra.local.aiplatform.webhooks.ports import SigningKey

ISSUER = "https://generativelanguage.googleapis.com"
TOKEN_SECONDS = 300


def by_secrets(secrets: Sequence[str], identity: str, timestamp: int, body: bytes) -> str:
    """The header webhook-signature of a hook of the project; `secrets` are whsec_ and base64."""
    content = f"{identity}.{timestamp}.".encode() + body
    macs = [hmac.digest(base64.b64decode(one.removeprefix("whsec_")), content, hashlib.sha256) for one in secrets]
    return " ".join(f"v1,{base64.b64encode(mac).decode()}" for mac in macs)


def by_token(key: SigningKey, address: str, identity: str, timestamp: int, body: bytes, metadata: Any) -> str:
    """The header webhook-signature of a hook of a single run: the event as claims, signed with RS256."""
    import jwt

    claims = {
        "iss": ISSUER,
        "aud": address,
        "jti": identity,
        "iat": timestamp,
        "exp": timestamp + TOKEN_SECONDS,
        **json.loads(body),
    }
    if metadata:
        claims["user_metadata"] = metadata
    return jwt.encode(claims, key.private, algorithm="RS256", headers={"kid": key.key_id})
