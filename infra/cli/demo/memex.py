"""The sample notes: markdown files with a small front matter, beside this file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

NOTES = Path(__file__).with_name("notes")
QUESTION = "question"


@dataclass(frozen=True)
class SampleNote:
    """`name` is the file's name without number and ending, by which other notes link to it: [[name]]."""

    name: str
    title: str
    tags: tuple[str, ...]
    body: str

    @property
    def is_question(self) -> bool:
        """Whether this is the note that the demonstration has researched."""
        return QUESTION in self.tags


def sample_notes() -> tuple[SampleNote, ...]:
    """All sample notes, in the order in which they were written. Raises ValueError for a malformed file."""
    return tuple(_parsed(path) for path in sorted(NOTES.glob("*.md")))


def _parsed(path: Path) -> SampleNote:
    opening, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    if opening:
        raise ValueError(f"{path.name} does not begin with ---")
    fields = dict(line.split(": ", 1) for line in front.strip().splitlines())
    tags = tuple(tag.strip() for tag in fields["tags"].split(","))
    return SampleNote(name=path.stem.split("-", 1)[1], title=fields["title"], tags=tags, body=body.strip() + "\n")
