"""Where the value of API_TOKENS lies: in a data directory, in Secret Manager, or wherever the caller puts it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Protocol

from infra.cli.address import FILE
from infra.cli.errors import CliError
from infra.local.files import alone_with_tokens, keep_tokens, kept_tokens
from shared.contracts.grants import Grant, read, written

VARIABLE = "API_TOKENS"


class TokenStore(Protocol):
    """The tokens are read once, and then written at most once."""

    def alone(self) -> AbstractContextManager[None]:
        """Inside, nobody else here changes the tokens, as far as that can be kept from them. Raises CliError."""

    def read(self) -> str:
        """The present value. Raises CliError."""

    def write(self, value: str) -> Mapping[str, str]:
        """Keep another one; answers what else a caller should know, by name. Raises CliError."""


class InData:
    """The data directory of `memex up`."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @contextmanager
    def alone(self) -> Iterator[None]:
        with ExitStack() as held:
            try:
                held.enter_context(alone_with_tokens(self._directory))
            except OSError as error:
                message = f"The tokens in {self._directory} cannot be changed: {error}"
                raise CliError(message, code="no_store") from error
            yield

    def read(self) -> str:
        try:
            return kept_tokens(self._directory)
        except (OSError, UnicodeDecodeError) as error:
            raise CliError(f"The tokens in {self._directory} cannot be read: {error}", code="no_store") from error

    def write(self, value: str) -> Mapping[str, str]:
        try:
            keep_tokens(self._directory, value)
        except OSError as error:
            raise CliError(f"The tokens cannot be kept in {self._directory}: {error}", code="no_store") from error
        running = (self._directory / FILE).exists()
        return {"note": "Memex is running: start it again, and it takes the tokens as they are now."} if running else {}


class InVariable:
    """The variable API_TOKENS, which the caller sets anew with what is printed."""

    def alone(self) -> AbstractContextManager[None]:
        return nullcontext()

    def read(self) -> str:
        return os.environ.get(VARIABLE, "")

    def write(self, value: str) -> Mapping[str, str]:
        return {VARIABLE: value}


def grants_in(store: TokenStore) -> tuple[Grant, ...]:
    """The tokens of a store. Raises CliError for a value that is none; it is not quoted."""
    try:
        return read(store.read())
    except ValueError as error:
        raise CliError(f"The present value of {VARIABLE} is malformed: {error}.", code="malformed") from error


def changed(store: TokenStore, change: Callable[[tuple[Grant, ...]], tuple[Grant, ...]]) -> Mapping[str, str]:
    """Write what `change` makes of the tokens; see TokenStore.write."""
    with store.alone():
        return store.write(written(change(grants_in(store))))
