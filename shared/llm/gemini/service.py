"""One connection to Gemini: the SDK's client on our transport, and its errors in our terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from google import genai
from google.auth.credentials import Credentials
from google.genai import errors, types

from shared.errors import ModelOutputError
from shared.gateway.transport import Cut, build_client, translated
from shared.llm.failures import Refusal, error_of
from shared.llm.gemini.wire import Sent, Wire


@dataclass(frozen=True)
class Access:
    """With `api_key` the Gemini API, else Vertex in that project and location with tokens from `token`.

    `base_url` is another address of the service; empty: Google's own.
    """

    api_key: str = field(default="", repr=False)
    project: str = ""
    location: str = "global"
    token: Callable[[], str] | None = None
    base_url: str = ""

    @property
    def route(self) -> str:
        """Thought signatures are good for the route they came by: it is part of their provider's name."""
        return "gemini" if self.api_key else "vertex"


class Service:
    """Calls of the SDK, each under a handle of its own. The client is built at the first one."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self._wire = Wire()

    @cached_property
    def models(self) -> Any:
        """The SDK's `client.models`. It is Any: the SDK's own types change with each of its versions."""
        return self._client.models

    @cached_property
    def _client(self) -> genai.Client:
        access = self.access
        options = types.HttpOptions(
            base_url=access.base_url.rstrip("/") or None,
            httpx_client=build_client(self._wire),
            # None: its pauses could not be cut; shared.llm.retries tries again.
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        if access.api_key:
            # Told, so that GOOGLE_GENAI_USE_VERTEXAI in the environment does not decide it.
            return genai.Client(vertexai=False, api_key=access.api_key.strip(), http_options=options)
        assert access.token is not None, "Vertex needs tokens"
        return genai.Client(
            vertexai=True,
            project=access.project,
            location=access.location,
            credentials=_Tokens(access.token),
            http_options=options,
        )

    @contextmanager
    def call(self, cut: Cut, model: str) -> Iterator[Call]:
        """One request to the service and the reading of its answer. Raises what `Model.stream` may."""
        sent = Sent(cut)
        try:
            with translated(cut):
                yield Call(sent, self._wire)
        except errors.APIError as error:
            raise error_of(Refusal(error.code or 500, error.message or "", sent.headers), model) from error
        except (ValueError, errors.UnknownApiResponseError) as error:
            # What the SDK cannot read; its own message quotes the answer at length.
            raise ModelOutputError(f"The answer of {model} cannot be read ({type(error).__name__}).") from error
        finally:
            sent.close()


@dataclass(frozen=True)
class Call:
    """`sent` keeps what came back; `send` makes the request."""

    sent: Sent
    wire: Wire

    def send(self, request: Callable[[], Any]) -> Any:
        """What `request` returns; the one request that it sends is the call's."""
        with self.wire.under(self.sent):
            return request()


class _Tokens(Credentials):
    """Credentials of the SDK that ask for a token at each request: the source keeps it while it is valid."""

    def __init__(self, source: Callable[[], str]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._source = source

    @property
    def expired(self) -> bool:
        return True

    def refresh(self, _request: object) -> None:
        self.token = self._source()
