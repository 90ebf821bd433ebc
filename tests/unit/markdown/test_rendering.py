"""What comes out of ordinary text, whole and while it is still being written."""

from __future__ import annotations

import pytest
from markdown_it.token import Token

from shared.markdown import Growing, blocks, html, streaming
from shared.markdown.parser import parser

REPORT = """# Cold and batteries

Below zero the **usable** share falls [1][2].

| at | share |
|---:|---|
| -10 | 70 % |

- a list
- with *two* items

1. one

```python
if a < b:
    pass
```

> a quote

See https://a.example/x. And [a note](memex://notes/n%201), ~~gone~~.
"""


def test_a_text_is_rendered_with_its_headings_one_level_down() -> None:
    markup = html(REPORT)
    assert "<h2>Cold and batteries</h2>" in markup and "<h1" not in markup
    assert '<td align="right">-10</td>' in markup
    assert '<code class="language-python">if a &lt; b:' in markup
    assert "<s>gone</s>" in markup and "[1][2]" in markup


def test_an_address_in_the_text_is_a_link_without_the_full_stop() -> None:
    assert '<a href="https://a.example/x" rel="noopener noreferrer">https://a.example/x</a>.' in html(REPORT)
    assert 'href="https://a.example/b_(c)"' in html("(https://a.example/b_(c))")
    assert "<a" not in html("`https://a.example`")


def test_notes_are_linked_inside_the_page() -> None:
    assert '<a href="#/notes/n%201">a note</a>' in html(REPORT)
    assert '<a href="#/notes/n2">x</a>' in html("[x](#/notes/n2)")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("#/documents/d1?page=12", "#/documents/d1?page=12"),
        ("#/documents/d1", "#/documents/d1"),
        ("memex://documents/d%201?page=3", "#/documents/d%201?page=3"),
        ("#/documents/d1?page=0", None),
        ("#/documents/d1?page=1&x=2", None),
        ("#/documents/../notes/n1", None),
        ("#/documents/d1/content", None),
    ],
)
def test_a_page_of_a_document_is_linked_like_a_note(address: str, shown: str | None) -> None:
    found = html(f"[x]({address})")
    assert f'<a href="{shown}">x</a>' in found if shown else "<a" not in found


@pytest.mark.parametrize("size", [1, 7, 40, 10_000])
def test_a_text_in_pieces_comes_out_as_the_whole_does(size: int) -> None:
    growing, out = Growing(), ""
    for start in range(0, len(REPORT), size):
        out += "".join(growing.add(REPORT[start : start + size]))
    assert out + growing.finish() == html(REPORT)


def test_what_is_finished_never_changes_and_the_tail_is_the_last_block() -> None:
    growing = Growing()
    assert growing.add("One para") == ()
    assert growing.add("graph.\n") == () and growing.add("\n") == ()
    assert growing.add("A") == ("<p>One paragraph.</p>\n",) and growing.tail == "A"
    assert growing.add("nother **bold**") == () and growing.finish() == "<p>Another <strong>bold</strong></p>\n"


@pytest.mark.slow
@pytest.mark.parametrize("line", ["- an item with some words\n", "| one | two |\n|--|--|\n", "words\n", "[a](\n"])
def test_a_long_block_in_small_pieces_costs_little(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    class Counting:
        def parse(self, text: str) -> list[Token]:
            read.append(len(text))
            return parser().parse(text)

    monkeypatch.setattr(streaming, "parser", Counting)
    text, growing = line * (24_000 // len(line)), Growing()
    for start in range(0, len(text), 4):
        growing.add(text[start : start + 4])
    assert 0 < sum(read) < 40 * len(text), "looking again with every line would read thousands of times as much"


def test_an_open_code_block_is_shown_as_code_while_it_grows() -> None:
    assert blocks("```\na <b>").tail == "<pre><code>a &lt;b&gt;</code></pre>\n"


@pytest.mark.parametrize("text", ["", "\n\n", "   "])
def test_nothing_is_nothing(text: str) -> None:
    assert html(text) == "" and blocks(text).finished == () and blocks(text).tail == ""
