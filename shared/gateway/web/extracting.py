"""The readable text of a page, had from a worker (shared/gateway/web/worker.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shared.gateway.sandbox import Sandbox, WorkerDied
from shared.gateway.transport import Cut
from shared.gateway.web.refusals import Unreadable

_WORKER = "shared.gateway.web.worker"


@dataclass(frozen=True)
class Extracted:
    title: str
    text: str
    cut: bool
    """Whether there was more."""
    links: tuple[tuple[str, str], ...] = ()
    """Words and target of each link, as they stand in the page."""


class Extractor:
    """One for a process: the workers are counted in it."""

    def __init__(self, seconds: float = 10.0) -> None:
        self._seconds = seconds
        self._sandbox = Sandbox(_WORKER)

    def extract(self, kind: Literal["html", "pdf"], body: bytes, longest: int, cut: Cut) -> Extracted:
        """The readable text, of at most `longest` characters; HTML is given as UTF-8.

        Raises Unreadable for what cannot be taken apart in time, Transient when others do not end, and TransportError
        when cut.
        """
        try:
            answer = self._sandbox.answer(body, kind, str(longest), seconds=self._seconds, cut=cut)
        except WorkerDied as error:
            raise Unreadable(f"No text can be had from the page: {error.message}") from error
        if not isinstance(answer, dict) or "error" in answer:
            raise Unreadable(str(answer["error"]) if isinstance(answer, dict) else "The page cannot be read.")
        links = tuple((str(words), str(target)) for words, target in answer.get("links", ()))
        return Extracted(str(answer["title"]), str(answer["text"]), bool(answer["cut"]), links)
