"""The one RSA key of the local cloud: made at its first use, kept in the data directory."""

from __future__ import annotations

import base64
import hashlib
import os
import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey


class KeyStore:
    """The signing key of one data directory; two processes that start at once agree on the same key."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "iam-key.pem"
        self._lock = threading.Lock()
        self._pem: bytes | None = None

    def pem(self) -> bytes:
        """The private key, PKCS#8 PEM, made when there is none yet (about 0.1 s, once per data directory)."""
        with self._lock:
            if self._pem is None:
                self._pem = self._load_or_make()
            return self._pem

    @cached_property
    def private(self) -> RSAPrivateKey:
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        key = load_pem_private_key(self.pem(), password=None)
        if not isinstance(key, RSAPrivateKey):
            raise ValueError(f"{self._path} holds no RSA key")
        return key

    @cached_property
    def public(self) -> RSAPublicKey:
        return self.private.public_key()

    @cached_property
    def key_id(self) -> str:
        """The `kid` of tokens and of the JWKS page; a function of the key alone."""
        numbers = self.public.public_numbers()
        return hashlib.sha256(f"{numbers.n}:{numbers.e}".encode()).hexdigest()[:40]

    def secret(self, purpose: str) -> bytes:
        """A symmetric secret of 32 bytes, derived from the key, one per purpose."""
        return hashlib.sha256(purpose.encode() + b"\0" + self.pem()).digest()

    def jwks(self) -> dict[str, list[dict[str, str]]]:
        """The public key as a JSON Web Key Set (RFC 7517), with the members of Google's own page."""
        numbers = self.public.public_numbers()
        key = {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": self.key_id}
        return {"keys": [{**key, "n": _base64url(numbers.n), "e": _base64url(numbers.e)}]}

    def _load_or_make(self) -> bytes:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not self._path.exists():
            self._make()
        return self._path.read_bytes()

    def _make(self) -> None:
        from cryptography.hazmat.primitives.asymmetric import rsa
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        draft = self._path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.tmp")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        try:
            os.link(draft, self._path)  # appears whole, and the first of two wins, be they processes or threads
        except FileExistsError:
            pass
        finally:
            draft.unlink()


def _base64url(number: int) -> str:
    size = (number.bit_length() + 7) // 8
    return base64.urlsafe_b64encode(number.to_bytes(size, "big")).rstrip(b"=").decode()
