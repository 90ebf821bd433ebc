"""The ports of the local cloud: those asked for, those of the last run where they are free, or any."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from infra.local.files import read_json, write_json
from infra.local.front.server import listen_on_loopback

if TYPE_CHECKING:
    import grpc

T = TypeVar("T")


class PortTaken(Exception):
    """A port that was asked for is in use; the message says which."""


@dataclass(frozen=True)
class Ports:
    """What is bound: the HTTP listener, the gRPC server's port, and the listener of the invented web pages."""

    listener: socket.socket
    grpc: int
    web: socket.socket
    """For the invented web pages."""

    @property
    def http(self) -> int:
        return _port(self.listener)

    @property
    def web_url(self) -> str:
        return f"http://127.0.0.1:{_port(self.web)}"


def bind(data_dir: Path, http_port: int, grpc_port: int, server: grpc.Server) -> Ports:
    """Bind them all; 0 means the last run's port if it is free, else any. Raises PortTaken.

    Ports are kept, since addresses that were stored (callbacks, audiences) must stay right after a restart.
    """
    kept = read_json(data_dir / "ports.json") or {}
    listener = _first(listen_on_loopback, http_port, kept.get("http", 0))
    try:
        port = _first(lambda wanted: _grpc_port(server, wanted), grpc_port, kept.get("grpc", 0))
    except PortTaken:
        listener.close()
        raise
    web = _first(listen_on_loopback, 0, kept.get("web", 0))
    ports = Ports(listener, port, web)
    write_json(data_dir / "ports.json", {"http": ports.http, "grpc": ports.grpc, "web": _port(web)})
    return ports


def _port(listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    return port


def _first(take: Callable[[int], T], asked: int, kept: int) -> T:
    for port in [asked] if asked else [kept, 0]:
        try:
            return take(port)
        except OSError:
            continue
    raise PortTaken(f"Port {asked} on 127.0.0.1 is in use: stop what uses it, or choose another (0: a free one).")


def _grpc_port(server: grpc.Server, wanted: int) -> int:
    try:
        port = server.add_insecure_port(f"127.0.0.1:{wanted}")
    except RuntimeError as error:
        raise OSError(str(error)) from error
    if port == 0:
        raise OSError(f"port {wanted} is in use")
    return port
