"""A small client of Memex's HTTP API."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from infra.cli.address import Address
from infra.cli.errors import CliError
from shared.clock import Clock, SystemClock
from shared.redaction import learn

TRIES = 3
RETRY_AFTER_CAP_SECONDS = 5.0
_TOKEN = re.compile(r"[\x21-\x7e]+")


class Unreachable(CliError):
    """Nobody answered, or the connection broke."""


class _Elsewhere(CliError):
    """421: another function answers this, at the URL of the details."""


class ApiClient:
    """Requests with the bearer token; what the server refuses is raised as CliError with its own words."""

    def __init__(
        self, address: Address, *, timeout_seconds: float = 30.0, clock: Clock | None = None, workspace: str = ""
    ) -> None:
        self.address = address
        learn([address.token])
        self.clock = clock or SystemClock()
        self._elsewhere: dict[
            str, str
        ] = {}  # by the collection of a path: the function that answers it, where it lives
        if not _TOKEN.fullmatch(address.token):
            message = "The token has characters that no header may carry: blanks, controls or none of ASCII."
            raise CliError(message, code="no_address")
        try:
            self._http = httpx.Client(
                base_url=address.http,
                trust_env=False,
                timeout=httpx.Timeout(timeout_seconds, connect=5.0),
                headers=_headers(address.token, workspace),
            )
        except (httpx.InvalidURL, ValueError) as error:
            raise CliError(f"This address cannot be used: {error}", code="no_address") from error

    def __enter__(self) -> ApiClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def get(self, path: str, **params: Any) -> dict[str, Any]:
        """The JSON object at the path; parameters that are None are left out. Retried when the server is busy."""
        given = {name: value for name, value in params.items() if value is not None}
        return self._repeated("GET", path, params=given)

    def post(self, path: str, body: dict[str, Any] | None = None, *, key: str | None = None) -> dict[str, Any]:
        """Send a POST; with an idempotency key it may be sent again when its answer is lost."""
        if key is None:
            return self._once("POST", path, json=body)
        return self._repeated("POST", path, json=body, headers={"Idempotency-Key": key})

    def upload(self, path: str, name: str, data: bytes, *, key: str) -> dict[str, Any]:
        """A form with one file, sent again when its answer is lost: with its key it is the same document."""
        return self._repeated("POST", path, files={"file": (name, data)}, headers={"Idempotency-Key": key})

    def send(self, path: str, data: bytes, content_type: str, **params: Any) -> dict[str, Any]:
        """POST bytes as they are, once."""
        return self._once("POST", path, content=data, params=params, headers={"Content-Type": content_type})

    def octets(self, path: str, **params: Any) -> bytes:
        """The bytes at the path, all at once."""
        try:
            response = self._http.get(path, params=params)
        except httpx.TransportError as error:
            raise self._unreachable(error) from error
        if not response.is_success:
            raise _refusal(response)
        return response.content

    def put(self, url: str, file: Path, headers: dict[str, str]) -> None:
        """Send a file to a signed address of another service, which must not see our token."""
        try:
            with file.open("rb") as data, httpx.Client(trust_env=False, timeout=self._http.timeout) as other:
                response = other.put(url, content=data, headers={"Content-Length": str(file.stat().st_size), **headers})
        except httpx.TransportError as error:
            raise self._unreachable(error) from error
        if not response.is_success:
            raise _refusal(response)

    @contextmanager
    def download(self, path: str) -> Iterator[Iterator[bytes]]:
        """The bytes at the path, or at the place to which it leads; our token goes to our own server alone."""
        try:
            with self._http.stream("GET", path) as response:
                if response.is_redirect:
                    with httpx.stream("GET", response.headers["Location"], trust_env=False) as elsewhere:
                        yield _body(elsewhere)
                    return
                yield _body(response)
        except httpx.TransportError as error:
            raise self._unreachable(error) from error

    def patch(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return self._once("PATCH", path, json=body)

    def replace(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """PUT, which may be sent again."""
        return self._repeated("PUT", path, json=body)

    def health(self, path: str) -> dict[str, Any]:
        """What a function says of its health, good or bad."""
        try:
            return self._once("GET", path)
        except _Busy as busy:
            if "checks" in busy.answer:
                return dict(busy.answer)
            raise

    def delete(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """What was answered; nothing where there is nothing to say."""
        return self._once("DELETE", path, json=body)

    def put_json(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Put an object to the path, again where the answer was lost."""
        return self._repeated("PUT", path, json=body)

    @contextmanager
    def stream(
        self, path: str, *, after: int, silence_seconds: float, limit_seconds: float | None
    ) -> Iterator[Iterator[bytes]]:
        """The bytes of an event stream after event number `after`.

        `silence_seconds` without a byte, and `limit_seconds` in all, break it off: that is Unreachable, or its end.
        """
        headers = {"Last-Event-ID": str(after)} if after else {}
        with (
            self._streamed("GET", path, headers, None, silence_seconds) as response,
            _cut_after(response, limit_seconds),
        ):
            yield response.iter_bytes()

    @contextmanager
    def stream_of(
        self, path: str, body: dict[str, Any], *, key: str, silence_seconds: float
    ) -> Iterator[Iterator[bytes]]:
        """The bytes of the event stream that a POST answers; sent again with the same key, it joins what it began."""
        with self._streamed("POST", path, {"Idempotency-Key": key}, body, silence_seconds) as response:
            yield response.iter_bytes()

    @contextmanager
    def _streamed(
        self, method: str, path: str, headers: dict[str, str], body: dict[str, Any] | None, silence_seconds: float
    ) -> Iterator[httpx.Response]:
        headers = {"Accept": "text/event-stream", **headers}
        timeout = httpx.Timeout(silence_seconds, connect=5.0)
        request = self._http.build_request(method, self._url(path), headers=headers, json=body, timeout=timeout)
        with ExitStack() as open_response:
            try:
                response = self._http.send(request, stream=True)
                open_response.callback(response.close)
                if response.status_code == 200:
                    yield response
                    return
                response.read()
            except httpx.TransportError as error:
                raise self._unreachable(error) from error
            refusal = _refusal(response)
            if not isinstance(refusal, _Elsewhere):
                raise refusal
            self._learn(path, refusal)
            yield open_response.enter_context(self._streamed(method, path, headers, body, silence_seconds))

    def _url(self, path: str) -> str:
        return self._elsewhere.get(_collection(path), "") + path

    def _learn(self, path: str, there: _Elsewhere) -> None:
        """Where the path is answered; our own server says so, so the token may go there. Raises it the second time."""
        url = str(there.details.get("url", ""))
        if _collection(path) in self._elsewhere or not url.startswith(("https://", "http://127.0.0.1:")):
            raise there
        self._elsewhere[_collection(path)] = url.rstrip("/")

    def _repeated(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        for _ in range(TRIES - 1):
            try:
                return self._once(method, path, **options)
            except _Busy as busy:
                self.clock.sleep(min(busy.retry_after_seconds, RETRY_AFTER_CAP_SECONDS))
            except Unreachable as error:
                if isinstance(error.__cause__, httpx.ConnectError):
                    raise
        return self._once(method, path, **options)

    def _once(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        try:
            response = self._http.request(method, self._url(path), **options)
        except httpx.TransportError as error:
            raise self._unreachable(error) from error
        if response.is_success:
            return _object(response)
        refusal = _refusal(response)
        if not isinstance(refusal, _Elsewhere):
            raise refusal
        self._learn(path, refusal)
        return self._once(method, path, **options)

    def _unreachable(self, error: httpx.TransportError) -> Unreachable:
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            hint = "Is Memex running? Start it with `memex up`."
            return Unreachable(f"Nothing answers at {self.address.http}. {hint}", code="unreachable")
        if isinstance(error, httpx.UnsupportedProtocol):
            return Unreachable(f"{self.address.http} is not an http address.", code="no_address")
        reason = str(error) or type(error).__name__
        return Unreachable(f"The connection to {self.address.http} broke: {reason}", code="broken")


def _collection(path: str) -> str:
    """/api/v1/chat of /api/v1/chat/sessions: what one function answers."""
    return "/".join(path.split("?")[0].split("/")[:4])


def _headers(token: str, workspace: str) -> dict[str, str]:
    """What every request has; the workspace is said where one is named."""
    if workspace and not _TOKEN.fullmatch(workspace):
        raise CliError("MEMEX_WORKSPACE has characters that no header may carry.", code="no_address")
    headers = {"Authorization": f"Bearer {token}", "User-Agent": "memex-cli"}
    return headers | ({"X-Memex-Workspace": workspace} if workspace else {})


def _body(response: httpx.Response) -> Iterator[bytes]:
    if not response.is_success:
        response.read()
        raise _refusal(response)
    return response.iter_bytes()


@contextmanager
def _cut_after(response: httpx.Response, seconds: float | None) -> Iterator[None]:
    """While inside, the response's socket is shut down after so many seconds: a blocked read ends then."""
    if seconds is None:
        yield
        return
    connection = response.extensions["network_stream"].get_extra_info("socket")
    timer = threading.Timer(seconds, _shut, [connection])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # closed already
        connection.shutdown(socket.SHUT_RDWR)


class _Busy(CliError):
    """503, or too many requests: the server asks to come again."""

    retry_after_seconds = 1.0
    answer: Mapping[str, Any] = {}
    """What it said that is no error of ours."""


def _object(response: httpx.Response) -> dict[str, Any]:
    try:
        value = response.json() if response.content else {}
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise CliError(f"{response.url} did not answer a JSON object; is this a Memex?", code="not_json")
    return value


def _refusal(response: httpx.Response) -> CliError:
    try:
        error = response.json()["error"]
        message, code, details = str(error["message"]), str(error["code"]), dict(error.get("details") or {})
    except (ValueError, KeyError, TypeError):
        message = f"{response.request.method} {response.url} answered {response.status_code}: {response.text[:200]}"
        code, details = f"http_{response.status_code}", {}
    if code == "workspace_needed" and isinstance(known := details.get("workspaces"), list):
        message = f"You are a member of several workspaces: set MEMEX_WORKSPACE to one of {', '.join(map(str, known))}."
        return CliError(message, code=code)
    if response.status_code == 421:
        return _Elsewhere(message, code=code, details=details)
    if response.status_code != 503 and code != "rate_limited":
        return CliError(message, code=code, details=details)
    busy = _Busy(message, code=code, details=details)
    with suppress(ValueError):
        said = response.json()
        busy.answer = said if isinstance(said, dict) else {}
    asked = response.headers.get("Retry-After", "")
    busy.retry_after_seconds = float(asked) if asked.isdigit() else 1.0
    return busy
