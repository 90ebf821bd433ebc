"""Addresses of web pages, read strictly: what one program could take for one host and another for a second is none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote, urljoin

import httpx

from shared.gateway.web.refusals import BadAddress

LONGEST = 4_000
_PORTS = {"http": 80, "https": 443}
_URL = re.compile(r"(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:%]+)(?::([0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PATH = "/%:@!$&'()*+,;=~-._[]|"


@dataclass(frozen=True)
class WebAddress:
    """An address in its one spelling: `host` in lower case, international names as punycode, IPv6 without brackets.

    `target` is path and query; a fragment is dropped.
    """

    scheme: str
    host: str
    port: int
    target: str
    literal: bool
    """Whether the host is an IP address."""

    @property
    def authority(self) -> str:
        """Host, and port where it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"

    def redirected(self, location: str) -> WebAddress:
        """Where a Location header, or a link, leads from here. Raises BadAddress."""
        _check_characters(location)
        if location.startswith("//"):
            return parse(f"{self.scheme}:{location}")
        try:
            return parse(location if _SCHEME.match(location) else urljoin(self.url, location))
        except ValueError as error:
            raise BadAddress("It leads to what is no address.") from error


def parse(text: str) -> WebAddress:
    """The address that `text` is. Raises BadAddress with a sentence that says what is wrong with it."""
    if len(text) > LONGEST:
        raise BadAddress(f"The address is longer than {LONGEST} characters.")
    _check_characters(text)
    found = _URL.fullmatch(text)
    if found is None:
        raise BadAddress("Only whole addresses that begin with http:// or https:// can be read.")
    scheme, authority = found[1].lower(), found[2]
    if "@" in authority:
        raise BadAddress("An address with a user name or password in it is not read.")
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        raise BadAddress("The address has no host that can be read.")
    port = int(parts[2]) if parts[2] else _PORTS[scheme]
    if not 0 < port < 65_536:
        raise BadAddress(f"{port} is no port.")
    host, literal = _host(parts[1])
    target = quote(found[3] or "/", safe=_PATH) + quote(found[4] or "", safe=_PATH + "?")
    return WebAddress(scheme, host, port, target, literal)


def shown(text: str) -> str:
    """The address as a person should see it, with its real host; "" for what is none."""
    try:
        return parse(text).url
    except BadAddress:
        return ""


def _check_characters(text: str) -> None:
    """Nothing invisible, no blanks, no backslash: each is left out by one program and cut at by another."""
    if not text.isprintable() or "\\" in text or any(character.isspace() for character in text):
        raise BadAddress("The address has blanks, backslashes or invisible characters in it.")


def _host(text: str) -> tuple[str, bool]:
    if text.startswith("["):
        try:
            return str(IPv6Address(text[1:-1])), True
        except AddressValueError as error:
            raise BadAddress(f"{text} is no IPv6 address.") from error
    host = _ascii(text).removesuffix(".")
    if not host or len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise BadAddress("The address has no host that can be read.")
    if not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return host, False
    try:
        return str(IPv4Address(host)), True
    except AddressValueError as error:
        raise BadAddress(f"{host} is no IPv4 address as four decimal numbers.") from error


def _ascii(host: str) -> str:
    """The name in lower case, an international one as punycode."""
    if host.isascii():
        return host.lower()
    try:
        return httpx.URL(f"http://{host}/").raw_host.decode("ascii").lower()
    except (httpx.InvalidURL, UnicodeError) as error:
        raise BadAddress("The host of the address is no name that the internet knows.") from error
