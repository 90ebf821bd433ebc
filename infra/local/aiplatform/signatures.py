"""Thought signatures of function calls: given with the first call of a turn, and required back unchanged."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from infra.local.aiplatform.errors import invalid

_SYNTHETIC = "skip_thought_signature_validator"


def sign_call(call: Mapping[str, Any]) -> str:
    """The signature of a function call, base64; the same for the same name and arguments."""
    return base64.b64encode(_digest(call)).decode()


def check_signatures(contents: list[Mapping[str, Any]]) -> None:
    """Refuse (ApiError 400) a current turn whose function calls came back without the signatures they were given with.

    The current turn is what follows the user's last text. Of the calls of one answer only the first is signed.
    """
    for content in contents[_turn_start(contents) :]:
        calls = [part for part in content.get("parts", ()) if "functionCall" in part]
        if not calls:
            continue
        name = calls[0]["functionCall"].get("name", "")
        signature = calls[0].get("thoughtSignature")
        if not signature:
            raise invalid(f"Function call `default_api:{name}` in the current turn is missing a `thought_signature`.")
        if signature != _SYNTHETIC and _decoded(signature) not in (_digest(calls[0]["functionCall"]), _SYNTHETIC_BYTES):
            raise invalid("Corrupted thought signature.")


_SYNTHETIC_BYTES = _SYNTHETIC.encode()


def _digest(call: Mapping[str, Any]) -> bytes:
    canonical = json.dumps([call.get("name"), call.get("args") or {}], sort_keys=True)
    return hashlib.sha256(canonical.encode()).digest()


def _decoded(signature: Any) -> bytes:
    """The bytes behind a signature, in the standard or the URL-safe alphabet."""
    try:
        return base64.b64decode(str(signature).replace("-", "+").replace("_", "/") + "==")
    except (binascii.Error, ValueError):
        return b""


def _turn_start(contents: list[Mapping[str, Any]]) -> int:
    """The place of the user's last content that is text, not the result of a call."""
    spoken = [
        index
        for index, content in enumerate(contents)
        if content.get("role", "user") == "user" and any("text" in part for part in content.get("parts", ()))
    ]
    return spoken[-1] if spoken else 0
