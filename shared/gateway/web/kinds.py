"""What kind of thing came: by its first bytes, held against what its header says."""

from __future__ import annotations

from typing import Literal

from shared.gateway.web.refusals import Unreadable

Kind = Literal["html", "text", "json", "pdf"]

_LOOKED_AT = 1024
_PDF = b"%PDF-"
_MARKUP = (b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<title", b"<meta")
_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
_BINARY = (
    b"\x7fELF",
    b"MZ",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"\x1f\x8b",
    b"Rar!",
    b"BZh",
)
_UNSAID = ("", "application/octet-stream", "binary/octet-stream", "application/x-download", "application/unknown")
_TEXTS = (
    "application/xml",
    "application/javascript",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/rtf",
)


def kind_of(content_type: str, body: bytes) -> Kind:
    """What the body can be read as. Raises Unreadable for what is no text, and for what is not what it says it is."""
    declared = content_type.partition(";")[0].strip().lower()
    head = body[:_LOOKED_AT]
    is_pdf = _PDF in head
    if declared in ("application/pdf", "application/x-pdf") or (declared in _UNSAID and is_pdf):
        if not is_pdf:
            raise Unreadable("The page says that it is a PDF, and is none.")
        return "pdf"
    kind = _text_kind(declared, head)
    if kind is None:
        raise Unreadable(f"It is {declared[:100]}, of which no text can be read.")
    if is_pdf and head.lstrip().startswith(_PDF) or _is_binary(head):
        raise Unreadable(f"The page says that it is {declared or 'text'}, and is not: no text can be read.")
    return kind


def _text_kind(declared: str, head: bytes) -> Kind | None:
    if declared in ("text/html", "application/xhtml+xml"):
        return "html"
    if declared == "application/json" or declared.endswith("+json"):
        return "json"
    if declared in _UNSAID:
        return "html" if _looks_like_html(head) else "text"
    if declared.startswith("text/") or declared in _TEXTS or (declared.endswith("+xml") and "svg" not in declared):
        return "text"
    return None


def _looks_like_html(head: bytes) -> bool:
    return head.lstrip(b" \t\r\n\xef\xbb\xbf").lower().startswith(_MARKUP)


def _is_binary(head: bytes) -> bool:
    if head.startswith(_BINARY):
        return True
    return b"\0" in head and not head.startswith(_UNICODE_MARKS)
