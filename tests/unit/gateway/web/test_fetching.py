"""The guarded fetcher on loopback: addresses, redirects, rebinding, and answers that are meant to harm."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable

import pytest

from shared.errors import MemexError, Transient
from shared.gateway.transport import Cut, TransportError
from shared.gateway.web.fetching import Fetcher, Limits
from shared.gateway.web.policy import STANDARD_PORTS, Policy
from shared.gateway.web.refusals import AddressRefused, BadAddress, Unreadable
from shared.gateway.web.resolving import Resolver
from tests.unit.gateway.servers import Talk, answering, raw_server, streaming
from tests.unit.gateway.web.web import LOOPBACK, fetch, fetcher, moved, names, port_of

METADATA = "169.254.169.254"


def html(body: bytes = b"<p>hello</p>", headers: str = "") -> Talk:
    return answering("200 OK", body, f"Content-Type: text/html\r\n{headers}")


def by_path(**talks: Talk) -> Talk:
    """Another answer for each path; the one called `rest` for all others."""

    def talk(connection: socket.socket, request: bytes) -> None:
        path = request.split(b" ")[1].decode().strip("/")
        talks.get(path, talks["rest"])(connection, request)

    return talk


def test_a_page_comes_from_the_checked_address_under_its_name() -> None:
    with raw_server(html()) as (base, requests):
        fetched = fetch(base, "/x?y=z")
    assert fetched.body == b"<p>hello</p>" and not fetched.cut and fetched.content_type == "text/html"
    assert fetched.address.url == f"http://a.example:{port_of(base)}/x?y=z"
    head = requests[0].decode().lower()
    assert f"host: a.example:{port_of(base)}\r\n" in head and head.startswith("get /x?y=z ")
    assert "accept-encoding: gzip, identity\r\n" in head
    assert not any(name in head for name in ("cookie:", "authorization:", "metadata-flavor"))


@pytest.mark.parametrize(
    "found",
    [
        ["10.0.0.5"],
        [METADATA],
        ["127.0.0.1"],
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["::ffff:127.0.0.1"],
        ["fe80::1%lo"],
        ["fd20:ce::254"],
        ["64:ff9b::7f00:1"],
    ],
)
def test_a_name_that_leads_inside_is_refused_whatever_else_it_leads_to(found: list[str]) -> None:
    with raw_server(html()) as (base, requests):
        guarded = Fetcher(Policy(STANDARD_PORTS | {port_of(base)}), resolver=Resolver(names({"a.example": [found]})))
        with pytest.raises(AddressRefused) as refused:
            guarded.fetch(f"http://a.example:{port_of(base)}/", Cut())
        assert requests == []
    assert not any(ip in refused.value.message for ip in found)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169。254。169。254", "0.0.0.0", METADATA]
)
def test_literal_addresses_inside_are_refused(host: str) -> None:
    with pytest.raises(AddressRefused):
        Fetcher(Policy()).fetch(f"http://{host}/", Cut())


def test_a_name_is_resolved_once_and_what_was_checked_is_connected_to() -> None:
    rebinding = names({"a.example": [[LOOPBACK], [METADATA]]})
    with raw_server(html()) as (base, requests):
        assert fetch(base, resolver=rebinding).body
        assert rebinding.asked == ["a.example"] and len(requests) == 1
        with pytest.raises(AddressRefused):
            fetch(base, resolver=rebinding)
        assert len(requests) == 1


def test_each_hop_is_resolved_anew_and_checked() -> None:
    rebinding = names({"a.example": [[LOOPBACK], [METADATA]]})
    with raw_server(moved("/again")) as (base, requests):
        with pytest.raises(AddressRefused):
            fetch(base, resolver=rebinding)
        assert len(requests) == 1


@pytest.mark.parametrize("status", ["301 M", "302 F", "303 S", "307 T", "308 P"])
@pytest.mark.parametrize(
    "location",
    [
        f"http://{METADATA}/",
        f"//{METADATA}/",
        f"http://{METADATA}:80/computeMetadata/v1/?recursive=true",
        "http://2852039166/",
        "http://[::ffff:169.254.169.254]/",
        "http://metadata.google.internal/",
        "http://b.example/",
        f"\\\\{METADATA}",
        f"http:\\\\{METADATA}/",
        f"http:{METADATA}/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_X",
        "data:text/html,x",
        "javascript:alert(1)",
        f"http://user:pw@{METADATA}/",
        "http://a.example:22/",
        "http:///",
    ],
)
def test_a_redirect_to_what_would_be_refused_is_refused(status: str, location: str) -> None:
    resolver = names({"a.example": [[LOOPBACK]], "b.example": [["10.1.2.3"]]})
    with raw_server(moved(location, status)) as (base, requests):
        with pytest.raises((AddressRefused, BadAddress)):
            fetch(base, resolver=resolver)
        assert len(requests) == 1


def test_a_relative_redirect_stays_with_its_host() -> None:
    talk = by_path(rest=moved("@169.254.169.254"), **{"@169.254.169.254": html(b"here")})
    with raw_server(talk) as (base, _):
        fetched = fetch(base, "/")
    assert (fetched.body, fetched.address.host) == (b"here", "a.example")


def test_what_is_cited_is_where_it_was_read() -> None:
    resolver = names({"a.example": [[LOOPBACK]], "b.example": [[LOOPBACK]]})
    with raw_server(html()) as (base, _):
        port = port_of(base)
        target = f"http://b.example:{port}/real?x=1"
        with raw_server(moved(target)) as (other, _):
            policy = Policy(
                STANDARD_PORTS | {port, port_of(other)}, also=frozenset({(LOOPBACK, port), (LOOPBACK, port_of(other))})
            )
            fetched = Fetcher(policy, resolver=Resolver(resolver)).fetch(f"http://a.example:{port_of(other)}/", Cut())
    assert fetched.address.url == target


def test_cookies_and_credentials_do_not_follow() -> None:
    with raw_server(by_path(rest=moved("/two", headers="Set-Cookie: s=1; Path=/\r\n"), two=html())) as (base, requests):
        fetch(base)
    assert len(requests) == 2 and b"cookie" not in requests[1].lower() and b"authorization" not in requests[1].lower()


def test_three_redirects_are_followed_and_no_fourth() -> None:
    with raw_server(by_path(rest=moved("/1"), **{"1": moved("/2"), "2": moved("/3"), "3": html()})) as (base, _):
        assert fetch(base).address.target == "/3"
        assert fetch(base, "/1").body
    with raw_server(moved("/again")) as (base, requests):
        with pytest.raises(AddressRefused):
            fetch(base)
        assert len(requests) == 4


def test_a_redirect_without_a_place_is_a_status() -> None:
    with raw_server(answering("302 Found")) as (base, _), pytest.raises(Unreadable, match="302"):
        fetch(base)


@pytest.mark.parametrize(
    "body",
    [
        b"<meta http-equiv=refresh content='0;url=http://169.254.169.254/'>",
        b"<script>location='http://169.254.169.254/'</script>",
    ],
)
def test_only_the_location_header_redirects(body: bytes) -> None:
    with raw_server(
        html(body, "Refresh: 0;url=http://169.254.169.254/\r\nLink: <http://169.254.169.254/>; rel=preload\r\n")
    ) as (base, requests):
        assert fetch(base).body == body
        assert len(requests) == 1


@pytest.mark.parametrize("status", ["404 X", "500 X", "429 X", "204 X", "304 X"])
def test_a_status_that_brings_no_page_is_told(status: str) -> None:
    def talk(connection: socket.socket, request: bytes) -> None:
        answering(status, b"" if status[0] in "23" else b"words", "Retry-After: 999999999\r\n")(connection, request)

    with raw_server(talk) as (base, _):
        if status.startswith("204"):
            assert fetch(base).body == b""
        else:
            with pytest.raises(Unreadable, match=status[:3]):
                fetch(base)


def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with raw_server(html()) as (proxy, asked), raw_server(html()) as (base, _):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "https_proxy"):
            monkeypatch.setenv(name, proxy)
        assert fetch(base).body
        assert asked == []


# hostile answers


def test_a_body_without_end_is_read_to_the_limit_only() -> None:
    sent = []

    def talk(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            connection.sendall(b"x" * 65_536)
            sent.append(65_536)

    with raw_server(talk) as (base, _):
        fetched = fetch(base, bytes=1_000_000)
    assert fetched.cut and len(fetched.body) == 1_000_000 and sum(sent) < 20_000_000


def test_chunks_of_one_byte_come_whole() -> None:
    pieces = b"".join(b"1\r\n%c\r\n" % byte for byte in b"hello" * 100) + b"0\r\n\r\n"

    def talk(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces)

    with raw_server(talk) as (base, _):
        assert fetch(base).body == b"hello" * 100


def test_a_length_that_lies_is_what_counts() -> None:
    def talk(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n" + b"hello" * 1000)

    with raw_server(talk) as (base, _):
        assert fetch(base).body == b"hello"


def _packed(data: bytes) -> bytes:
    """The same at every moment: workers that run side by side must collect the same tests."""
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    ("packed", "encoding"),
    [
        (_packed(b"hello"), "gzip"),
        (_packed(b"hel") + _packed(b"lo"), "x-gzip"),
        (_packed(b"hello") + b"garbage", "gzip"),
        (zlib.compress(b"hello"), "deflate"),
        (zlib.compress(b"hello")[2:-4], "deflate"),
        (b"hello", "identity"),
    ],
)
def test_what_is_packed_is_unpacked(packed: bytes, encoding: str) -> None:
    with raw_server(html(packed, f"Content-Encoding: {encoding}\r\n")) as (base, _):
        assert fetch(base).body == b"hello"


@pytest.mark.parametrize(
    ("packed", "encoding"),
    [
        (_packed(b"hello")[:-9], "gzip"),
        (b"no gzip", "gzip"),
        (b"\x1b\x03", "br"),
        (b"(\xb5/\xfd", "zstd"),
        (_packed(_packed(b"hello")), "gzip, gzip"),
    ],
)
def test_what_is_broken_or_packed_otherwise_is_not_read(packed: bytes, encoding: str) -> None:
    with raw_server(html(packed, f"Content-Encoding: {encoding}\r\n")) as (base, _), pytest.raises(Unreadable):
        fetch(base)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_bomb_is_not_unpacked(encoding: str) -> None:
    tracemalloc = pytest.importorskip("tracemalloc")
    packer = zlib.compressobj(9, zlib.DEFLATED, 31 if encoding == "gzip" else 15)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(200)) + packer.flush()
    assert len(bomb) < 300_000
    with raw_server(html(bomb, f"Content-Encoding: {encoding}\r\n")) as (base, _):
        tracemalloc.start()
        with pytest.raises(Unreadable, match="unpacked"):
            fetch(base, bytes=2_000_000)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 12_000_000


def within(seconds: float, act: Callable[[], object]) -> None:
    began = time.monotonic()
    with pytest.raises(TransportError) as cut:
        act()
    assert cut.value.reason in ("deadline", "timeout") and time.monotonic() - began < seconds


def test_headers_that_trickle_end_at_the_deadline() -> None:
    def talk(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        for n in range(400):
            connection.sendall(b"X-%d: y\r\n" % n)
            time.sleep(0.05)

    with raw_server(talk) as (base, _):
        within(3, lambda: fetch(base, seconds=0.4))


def test_answers_that_are_never_the_answer_end_at_the_deadline() -> None:
    def talk(connection: socket.socket, _request: bytes) -> None:
        while True:
            connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)

    with raw_server(talk) as (base, _):
        within(3, lambda: fetch(base, seconds=0.4))


def test_a_body_that_stalls_ends_at_the_deadline_and_is_not_taken_for_whole() -> None:
    stop = threading.Event()
    with raw_server(streaming(b"<p>nine tenths", then=stop, kind="text/html")) as (base, _):
        within(3, lambda: fetch(base, seconds=0.4))
        stop.set()


def test_the_deadline_counts_over_all_hops() -> None:
    def talk(connection: socket.socket, request: bytes) -> None:
        time.sleep(0.3)
        moved("/again")(connection, request)

    with raw_server(talk) as (base, _):
        within(3, lambda: fetch(base, seconds=0.5))


def test_a_connection_that_breaks_is_no_page() -> None:
    def talk(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nhalf")

    with raw_server(talk) as (base, _), pytest.raises(TransportError):
        fetch(base)


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"".join(b"X: y\r\n" for _ in range(10_000)) + b"\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + b"".join(b"X: y\r\n" for _ in range(300)) + b"\r\n",
        b"HTTP/1.1 200 OK\r\n\xff\xfe: \x00\r\n\r\n",
        b"HTTP/1.1 999999 X\r\n\r\n",
        b"SSH-2.0-OpenSSH\r\n",
        b"",
    ],
    ids=["long", "very many", "many", "malformed", "status", "other protocol", "nothing"],
)
def test_a_head_that_is_none_is_an_error_of_ours(head: bytes) -> None:
    with raw_server(lambda connection, _request: connection.sendall(head)) as (base, _), pytest.raises(MemexError):
        fetch(base)


def test_a_cut_ends_a_fetch_from_another_thread() -> None:
    stop, cut = threading.Event(), Cut()
    with raw_server(streaming(b"<p>", then=stop, kind="text/html")) as (base, _):
        threading.Timer(0.2, cut.cut).start()
        with pytest.raises(TransportError) as ended:
            fetcher(base, seconds=20.0).fetch(f"http://a.example:{port_of(base)}/", cut)
        stop.set()
    assert ended.value.reason == "cancelled"


def test_the_next_address_is_tried_where_one_has_no_server() -> None:
    with raw_server(html()) as (base, _):
        port = port_of(base)
        policy = Policy({port}, also=frozenset({(LOOPBACK, port), ("127.0.0.9", port)}))  # type: ignore[arg-type]
        resolver = Resolver(names({"a.example": [["127.0.0.9", LOOPBACK]]}))
        assert Fetcher(policy, Limits(seconds=5), resolver=resolver).fetch(f"http://a.example:{port}/", Cut()).body


# resolving


def test_a_resolver_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.gateway.web.resolving._SECONDS", 0.2)
    stop = threading.Event()

    def never(_host: str, _port: int) -> list[str]:
        stop.wait(20)
        return []

    resolver = Resolver(never)
    began = time.monotonic()
    for _ in range(2):
        with pytest.raises(Unreadable, match="not resolved"):
            Fetcher(Policy(), resolver=resolver).fetch("http://a.example/", Cut())
    assert time.monotonic() - began < 3
    stop.set()


def test_lookups_that_hang_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.gateway.web.resolving._SECONDS", 0.01)
    stop = threading.Event()
    resolver = Resolver(lambda _host, _port: [str(stop.wait(20))])
    guarded = Fetcher(Policy(), resolver=resolver)
    for _ in range(16):
        with pytest.raises(Unreadable):
            guarded.fetch("http://a.example/", Cut())
    with pytest.raises(Transient):
        guarded.fetch("http://a.example/", Cut())
    stop.set()


def test_a_cut_ends_the_wait_for_a_resolver() -> None:
    stop, cut = threading.Event(), Cut()
    cut.cut("cancelled")
    with pytest.raises(TransportError) as ended:
        Fetcher(Policy(), resolver=Resolver(lambda _host, _port: [str(stop.wait(20))])).fetch("http://a.example/", cut)
    stop.set()
    assert ended.value.reason == "cancelled"


def test_a_name_with_thousands_of_addresses_is_refused() -> None:
    many = names({"a.example": [[f"8.8.{n // 250}.{n % 250}" for n in range(4_000)]]})
    with pytest.raises(AddressRefused, match="4000"):
        Fetcher(Policy(), resolver=Resolver(many)).fetch("http://a.example/", Cut())


@pytest.mark.parametrize("answers", [{}, {"a.example": [[]]}])
def test_a_name_that_nobody_has(answers: dict[str, list[list[str]]]) -> None:
    with pytest.raises(Unreadable, match="no host"):
        Fetcher(Policy(), resolver=Resolver(names(answers))).fetch("http://a.example/", Cut())
