"""Which addresses are of the public internet: the one function that decides, for every spelling of an address."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers; Alibaba's metadata is in it
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's host agent: a public number that each machine has to itself
        "169.254.0.0/16",  # link-local, and the metadata of nearly every cloud
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; Oracle's metadata is in it
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "199.36.153.4/30",  # restricted.googleapis.com: Google's services from inside a network
        "199.36.153.8/30",  # private.googleapis.com
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_V6 = tuple(
    IPv6Network(network)
    for network in (
        "::/32",  # unspecified, loopback, and IPv4 as compatible, mapped and translated
        "64:ff9b::/32",  # NAT64, well-known and local
        "100::/8",  # discard
        "200::/7",  # once NSAP
        "400::/6",  # reserved, as the next two
        "800::/5",
        "1000::/4",
        "2001::/23",  # Teredo, benchmarks, ORCHID and other protocols
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3ffe::/16",  # once 6bone
        "3fff::/20",  # documentation
        "4000::/2",  # reserved; segment routing is in it
        "8000::/1",  # reserved, unique local, link-local, site-local, multicast
    )
)
_ISATAP = (0x00005EFE, 0x02005EFE)
"""The beginning of the lower half of an IPv6 address that carries an IPv4 address to a tunnel."""


def is_public(address: str | IPv4Address | IPv6Address) -> bool:
    """Whether a connection to this address can only leave for the public internet.

    Takes what a resolver answers. What is no address, and what names an interface (fe80::1%eth0), is not public. An
    IPv4 address inside an IPv6 one never is, whichever it is: who gets there is decided by a gateway that we do not
    know.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv4Address):
        return found.is_global and not any(found in network for network in _V4)
    if found.scope_id or (int(found) >> 32) & 0xFFFFFFFF in _ISATAP:
        return False
    return found.is_global and not any(found in network for network in _V6)
