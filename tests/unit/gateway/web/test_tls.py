"""Behind TLS: the connection goes to the checked address, and the certificate must be that of the name."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from shared.gateway.transport import Cut, TransportError
from shared.gateway.web.fetching import Fetcher, Limits
from shared.gateway.web.policy import Policy
from shared.gateway.web.refusals import AddressRefused
from shared.gateway.web.resolving import Resolver
from tests.unit.gateway.servers import raw_server
from tests.unit.gateway.web.web import LOOPBACK, names, port_of


@dataclass
class Secured:
    """A TLS server on loopback: its port, what was asked, and the names in the handshakes."""

    port: int
    requests: list[bytes] = field(default_factory=list)
    asked_for: list[str | None] = field(default_factory=list)


def certificate(folder: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """A certificate for that name or address that signs itself, and a context that trusts it alone."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    try:
        alternative: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        alternative = x509.DNSName(name)
    begin = datetime.datetime(2020, 1, 1)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = made.public_bytes(serialization.Encoding.PEM)
    path.write_bytes(private + public)
    trusting = ssl.create_default_context(cadata=public.decode())
    return path, trusting


@contextmanager
def tls_server(
    certificate: Path, answer: bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
) -> Iterator[Secured]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server((LOOPBACK, 0))
    secured = Secured(listener.getsockname()[1])
    context.sni_callback = lambda _socket, name, _context: secured.asked_for.append(name)

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(connection, server_side=True) as tls:
                    secured.requests.append(tls.recv(65_536))
                    tls.sendall(answer)
            except OSError:
                continue

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield secured
    finally:
        listener.close()


def fetcher(port: int, verify: ssl.SSLContext, **limits: float) -> Fetcher:
    policy = Policy(frozenset({port}), also=frozenset({(LOOPBACK, port)}))
    resolver = Resolver(names({"a.example": [[LOOPBACK]]}))
    return Fetcher(policy, Limits(**{"seconds": 5.0, **limits}), resolver=resolver, verify=verify)  # type: ignore[arg-type]


def test_the_name_is_what_is_asked_for_and_what_the_certificate_must_have(tmp_path: Path) -> None:
    path, trusting = certificate(tmp_path, "a.example")
    with tls_server(path) as server:
        url = f"https://a.example:{server.port}/x"
        assert fetcher(server.port, trusting).fetch(url, Cut()).body == b"hi"
    assert server.asked_for == ["a.example"]
    assert f"host: a.example:{server.port}".encode() in server.requests[0].lower()


@pytest.mark.parametrize("name", ["b.example", LOOPBACK])
def test_a_certificate_of_another_name_or_of_the_address_is_refused(tmp_path: Path, name: str) -> None:
    path, trusting = certificate(tmp_path, name)
    with tls_server(path) as server:
        with pytest.raises(TransportError):
            fetcher(server.port, trusting).fetch(f"https://a.example:{server.port}/", Cut())
        assert server.requests == []


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    path, _ = certificate(tmp_path, "a.example")
    with tls_server(path) as server:
        with pytest.raises(TransportError):
            fetcher(server.port, ssl.create_default_context()).fetch(f"https://a.example:{server.port}/", Cut())
        assert server.requests == []


def test_an_address_has_the_certificate_of_the_address(tmp_path: Path) -> None:
    path, trusting = certificate(tmp_path, LOOPBACK)
    with tls_server(path) as server:
        assert fetcher(server.port, trusting).fetch(f"https://{LOOPBACK}:{server.port}/", Cut()).body == b"hi"


def test_a_redirect_from_https_to_http_is_refused(tmp_path: Path) -> None:
    path, trusting = certificate(tmp_path, "a.example")
    answer = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://a.example/\r\n\r\n"
    with tls_server(path, answer) as server, pytest.raises(AddressRefused, match="https to http"):
        fetcher(server.port, trusting).fetch(f"https://a.example:{server.port}/", Cut())


def test_a_handshake_that_never_ends_ends_with_the_time_to_connect() -> None:
    stop = threading.Event()
    began = time.monotonic()
    with raw_server(lambda _connection, _request: stop.wait(20) and None) as (base, _):
        port = port_of(base)
        with pytest.raises(TransportError):
            fetcher(port, ssl.create_default_context(), connect_seconds=0.4).fetch(f"https://a.example:{port}/", Cut())
        stop.set()
    assert time.monotonic() - began < 3
