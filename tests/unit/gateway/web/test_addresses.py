"""The address table: every class that is not the public internet, and what must stay allowed."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from shared.gateway.web.addresses import is_public

_REFUSED = """
127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.5 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 169.254.170.2
100.64.0.1 100.127.255.255 100.100.100.200 192.0.0.192 192.0.0.8 192.88.99.1 198.18.0.1 198.19.255.255 240.0.0.1
255.255.255.255 192.0.2.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 168.63.129.16 199.36.153.8 199.36.153.4
:: ::1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 0:0:0:0:0:ffff:a9fe:a9fe ::ffff:8.8.8.8 ::127.0.0.1 ::8.8.8.8
::ffff:0:127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8 64:ff9b:1::a9fe:a9fe 64:ff9b:1:fffe::1 2002:a9fe:a9fe::
2002:808:808::1 2001:0:a9fe:a9fe::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 3fff::1 3ffe::1 100::1
100:0:0:1::1 5f00::1 fe80::a9fe:a9fe fe80::1%eth0 fec0::1 fd20:ce::254 fd00:ec2::254 fc00::1 ff02::1 ff0e::1
4000::1 8000::1 f000::1 400::1 2600:1900::5efe:10.0.0.1 2600:1900::200:5efe:7f00:1 2606:4700:4700::1111%eth0
"""
_ALLOWED = """
8.8.8.8 1.1.1.1 100.63.255.254 100.128.0.1 172.15.255.255 172.32.0.1 169.253.255.255 169.255.0.1 192.0.1.1
198.17.255.255 198.20.0.1 223.255.255.255 11.0.0.1 126.255.255.255 128.0.0.1 199.36.153.12
2606:4700:4700::1111 64:ff9c::1 2001:4860:4860::8888 2001:200::1 2003::1 2a00:1450::1 2600:1900::1 2003:a9fe:a9fe::
"""


@pytest.mark.parametrize("address", _REFUSED.split())
def test_what_is_not_the_public_internet_is_refused(address: str) -> None:
    assert not is_public(address)
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", _ALLOWED.split())
def test_what_is_public_is_allowed(address: str) -> None:
    assert is_public(address)
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "text", ["", "localhost", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "8.8.8.8/32", "[::1]", "8.8.8.8 "]
)
def test_what_is_no_address_is_not_public(text: str) -> None:
    assert not is_public(text)
