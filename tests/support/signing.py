"""ID tokens as issuers sign them, with keys of a test, and the page of those keys."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from tests.support.seams import FakeClock

CLIENT = "1-memex.apps.googleusercontent.com"
PROJECT = "memex-people"
EMAIL = "ada@example.com"


def key(name: str, bits: int = 2048) -> rsa.RSAPrivateKey:
    """The key of that name, made once in a process."""
    return _made(name, bits)


@cache
def _made(_name: str, bits: int) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


def entry(name: str, bits: int = 2048, **changes: Any) -> dict[str, Any]:
    """What a key set says of the key."""
    public = json.loads(RSAAlgorithm.to_jwk(key(name, bits).public_key()))
    return {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": name, "n": public["n"], "e": public["e"], **changes}


def google(clock: FakeClock, **changes: Any) -> dict[str, Any]:
    """What a token of Google's sign-in claims."""
    now = int(clock.now().timestamp())
    claims = {"iss": "https://accounts.google.com", "aud": CLIENT, "azp": CLIENT, "sub": "110169484474386276334"}
    return claims | {"email": EMAIL, "email_verified": True, "iat": now, "exp": now + 3600} | changes


def firebase(clock: FakeClock, **changes: Any) -> dict[str, Any]:
    """What a token of a Firebase project claims."""
    issued = {"iss": f"https://securetoken.google.com/{PROJECT}", "aud": PROJECT, "sub": "aXbYcZ0123456789"}
    return google(clock) | issued | {"auth_time": int(clock.now().timestamp())} | changes


def signed(claims: dict[str, Any], name: str = "one", **header: Any) -> str:
    """The token, signed with the key of that name."""
    return jwt.encode(claims, key(name), algorithm="RS256", headers={"kid": name, **header})


class KeyPages(httpx.BaseTransport):
    """Answers for whoever publishes keys; counts how often it was asked, by address."""

    def __init__(self, *entries: dict[str, Any], cache_control: str = "public, max-age=3600", age: str = "") -> None:
        self.entries, self.cache_control, self.age = list(entries), cache_control, age
        self.status, self.raw = 200, b""
        self.asked: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        headers = {"Cache-Control": self.cache_control} | ({"Age": self.age} if self.age else {})
        content = self.raw or json.dumps({"keys": self.entries}).encode()
        return httpx.Response(self.status, headers=headers, content=content)
