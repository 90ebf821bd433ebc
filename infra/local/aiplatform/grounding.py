"""Searches with Google, emulated: a request with the tool googleSearch is answered from the invented pages.

Sources are redirect links, as the service gives them; they lead to the pages that the local cloud serves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import request

from infra.local.aiplatform.prompt import Note, Prompt
from infra.local.aiplatform.redirects import Redirects
from infra.local.aiplatform.selection import choose
from infra.local.aiplatform.sentences import sentences_of
from infra.local.web.corpus import WebPage, found

LABEL = "(Emulated search of the local cloud: its pages are invented.)"
_SENTENCES = 3
"""Of each page, at most."""


@dataclass(frozen=True)
class Grounded:
    """The text of an answer and its groundingMetadata."""

    text: str
    metadata: Mapping[str, Any]


@dataclass
class Grounding:
    """`web` is the base address of the pages; without one nothing is found."""

    redirects: Redirects
    web: str = ""

    def answer(self, query: str) -> Grounded:
        """What the pages say to the query, each sentence with the page it is from."""
        pages = found(query) if self.web else ()
        answer = _Answer()
        for index, page in enumerate(pages):
            answer.cite(_fitting(query, page), index)
        text = f"{answer.text}\n{LABEL}" if pages else f"I found no page about this. {LABEL}"
        metadata: dict[str, Any] = {"webSearchQueries": [query]}
        if pages:
            metadata["searchEntryPoint"] = {"renderedContent": "<div>Emulated search</div>"}
            metadata["groundingChunks"] = [{"web": {"uri": self._link(page), "title": page.title}} for page in pages]
            metadata["groundingSupports"] = answer.supports
        return Grounded(text, metadata)

    def _link(self, page: WebPage) -> str:
        token = hashlib.sha256(f"{self.web}{page.path}".encode()).hexdigest()[:40]
        self.redirects.add(token, f"{self.web}{page.path}")
        return f"{request.host_url}grounding-api-redirect/{token}"


@dataclass
class _Answer:
    text: str = ""
    supports: list[dict[str, Any]] = field(default_factory=list)

    def cite(self, sentences: Sequence[str], source: int) -> None:
        for sentence in sentences:
            start = len(self.text.encode())
            self.text += sentence
            segment = {"endIndex": len(self.text.encode()), "text": sentence}
            if start:  # zeros are left out on the wire
                segment["startIndex"] = start
            self.supports.append({"segment": segment, "groundingChunkIndices": [source], "confidenceScores": [0.9]})
            self.text += " "


def wants_search(body: Mapping[str, Any]) -> bool:
    """Whether a request (camelCase) offers the model Google's search."""
    return any("googleSearch" in tool for tool in body.get("tools") or ())


def query_of(body: Mapping[str, Any]) -> str:
    """What the person said last, without what stands below it."""
    said = [
        str(part["text"])
        for content in body["contents"]
        if content.get("role", "user") == "user"
        for part in content["parts"]
        if part.get("text")
    ]
    return said[-1].partition("\n\n")[0].strip() if said else ""


def _fitting(query: str, page: WebPage) -> list[str]:
    """Sentences of the page that bear on the query, filled up with its first ones."""
    note = Note(page.path, page.title, page.text)
    chosen = [each.sentence.text for each in choose(Prompt("", query, (note,))).chosen]
    return list(dict.fromkeys([*chosen, *(sentence.text for sentence in sentences_of(note))]))[:_SENTENCES]
