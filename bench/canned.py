"""A server of RunQuery that costs next to nothing: what is left of a query's time is the client's own.

It asks the server whose address it is given once for each request, and answers from memory ever after: frames of HTTP/2
that were put together before, written to the socket at one go. No server in any language can be much faster.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import sys
import threading
from collections import defaultdict
from functools import cache
from typing import Any, BinaryIO

import grpc

METHOD = "/google.firestore.v1.Firestore/RunQuery"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 4, 6, 8
END_STREAM = ACK = 1
END_HEADERS = 4
INITIAL_WINDOW_SIZE = 4
WINDOW, FRAME_BYTES = 65_535, 16_384


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """One frame of HTTP/2."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def header(name: bytes, value: bytes) -> bytes:
    """A header that is spelled out, for no table."""
    return bytes((0, len(name))) + name + bytes((len(value),)) + value


HEAD = b"\x88" + header(b"content-type", b"application/grpc")
TRAILER = header(b"grpc-status", b"0")


def next_frame(file: BinaryIO) -> tuple[int, int, int, bytes]:
    """Kind, flags, stream and payload. Raises EOFError when the other side is gone."""
    head = file.read(9)
    if len(head) < 9:
        raise EOFError("The connection has ended.")
    return head[3], head[4], int.from_bytes(head[5:9], "big"), file.read(int.from_bytes(head[:3], "big"))


class Connection:
    """One client: its requests one after another, within the windows it grants."""

    def __init__(self, client: socket.socket, server: grpc.Channel) -> None:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client, self._file = client, client.makefile("rb")
        self._ask = cache(lambda request: _asked(server, request))
        self._initial, self._granted = WINDOW, defaultdict[int, int](int)  # by stream, 0 for the connection

    def serve(self) -> None:
        """Until the client goes."""
        self._file.read(len(PREFACE))
        self._client.sendall(frame(SETTINGS, 0, 0, b""))
        request = b""
        while True:
            kind, flags, stream, payload = next_frame(self._file)
            self._control(kind, flags, stream, payload)
            if kind == DATA:
                request += payload
                if payload:
                    self._client.sendall(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", len(payload))))
                if flags & END_STREAM:
                    self._answer(stream, self._ask(request[5:]))
                    request = b""

    def _control(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == WINDOW_UPDATE:
            self._granted[stream] += int.from_bytes(payload, "big")
        elif kind == SETTINGS and not flags & ACK:
            self._initial = dict(struct.iter_unpack(">HI", payload)).get(INITIAL_WINDOW_SIZE, self._initial)
            self._client.sendall(frame(SETTINGS, ACK, 0, b""))
        elif kind == PING and not flags & ACK:
            self._client.sendall(frame(PING, ACK, 0, payload))

    def _answer(self, stream: int, messages: list[bytes]) -> None:
        body = b"".join(b"\0" + struct.pack(">I", len(message)) + message for message in messages)
        out, at = frame(HEADERS, END_HEADERS, stream, HEAD), 0
        while at < len(body):
            window = min(WINDOW + self._granted[0], self._initial + self._granted[stream])
            part = body[at : at + max(0, min(FRAME_BYTES, window))]
            out += frame(DATA, 0, stream, part) if part else b""
            at += len(part)
            self._granted[0] -= len(part)
            self._granted[stream] -= len(part)
            if not part:
                self._client.sendall(out)
                out = b""
                self._control(*next_frame(self._file))
        self._client.sendall(out + frame(HEADERS, END_HEADERS | END_STREAM, stream, TRAILER))


def _asked(server: grpc.Channel, request: bytes) -> list[bytes]:
    answers: Any = server.unary_stream(METHOD)  # without serializers it takes and gives bytes
    return list(answers(request))


def _serve(client: socket.socket, server: grpc.Channel) -> None:
    with contextlib.suppress(EOFError, ConnectionError):
        Connection(client, server).serve()


def main() -> None:
    with grpc.insecure_channel(sys.argv[1]) as server, socket.create_server(("127.0.0.1", 0)) as listener:
        print(json.dumps({"grpc": f"127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_serve, args=(client, server), daemon=True).start()


if __name__ == "__main__":
    main()
