"""Stands in for Google's provider where Terraform validates: it tells the schema of schema.json, and approves the rest.

Terraform's plug-in protocol, version 5, spoken with so few messages that they are written out by hand.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc

SERVICE = "tfplugin5.Provider"
SINGLE, LIST = 1, 2
Answer = Callable[[bytes], bytes]
"""From the bytes of a request to those of its answer."""
PROVIDER = {
    "attributes": {name: {"type": "string", "required": False} for name in ("project", "region", "billing_project")}
}
PROVIDER["attributes"]["user_project_override"] = {"type": "bool", "required": False}


@contextmanager
def serving(schema: Mapping[str, Any], more: Mapping[str, Answer] | None = None) -> Iterator[str]:
    """The value of TF_REATTACH_PROVIDERS, while both providers answer with that schema, and as `more` says."""
    servers, attached = [], {}
    for name in ("google", "google-beta"):
        with_pool = ThreadPoolExecutor(4)
        server = grpc.server(with_pool)
        server.add_generic_rpc_handlers((_Handler(_described(schema), more or {}),))
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        servers.append((server, with_pool))
        attached[f"registry.terraform.io/hashicorp/{name}"] = {
            "Protocol": "grpc",
            "ProtocolVersion": 5,
            "Pid": os.getpid(),
            "Test": True,
            "Addr": {"Network": "tcp", "String": f"127.0.0.1:{port}"},
        }
    try:
        yield json.dumps(attached)
    finally:
        for server, pool in servers:
            server.stop(None).wait(5)
            pool.shutdown()


class _Handler(grpc.GenericRpcHandler):  # type: ignore[misc]
    def __init__(self, described: bytes, more: Mapping[str, Answer]) -> None:
        answers: dict[str, Answer] = {
            f"/{SERVICE}/GetSchema": lambda _request: described,
            # The configuration comes as field 1 and goes back as field 1.
            f"/{SERVICE}/PrepareProviderConfig": lambda request: request,
            f"/{SERVICE}/ValidateResourceTypeConfig": lambda _request: b"",
            f"/{SERVICE}/ValidateDataSourceConfig": lambda _request: b"",
            f"/{SERVICE}/Stop": lambda _request: b"",
            "/grpc.health.v1.Health/Check": lambda _request: b"\x08\x01",
        }
        self._answers = {**answers, **{f"/{SERVICE}/{name}": answer for name, answer in more.items()}}

    def service(self, details: Any) -> Any:
        answer = self._answers.get(details.method)
        if answer is None:
            return None
        return grpc.unary_unary_rpc_method_handler(lambda request, _context: answer(request))


def _described(schema: Mapping[str, Any]) -> bytes:
    """A GetProviderSchema.Response."""
    out = message(1, _schema(PROVIDER))
    for number, kind in ((2, "resource"), (3, "data")):
        for name, block in schema[kind].items():
            out += message(number, _text(1, name) + message(2, _schema(block)))
    return out


def _schema(block: Mapping[str, Any]) -> bytes:
    return message(2, _block(block))


def _block(block: Mapping[str, Any], told: str = '"dynamic"') -> bytes:
    """Arguments, what the provider tells (of type `told`; a list of blocks cannot hold any), nested blocks."""
    out = b""
    for name, attribute in block["attributes"].items():
        out += message(2, _attribute(name, attribute["type"], attribute["required"]))
    for name in block.get("computed", ()):
        out += message(2, _text(1, name) + _text(2, told) + number(6, 1))
    for name, inner in block.get("blocks", {}).items():
        nesting = SINGLE if name == "timeouts" else LIST
        most = 0 if inner["many"] or nesting == SINGLE else 1
        least = 1 if inner["required"] and nesting == LIST else 0
        out += message(
            3,
            _text(1, name)
            + message(2, _block(inner, '"string"'))
            + number(3, nesting)
            + number(4, least)
            + number(5, most),
        )
    return out


def _attribute(name: str, type_: Any, required: bool) -> bytes:
    written = '"dynamic"' if "any" in json.dumps(type_) else json.dumps(type_)
    out = _text(1, name) + _text(2, written)
    if required:
        return out + number(4, 1)
    write_only = name.endswith("_wo")
    return out + number(5, 1) + (number(10, 1) if write_only else number(6, 1))


def _text(number: int, text: str) -> bytes:
    return message(number, text.encode())


def message(number: int, body: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
