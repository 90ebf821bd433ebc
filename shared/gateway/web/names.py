"""Names that are not of the public web, whatever they resolve to."""

from __future__ import annotations

_SUFFIXES = (
    "localhost",
    "localdomain",
    "local",
    "internal",  # reserved for private use; metadata.google.internal
    "intranet",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "in-addr.arpa",
    "ip6.arpa",
    "test",
    "invalid",
    "onion",
    "metadata.goog",
    "metadata.azure.com",
    "metadata.tencentyun.com",
    "instance-data.ec2.internal",
)


def is_private_name(host: str) -> bool:
    """Whether the name (lower case, no dot at its end) is one of a machine, a network, or a cloud's metadata.

    A name without a dot is: a resolver would look for it in our own domains.
    """
    return "." not in host or any(host == suffix or host.endswith(f".{suffix}") for suffix in _SUFFIXES)
