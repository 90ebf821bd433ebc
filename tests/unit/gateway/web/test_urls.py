"""What is taken for an address at all, and what it is then."""

from __future__ import annotations

import pytest

from shared.gateway.web.names import is_private_name
from shared.gateway.web.policy import Policy
from shared.gateway.web.refusals import AddressRefused, BadAddress
from shared.gateway.web.urls import parse, shown

NO_ADDRESS = [
    # spellings of IPv4 that are none
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.1/",
    "http://127.0.1/",
    "http://0x7f.1/",
    "http://0/",
    "http://2852039166/",
    "http://0xA9FEA9FE/",
    "http://169.254.43518/",
    "http://134744072/",
    "http://1.1.1.1.1/",
    "http://256.1.1.1/",
    "http://a.0x/",
    "http://１６９.254.169.254/",
    # zones, brackets
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::1/",
    "http://::1/",
    "http://[::g]/",
    "http://[127.0.0.1]/",
    "http://[::1]x/",
    # users
    "http://example.com@169.254.169.254/",
    "http://example.com:80@169.254.169.254:80/",
    "http://foo@127.0.0.1:80@example.com/",
    "http://@example.com/",
    "http://:@example.com/",
    # blanks, controls, backslashes
    "http://1.1.1.1 &@2.2.2.2# @3.3.3.3/",
    "http://127.1.1.1:80\\@127.2.2.2:80/",
    "http:\\\\169.254.169.254/",
    "http://example.com\\.evil.example/",
    "http://example.com%00.169.254.169.254/",
    "http://exa\0mple.com/",
    "http://example.com/\r\nX: y",
    "http://example.com/\tx",
    " http://example.com/",
    "http://example.com/a b",
    "http://exam\u200bple.com/",
    "http://example.com/\u202egnp.exe",
    "http://exam\u00adple.com/",
    "http://example.com/\ud800",
    # no host, no scheme
    "http:169.254.169.254/",
    "http:///169.254.169.254/",
    "//169.254.169.254/",
    "http://",
    "http:///",
    "example.com",
    "",
    "http://./",
    "http://../",
    "http://a..b.example/",
    "http://%61.example/",
    "http://a_b!.example/",
    f"http://{'a' * 64}.example/",
    f"http://{'a.' * 127}example/",
    f"http://a.example/{'x' * 4_000}",
    # ports
    "http://127.0.0.1:80:8080/",
    "http://example.com:0/",
    "http://example.com:99999/",
    "http://example.com:%38%30/",
    "http://example.com:٨٠/",
    "http://example.com:/",
    "http://example.com:+80/",
    # schemes
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "ftp://example.com/",
    "dict://example.com/",
    "data:text/html,<b>",
    "blob:https://example.com/x",
    "jar:http://example.com/x!/",
    "ws://example.com/",
    "javascript:alert(1)",
    "httpx://example.com/",
]
REFUSED = [
    "http://localhost./",
    "http://LOCALHOST/",
    "http://localhost.localdomain/",
    "http://ip6-localhost/",
    "http://a.localhost/",
    "http://metadata.google.internal./computeMetadata/v1/",
    "http://METADATA.google.internal/",
    "http://metadata/",
    "http://metadata.goog/",
    "http://printer.local/",
    "http://wiki.corp/",
    "http://example.com:22/",
    "http://example.com:25/",
    "http://example.com:6379/",
    "https://example.com:8443/",
    "http://127.0.0.1:8080/",
]


@pytest.mark.parametrize("text", NO_ADDRESS)
def test_what_can_be_read_in_two_ways_is_no_address(text: str) -> None:
    with pytest.raises(BadAddress):
        parse(text)
    assert shown(text) == ""


@pytest.mark.parametrize("text", REFUSED)
def test_names_of_private_networks_and_other_ports_are_refused_before_they_are_resolved(text: str) -> None:
    with pytest.raises(AddressRefused):
        Policy().check(parse(text))


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("https://example.com:443/a?b=c#d", "https://example.com/a?b=c"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("http://example.com./x", "http://example.com/x"),
        ("http://example.com?q=1", "http://example.com/?q=1"),
        ("http://169.254.169.254#@example.com/", "http://169.254.169.254/"),
        ("http://169。254。169。254/", "http://169.254.169.254/"),
        ("http://[2606:4700:4700:0::1111]/", "http://[2606:4700:4700::1111]/"),
        ("http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]/"),
        ("https://раypal.example/", "https://xn--ypal-43d9g.example/"),
        ("https://bücher.example/ä?ö=ü", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC"),
        ("http://a-b_c.example/%zz", "http://a-b_c.example/%zz"),
    ],
)
def test_an_address_has_one_spelling(text: str, url: str) -> None:
    assert parse(text).url == url and parse(url).url == url and shown(text) == url


@pytest.mark.parametrize(
    "text",
    ["http://8.8.8.8/", "https://100.63.255.254/", "http://[2606:4700:4700::1111]/", "https://en.wikipedia.org/"],
)
def test_the_public_web_is_allowed(text: str) -> None:
    Policy().check(parse(text))


def test_hosts_of_our_own_are_refused() -> None:
    policy = Policy(own_hosts=frozenset({"us-central1-memex.cloudfunctions.net"}))
    with pytest.raises(AddressRefused):
        policy.check(parse("https://US-central1-memex.cloudfunctions.net./api"))


def test_an_endpoint_that_is_named_is_allowed_and_its_neighbours_are_not() -> None:
    policy = Policy(also=frozenset({("127.0.0.1", 8080)}))
    policy.check(parse("http://127.0.0.1:8080/"))
    policy.check_ip(parse("http://127.0.0.1:8080/"), "127.0.0.1")
    for text in ("http://127.0.0.1:8081/", "http://example.com:8080/", "http://127.0.0.2:8080/"):
        with pytest.raises(AddressRefused):
            policy.check(parse(text))
    with pytest.raises(AddressRefused):
        policy.check_ip(parse("http://127.0.0.1/"), "127.0.0.1")


@pytest.mark.parametrize("host", ["internal", "a.internal", "x.home.arpa", "1.0.0.127.in-addr.arpa"])
def test_private_names(host: str) -> None:
    assert is_private_name(host)


@pytest.mark.parametrize("host", ["internal.example", "notlocal.example", "mylocalhost.example", "local.example"])
def test_names_that_only_look_private(host: str) -> None:
    assert not is_private_name(host)
