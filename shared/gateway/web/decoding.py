"""From bytes to text, whatever they claim to be written in."""

from __future__ import annotations

import codecs
import re

_DECLARED = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_LOOKED_AT = 2048
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_KNOWN = re.compile(
    r"utf-8|utf-16(-[lb]e)?|iso8859-\d+|cp125\d|cp(437|850|866|874|932|949)|koi8-[ru]|ascii|mac-(roman|cyrillic)|"
    r"shift_jis|euc_(jp|kr)|iso2022_jp|gb(2312|k|18030)|big5(hkscs)?"
)
"""By Python's names. Others are left out on purpose: UTF-7 hides markup, and some of these codecs are no charsets."""


def decoded(body: bytes, content_type: str, *, markup: bool = False) -> str:
    """The text: by its mark, else by its header, else (`markup`) by what it says at its beginning, else as UTF-8.

    What cannot be read becomes the replacement character; NULs and lone surrogates are not in it.
    """
    for mark, charset in _MARKS:
        if body.startswith(mark):
            return _clean(body[len(mark) :].decode(charset, "replace"))
    named = declared(content_type) or (declared(body[:_LOOKED_AT].decode("latin-1")) if markup else "")
    return _clean(body.decode(named or "utf-8", "replace"))


def declared(text: str) -> str:
    """Python's name of the charset that a header or the beginning of a page declares; "" for none that is taken."""
    found = _DECLARED.search(text)
    if found is None:
        return ""
    try:
        name = codecs.lookup(found[1]).name
    except (LookupError, ValueError):
        return ""
    if name in ("iso8859-1", "ascii"):  # as browsers do: what claims to be Latin-1 mostly is Windows'
        return "cp1252"
    return name if _KNOWN.fullmatch(name) else ""


def _clean(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "replace").decode()
