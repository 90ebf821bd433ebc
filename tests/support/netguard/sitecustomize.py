"""Refuses sockets beyond loopback, in the test process and (through PYTHONPATH) in every Python that it starts."""

import sys

_LOOPBACK = ("127.", "::1", "localhost")


def _refuse_beyond_loopback(event: str, arguments: tuple) -> None:
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if isinstance(host, bytes):
        host = host.decode()
    if host and not str(host).startswith(_LOOPBACK) and host not in ("0.0.0.0", "::"):
        raise PermissionError(f"tests may not reach beyond loopback: {event} {host!r}")


sys.addaudithook(_refuse_beyond_loopback)
