"""The parser: CommonMark with tables and strikethrough, without HTML, without images, with links that are looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from shared.markdown import wiki
from shared.markdown.addresses import host, safe

_BARE = re.compile(r"https?://[^\s<>\"'`“”„«»…]{1,2000}")
_TRAILING = ".,;:!?*_~)]}"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_DEEPEST_HEADING = 6


@cache
def parser() -> MarkdownIt:
    """The one parser; it keeps nothing between two texts."""
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.disable("html_inline").disable("html_block")
    made.validateLink = lambda url: safe(url) is not None  # type: ignore[method-assign]
    made.core.ruler.push("wiki_links", wiki.links)
    made.core.ruler.push("bare_addresses", _bare_addresses)
    made.core.ruler.push("links", _links)
    made.core.ruler.push("headings", _headings)
    made.add_render_rule("image", _image)
    made.add_render_rule("host", _host)
    made.add_render_rule("missing", _missing)
    return made


def _headings(state: StateCore) -> None:
    """One level down: the title above the text is the first heading of the page."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, _DEEPEST_HEADING)}"


def _links(state: StateCore) -> None:
    """Rewrite each link to what `safe` makes of it, and show the host where the text does not."""
    for block in state.tokens:
        if block.children:
            block.children = _with_hosts(block.children)


def _with_hosts(tokens: Sequence[Token]) -> list[Token]:
    out: list[Token] = []
    opened: list[tuple[str, int]] = []
    for token in tokens:
        out.append(token)
        if token.type == "link_open":
            address = safe(str(token.attrs.get("href", ""))) or ""
            token.attrs = {"href": address}
            if not address.startswith("#"):
                token.attrs["rel"] = "noopener noreferrer"
            opened.append((address, len(out)))
        elif token.type == "link_close" and opened:
            address, start = opened.pop()
            shown = "".join(one.content for one in out[start:-1])
            name = host(address)
            if name and name not in shown:
                out += [Token("host", "", 0, content=name)]
    return out


def _bare_addresses(state: StateCore) -> None:
    """Addresses that stand in the text become links."""
    for block in state.tokens:
        if block.children and "://" in block.content:
            block.children = _linked(block.children)


def _linked(tokens: Sequence[Token]) -> list[Token]:
    out: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.type == "link_open") - (token.type == "link_close")
        if depth or token.type != "text" or "://" not in token.content:
            out.append(token)
            continue
        out += _pieces(token.content)
    return out


def _pieces(text: str) -> list[Token]:
    out, end = [], 0
    for match in _BARE.finditer(text):
        address = _trimmed(match[0])
        if safe(address) is None:
            continue
        out += [_text(text[end : match.start()]), *_link(address)]
        end = match.start() + len(address)
    return [*out, _text(text[end:])]


def _trimmed(address: str) -> str:
    """Without the punctuation that ends a sentence; a bracket stays where its partner is inside."""
    while address and address[-1] in _TRAILING:
        partner = _PAIRS.get(address[-1])
        if partner and address.count(partner) >= address.count(address[-1]):
            break
        address = address[:-1]
    return address


def _link(address: str) -> list[Token]:
    opening = Token("link_open", "a", 1, attrs={"href": address})
    return [opening, _text(address), Token("link_close", "a", -1)]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _image(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """An image is never loaded: a link that says so, and to where."""
    token = tokens[at]
    address = safe(str(token.attrs.get("src", "")))
    name = escapeHtml(self.renderInlineAsText(token.children or [], options, env) or "image")
    if address is None or address.startswith("#"):
        return f"<span>{name}</span>"
    return f'<a href="{escapeHtml(address)}" rel="noopener noreferrer">image: {name}</a>{_shown(host(address))}'


def _host(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return _shown(tokens[at].content)


def _missing(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f'<span class="missing">{escapeHtml(tokens[at].content)}</span>'


def _shown(name: str) -> str:
    return f' <span class="host">{escapeHtml(name)}</span>'
