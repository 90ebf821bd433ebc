"""From a name to its addresses: within seconds, and with a bound on how many there are."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence

from shared.errors import Transient
from shared.gateway.transport import Cut, cut_error
from shared.gateway.web.refusals import AddressRefused, Unreadable
from shared.gateway.web.urls import WebAddress

Lookup = Callable[[str, int], Sequence[str]]
"""The addresses of a name, as text. Raises OSError."""

_SECONDS = 2.0
_ANSWERS = 64
_AT_ONCE = 16
_DONE = "resolved"


def system_lookup(host: str, port: int) -> Sequence[str]:
    """What the system's resolver answers; the dot at the end keeps it from looking in our own domains."""
    found = socket.getaddrinfo(f"{host}.", port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class Resolver:
    """A lookup cannot be ended, so each has a thread, left behind when it takes too long; there are 16 at most."""

    def __init__(self, lookup: Lookup = system_lookup) -> None:
        self._lookup = lookup
        self._free = threading.BoundedSemaphore(_AT_ONCE)

    def resolve(self, address: WebAddress, cut: Cut) -> tuple[str, ...]:
        """Every IP address of the host. Raises Unreadable, AddressRefused, Transient, TransportError when cut."""
        if address.literal:
            return (address.host,)
        if not self._free.acquire(blocking=False):
            raise Transient("The resolver is busy: try again in a moment.")
        with cut.inner() as handle:
            asked = _Asked(self._lookup, address, handle, self._free)
            threading.Thread(target=asked.run, name="resolve", daemon=True).start()
            handle.wait(_SECONDS)
            reason = handle.reason
        if reason and reason != _DONE:
            raise cut_error(handle, sent=False)
        return asked.answer()


class _Asked:
    def __init__(self, lookup: Lookup, address: WebAddress, done: Cut, free: threading.BoundedSemaphore) -> None:
        self._lookup, self._address, self._done, self._free = lookup, address, done, free
        self._found: Sequence[str] | None = None
        self._failed = False

    def run(self) -> None:
        try:
            self._found = self._lookup(self._address.host, self._address.port)
        except (OSError, UnicodeError):  # the resolver's own encoding refuses some names
            self._failed = True
        finally:
            self._free.release()
            self._done.cut(_DONE)

    def answer(self) -> tuple[str, ...]:
        host = self._address.host
        if self._failed or (self._found is not None and not self._found):
            raise Unreadable(f"There is no host {host}.")
        if self._found is None:
            raise Unreadable(f"The name {host} was not resolved within {_SECONDS:g} seconds.")
        if len(self._found) > _ANSWERS:
            raise AddressRefused(f"{host} has {len(self._found)} addresses; no honest one has.")
        return tuple(self._found)
