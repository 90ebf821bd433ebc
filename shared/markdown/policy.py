"""The last look at the HTML, whatever the parser let through: an allow-list of what text needs."""

from __future__ import annotations

import re

import nh3

_BLOCKS = {"blockquote", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul"}
_TABLES = {"table", "tbody", "td", "th", "thead", "tr"}
_WORDS = {"a", "br", "code", "del", "em", "s", "span", "strong"}
ATTRIBUTES = {
    "a": {"href", "rel"},
    "code": {"class"},
    "ol": {"start"},
    "span": {"class"},
    "td": {"align"},
    "th": {"align"},
}
_CLASS = re.compile(r"\A(?:host|missing|language-[\w+#.-]{1,40})\Z")
_HREF = re.compile(r"\A(?:https?://|mailto:|#/notes/|#/documents/)", re.IGNORECASE)
_ALIGN = re.compile(r"text-align:(left|right|center)")


def clean(markup: str) -> str:
    """The HTML with allowed elements and attributes only."""
    aligned = _ALIGN.sub(r"\1", markup.replace(' style="text-align:', ' align="text-align:'))
    return nh3.clean(
        aligned,
        tags=_BLOCKS | _TABLES | _WORDS,
        attributes=ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,  # the parser has set it, on outside links alone
        strip_comments=True,
    )


def _attribute(_element: str, name: str, value: str) -> str | None:
    if name == "href":
        return value if _HREF.match(value) else None
    if name == "class":
        return value if _CLASS.match(value) else None
    return value
