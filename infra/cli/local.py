"""Starts the local cloud for a command and stops it at the end; what goes wrong is said in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.cli.address import Address
from infra.cli.errors import CliError
from infra.cli.stopping import Stopped

ROOT = Path(__file__).resolve().parents[2]
"""The checkout: functions/, workflows/ and web_static/ are run from it."""


_OTHER_PORT = "That is --http-port or --grpc-port: memex up --http-port 0, or make run ARGS='--http-port 0'."


@contextmanager
def running(data: Path | None, **options: Any) -> Iterator[Address]:
    """The local cloud while inside, ready to be used; `data` None keeps nothing.

    The options are fields of CloudConfig. Raises CliError when it cannot start, Stopped when `stopping` said so.
    """
    from infra.local.cloud import CloudConfig, LocalCloud
    from infra.local.files import DataInUse
    from infra.local.ports import PortTaken
    from infra.local.starting import CannotStart, StartStopped

    cloud = LocalCloud(CloudConfig(ROOT, data, **options))
    try:
        try:
            addresses = cloud.start()
        except DataInUse as error:
            raise CliError(str(error), code="in_use") from error
        except PortTaken as error:
            raise CliError(f"{error} {_OTHER_PORT}", code="in_use") from error
        except StartStopped as stopped:
            raise Stopped from stopped
        except (CannotStart, OSError) as error:
            raise CliError(f"The local cloud cannot start: {error}", code="start") from error
        yield Address(http=addresses.http, grpc=addresses.grpc, token=addresses.token)
    finally:
        cloud.close()
