"""The guard that keeps the suite off the network."""

import socket
import subprocess
import sys

import pytest


def test_a_socket_beyond_loopback_is_refused() -> None:
    with pytest.raises(PermissionError, match="beyond loopback"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)


def test_a_process_that_a_test_starts_is_guarded_too() -> None:
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.returncode != 0
    assert "beyond loopback" in done.stderr


def test_loopback_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), timeout=5):
        pass
