"""What may be connected to."""

from __future__ import annotations

from dataclasses import dataclass

from shared.gateway.web.addresses import is_public
from shared.gateway.web.names import is_private_name
from shared.gateway.web.refusals import AddressRefused
from shared.gateway.web.urls import WebAddress

STANDARD_PORTS = frozenset({80, 443})


@dataclass(frozen=True)
class Policy:
    """Public addresses at these ports, no host of our own, and the endpoints (IP address, port) named in `also`.

    `also` is for pages on loopback: those of tests, and of the local cloud.
    """

    ports: frozenset[int] = STANDARD_PORTS
    own_hosts: frozenset[str] = frozenset()
    also: frozenset[tuple[str, int]] = frozenset()

    def check(self, address: WebAddress) -> None:
        """What can be said before the name is resolved. Raises AddressRefused."""
        if address.literal and (address.host, address.port) in self.also:
            return
        if address.port not in self.ports:
            allowed = ", ".join(map(str, sorted(self.ports)))
            raise AddressRefused(f"Port {address.port} is not read from, only {allowed}.")
        if address.host in self.own_hosts:
            raise AddressRefused("That is Memex itself: use its other tools.")
        if not address.literal and is_private_name(address.host):
            raise AddressRefused(f"{address.host} is a name of a private network.")

    def check_ip(self, address: WebAddress, ip: str) -> None:
        """Whether this is an IP address to connect to for it. Raises AddressRefused, without saying which it is."""
        if not is_public(ip) and (ip, address.port) not in self.also:
            raise AddressRefused(f"{address.host} is not on the public internet.")
