"""Where the running Memex is: `memex up` leaves its address in the data directory, the other commands find it there."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from infra.cli.errors import CliError

FILE = "address.json"


@dataclass(frozen=True)
class Address:
    """`http` is a base URL, `grpc` host:port (empty where unknown), `token` the bearer token of the API."""

    http: str
    grpc: str
    token: str

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def leave(directory: Path, address: Address) -> Path:
    """Write the address into the data directory, readable by its owner only."""
    path = directory / FILE
    fresh = directory / f".{FILE}.{os.getpid()}"
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(address.as_dict(), file)
    fresh.replace(path)
    return path


def forget(path: Path) -> None:
    """Remove the file, if it is still there."""
    path.unlink(missing_ok=True)


def find(url: str | None, token: str | None, grpc: str | None, directory: Path) -> Address:
    """The address given by options, else the one that `memex up` left. Raises CliError when there is none.

    A token found in the file is never sent to an address that was given.
    """
    if url:
        if not token:
            raise CliError("--url needs the token too: --token, or MEMEX_TOKEN.", code="no_address")
        return Address(http=url.rstrip("/").removesuffix("/api/v1"), grpc=grpc or "", token=token)
    found = _read(directory / FILE)
    return Address(http=found.http, grpc=grpc or found.grpc, token=token or found.token)


def _read(path: Path) -> Address:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return Address(http=value["http"], grpc=value["grpc"], token=value["token"])
    except FileNotFoundError:
        hint = (
            "Start it with `memex up` (or `make run`). If it runs elsewhere, say where its data is "
            "with --data or MEMEX_DATA, or name it with --url and --token."
        )
        raise CliError(f"No Memex is running here: there is no {path}. {hint}", code="no_address") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CliError(f"{path} cannot be read as an address: {error}", code="no_address") from error
