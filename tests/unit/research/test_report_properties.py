"""Steps of any shape, and texts of any content: the report code never fails, and its numbers always name a source."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.contracts.notes import Note, NoteKind
from shared.research.progress import progress, usage_of
from tests.unit.research.build import report, text

NAMES = st.sampled_from(
    [
        "type",
        "content",
        "text",
        "annotations",
        "url",
        "title",
        "start_index",
        "end_index",
        "summary",
        "result",
        "arguments",
    ]
)
TYPES = st.sampled_from(
    ["model_output", "text", "thought", "url_citation", "file_citation", "google_search_result", "image", "x"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | TYPES
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6), max_leaves=25
)
STEP = st.dictionaries(NAMES, JSON, max_size=5).map(lambda step: {"type": "model_output", **step})
MARKDOWN = st.lists(
    st.sampled_from(
        [
            "[1]", "[cite: 1, 2]", "[a](https://a.example)", "[[3]](https://b.example/x_(y))", "https://c.example/z.",
            "<https://d.example>", "`[4](x)`", "\n```\n", "\n~~~\n", "\n\n", "| a | b |", "![i](https://evil.example/p)",
            "[", "](", "(", ")", "**Sources:**\n", "\n1. [s](https://s.example)\n", "[^1]", "\n[^1]: https://f.example\n",
            "word ", "é🐝",
            "memex://notes/n1", "[n](memex://notes/n2)", "[x](javascript:alert(1))", "# H\n",
        ]
    ),
    max_size=25,
).map("".join)  # fmt: skip

CODE = re.compile(r"(?ms)^ {0,3}(```|~~~).*?(^ {0,3}\1|\Z)|(?<!`)(`+)(?!`).+?(?<!`)\3(?!`)")


@settings(max_examples=150, deadline=None)
@given(st.lists(STEP, max_size=5))
def test_steps_of_any_shape_never_fail(steps: list[Any]) -> None:
    made = report(*steps)
    progress(steps, 0, ended=True)
    usage_of(steps[0] if steps else None, steps)
    Note.model_validate(
        {
            "id": "n",
            "kind": NoteKind.RESEARCH,
            "body": made.body,
            "citations": [c.model_dump() for c in made.citations],
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
        }
    )
    made.body.encode()  # no lone surrogates: Firestore could not store them


@settings(max_examples=300, deadline=None)
@given(MARKDOWN, st.lists(st.tuples(st.integers(-5, 200), st.integers(-5, 200), st.integers(0, 3)), max_size=5))
def test_every_number_in_the_text_names_a_source(words: str, spans: list[tuple[int, int, int]]) -> None:
    marks = [
        {"type": "url_citation", "url": f"https://m{n}.example/", "start_index": start, "end_index": end}
        for start, end, n in spans
    ]
    made = report({"type": "model_output", "content": [text(words, *marks)]}, notes={"n1": "One"})
    numbers = [c.n for c in made.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    outside_code = CODE.sub("", made.text)
    assert {int(n) for n in re.findall(r"\[(\d+)\]", outside_code)} <= set(numbers)
    assert "evil.example" not in outside_code and "javascript:" not in outside_code
    assert len({c.url or c.note_id for c in made.citations}) == len(numbers)
