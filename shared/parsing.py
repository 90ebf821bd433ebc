"""What stands in a variable of the environment, as a value; each parser raises ValueError that says what it must be."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

Parser = Callable[[str], Any]

_ENGINE = re.compile(r"(projects/[^/]+/locations/[a-z0-9-]+/reasoningEngines/)?[a-z0-9][a-z0-9-]{0,62}")
_SECRET_BYTES = 16
_AUDIENCE = re.compile(r"[A-Za-z0-9_-]{1,200}\.apps\.googleusercontent\.com|[a-z][a-z0-9-]{4,28}[a-z0-9]")


def pairs(text: str) -> Mapping[str, str]:
    """ "a=x;b=y" as a mapping."""
    items = (item.partition("=") for item in text.split(";") if item.strip())
    return {key.strip(): value.strip() for key, _, value in items}


def audiences(text: str) -> tuple[str, ...]:
    """Client ids of Google's sign-in and ids of Firebase projects, separated by commas."""
    found = tuple(item.strip() for item in text.split(",") if item.strip())
    if not all(_AUDIENCE.fullmatch(one) for one in found):
        raise ValueError("each must be a client id such as 1-a.apps.googleusercontent.com, or the id of a project")
    return found


def positive(text: str) -> float:
    """A finite number greater than 0."""
    number = float(text)
    if not (number > 0 and math.isfinite(number)):
        raise ValueError("must be a finite number greater than 0")
    return number


def count(text: str) -> int:
    """A whole number greater than 0."""
    number = int(text)
    if number < 1:
        raise ValueError("must be a whole number greater than 0")
    return number


def lanes(text: str) -> int:
    """A number of parallel branches of a workflow, 1 to 10."""
    number = count(text)
    if number > 10:
        raise ValueError("must be 10 at most: a workflow has no more branches")
    return number


def amount(text: str) -> float:
    """A finite number, 0 or more."""
    number = float(text)
    if not (number >= 0 and math.isfinite(number)):
        raise ValueError("must be a finite number, 0 or more")
    return number


def switch(text: str) -> bool:
    """Whether it is on; the other word is off."""
    if text not in ("on", "off"):
        raise ValueError("must be on or off")
    return text == "on"


def dimensions(text: str) -> int:
    """The length of an embedding, 1 to 2048."""
    number = int(text)
    if not 1 <= number <= 2048:
        raise ValueError("must be a whole number from 1 to 2048, the most that Firestore finds neighbours by")
    return number


def ports(text: str) -> frozenset[int]:
    """Port numbers, separated by commas."""
    found = frozenset(int(item) for item in text.split(",") if item.strip())
    if not all(0 < port < 65_536 for port in found):
        raise ValueError("must be ports, separated by commas")
    return found


def ttl(text: str) -> str:
    """A number of seconds with its unit, a day at least; or nothing."""
    if text and not (re.fullmatch(r"[0-9]{1,10}s", text) and int(text[:-1]) >= 86_400):
        raise ValueError("must be whole seconds such as 604800s, and 86400s at least")
    return text


def engine(text: str) -> str:
    """The id of a reasoning engine, or its whole resource name; or nothing."""
    if text and not re.fullmatch(
        r"(projects/[^/]+/locations/[a-z0-9-]+/reasoningEngines/)?[a-z0-9][a-z0-9-]{0,62}", text
    ):
        raise ValueError("must be a reasoning engine's id, such as 1234567890, or its whole resource name")
    return text


def loopback(text: str) -> str:
    """An http address of this machine, or nothing."""
    if text and not re.fullmatch(r"http://127\.0\.0\.1:[0-9]{1,5}", text):
        raise ValueError("must be http://127.0.0.1 with a port")
    return text


def webhook_secrets(text: str) -> tuple[bytes, ...]:
    """Secrets as Standard Webhooks writes them, separated by spaces, as the bytes that they stand for."""
    found = []
    for item in re.split(r"[\s,;]+", text.strip()):
        try:
            secret = base64.b64decode(item.removeprefix("whsec_"), validate=True)
        except ValueError:
            secret = b""
        if item and len(secret) < _SECRET_BYTES:
            raise ValueError(f"each must be whsec_ and {_SECRET_BYTES} bytes or more in base64")
        found += [secret] if item else []
    return tuple(found)


def loopback_page(text: str) -> str:
    """The http address of a page of this machine, or nothing."""
    if text and not re.fullmatch(r"http://127\.0\.0\.1:[0-9]{1,5}/[!-~]*", text):
        raise ValueError("must be http://127.0.0.1 with a port and a path")
    return text


def web_address(text: str) -> str:
    """An http or https address, or nothing."""
    if text and not re.fullmatch(r"https?://[!-~]+", text):
        raise ValueError("must be an address that begins with http:// or https://")
    return text


def choice(*choices: str) -> Parser:
    """A parser that takes one of these words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse
