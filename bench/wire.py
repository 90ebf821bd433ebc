"""A reader of gRPC answers that costs next to nothing: frames of HTTP/2 on a socket, messages counted and not decoded.

Python's gRPC client takes up to a tenth of a millisecond for each message of a stream, whoever sends it. Where answers
have hundreds of messages that hides the server, which is what is to be timed. A reader in any language waits as long as
this one does.
"""

from __future__ import annotations

import itertools
import socket
import struct
from typing import BinaryIO

from bench.canned import (
    ACK,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    PING,
    PREFACE,
    SETTINGS,
    WINDOW_UPDATE,
    frame,
    header,
    next_frame,
)

GRANTED = 2**31 - 1 - 65_535
DEADLINE_SECONDS = 60.0
RST_STREAM, GOAWAY = 3, 7


class Reader:
    """One connection to a server, its requests one after another; a context manager."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=DEADLINE_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file: BinaryIO = self._socket.makefile("rb")
        self._authority = address.encode()
        self._streams = itertools.count(1, 2)
        # The windows are as wide as can be, so that no server waits for this side.
        widest = frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW_SIZE, GRANTED))
        self._socket.sendall(PREFACE + widest + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", GRANTED)))

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def call(self, method: str, request: bytes) -> int:
        """The number of messages of the answer. Raises ConnectionError or EOFError when the server ends it before."""
        stream = next(self._streams)
        head = frame(HEADERS, END_HEADERS, stream, self._head(method))
        body = b"\0" + struct.pack(">I", len(request)) + request
        self._socket.sendall(head + frame(DATA, END_STREAM, stream, body))
        answer = bytearray()
        while True:
            kind, flags, of, payload = next_frame(self._file)
            if kind in (SETTINGS, PING):
                self._acknowledge(kind, flags, payload)
            elif kind == GOAWAY or (kind == RST_STREAM and of == stream):
                raise ConnectionError(f"The server ended the call: {payload!r}")
            elif of == stream:
                answer += payload if kind == DATA else b""
                if flags & END_STREAM:
                    self._widen(len(answer))
                    return _messages(answer)

    def _head(self, method: str) -> bytes:
        scheme, post = b"\x86", b"\x83"  # http and POST, from the table that every side knows
        return (
            scheme
            + post
            + header(b":path", method.encode())
            + header(b":authority", self._authority)
            + header(b"te", b"trailers")
            + header(b"content-type", b"application/grpc")
        )

    def _acknowledge(self, kind: int, flags: int, payload: bytes) -> None:
        if not flags & ACK:
            self._socket.sendall(frame(kind, ACK, 0, payload if kind == PING else b""))

    def _widen(self, taken: int) -> None:
        if taken:
            self._socket.sendall(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", taken)))


def _messages(body: bytearray) -> int:
    count = at = 0
    while at < len(body):
        at += 5 + int.from_bytes(body[at + 1 : at + 5], "big")
        count += 1
    return count
