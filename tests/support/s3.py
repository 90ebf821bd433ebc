"""An S3 server on loopback, with one bucket."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx


@dataclass(frozen=True)
class S3:
    """Where it answers, and what OBJECTS_OPTIONS says of it."""

    endpoint: str

    @property
    def options(self) -> dict[str, str]:
        return {
            "endpoint": self.endpoint,
            "region": "us-east-1",
            "access_key_id": "test",
            "secret_access_key": "test",
        }


@contextmanager
def serve_s3(bucket: str) -> Iterator[S3]:
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        endpoint = f"http://{host}:{port}"
        httpx.post(f"{endpoint}/moto-api/reset").raise_for_status()  # what earlier ones of this process had
        httpx.put(f"{endpoint}/{bucket}").raise_for_status()
        yield S3(endpoint)
    finally:
        server.stop()
