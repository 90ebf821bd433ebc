"""What a file is, by its content: a name only chooses among kinds of text, and is believed nowhere else."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

from shared.contracts.documents import DocumentType
from shared.documents.archives import office_type
from shared.documents.refusals import Refused
from shared.documents.texts import BOMS

HEAD_BYTES = 65_536
"""So much of a file is looked at to tell texts apart."""

CONTENT_TYPES: Mapping[DocumentType, str] = {
    DocumentType.TEXT: "text/plain; charset=utf-8",
    DocumentType.MARKDOWN: "text/markdown; charset=utf-8",
    DocumentType.HTML: "text/html; charset=utf-8",
    DocumentType.CSV: "text/csv; charset=utf-8",
    DocumentType.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    DocumentType.PDF: "application/pdf",
    DocumentType.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_NAMED: Mapping[str, DocumentType] = {
    **{kind.value: kind for kind in DocumentType},
    "text": DocumentType.TEXT,
    "markdown": DocumentType.MARKDOWN,
    "htm": DocumentType.HTML,
    "xhtml": DocumentType.HTML,
    "tsv": DocumentType.CSV,
}
_TEXTS = frozenset({DocumentType.TEXT, DocumentType.MARKDOWN, DocumentType.HTML, DocumentType.CSV})
_PDF, _ZIP, _OLE = b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_CONTROLS = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})
_KNOWN = "Documents are txt, md, html, csv, xlsx, pdf and docx."


def kind_of(name: str, head: bytes, whole: bytes | None = None) -> DocumentType:
    """The type of a file that begins with `head`; an Office file of which only the head is there is taken by its name.

    Raises Refused for an empty file, one that is encrypted, of no kind we read, or not what its name says.
    """
    claimed = _NAMED.get(name.rpartition(".")[2].lower()) if "." in name else None
    found = _found(head, whole, claimed)
    if claimed is not None and claimed is not found and not {claimed, found} <= _TEXTS:
        raise Refused("mismatch", f"The name says {claimed.value}, but the content is {_called(found)}.")
    return found


def _found(head: bytes, whole: bytes | None, claimed: DocumentType | None) -> DocumentType:
    if not head.strip(b"\x00\t\n\r "):
        raise Refused("empty", "The file is empty.")
    if head.lstrip().startswith(_PDF) or (_PDF in head[:1024] and not _is_text(head)):
        return DocumentType.PDF
    if head.startswith(_ZIP):
        if whole is not None:
            return office_type(io.BytesIO(whole))
        if claimed in (DocumentType.DOCX, DocumentType.XLSX):
            return claimed
        raise Refused("unsupported", f"This is an archive. {_KNOWN} Unpack it and add what is in it.")
    if head.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in (whole or head):
            raise Refused("encrypted", "The file is encrypted: take its password off, and add it again.")
        raise Refused("unsupported", f"This is of an Office of before 2007. {_KNOWN} Save it as one of these.")
    if not _is_text(head):
        says = f"The name says {claimed.value}, but this" if claimed else "This"
        raise Refused("mismatch" if claimed else "unsupported", f"{says} is no text and no document. {_KNOWN}")
    return _text_type(head, claimed)


def _text_type(head: bytes, claimed: DocumentType | None) -> DocumentType:
    if claimed in _TEXTS and claimed is not DocumentType.HTML:
        return claimed
    return DocumentType.HTML if _HTML.match(head) or claimed is DocumentType.HTML else DocumentType.TEXT


def _is_text(head: bytes) -> bool:
    """Hardly any control characters; a mark of UTF-16 explains the NULs."""
    if head.startswith(BOMS[1:]):
        return True
    controls = sum(head.count(bytes([code])) for code in _CONTROLS)
    return b"\x00" not in head and controls * 100 <= len(head)


def _called(found: DocumentType) -> str:
    return "plain text" if found in _TEXTS else found.value
