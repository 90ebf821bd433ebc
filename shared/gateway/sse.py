"""Reading server-sent events of other services, whatever they really send."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import Any


def lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Lines of a UTF-8 byte stream, ended by LF, CR LF or CR, wherever the chunks were cut."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    for chunk in chunks:
        rest += decoder.decode(chunk)
        held = "\r" if rest.endswith("\r") else ""  # its LF may be the first byte of the next chunk
        whole = rest[: len(rest) - len(held)].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        yield from whole[:-1]
        rest = whole[-1] + held
    yield from (line for line in rest.replace("\r", "\n").split("\n") if line)


def frames(chunks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The JSON objects of the frames' data; comments, empty frames and what is no JSON object are passed over."""
    data: list[str] = []
    for line in lines(chunks):
        if line:
            field, _, value = line.partition(":")
            if field == "data":
                data.append(value.removeprefix(" "))
            continue
        yield from _parsed(data)
        data = []
    yield from _parsed(data)  # a stream that was closed in time may lack the last blank line


def _parsed(data: list[str]) -> Iterator[dict[str, Any]]:
    try:
        value = json.loads("\n".join(data))
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield value
