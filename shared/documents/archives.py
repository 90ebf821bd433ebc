"""Office files are archives: they are looked into, without unpacking, before anything else opens them."""

from __future__ import annotations

import zipfile
import zlib
from typing import IO

from shared.contracts.documents import DocumentType
from shared.contracts.limits import ARCHIVE_ENTRIES, UNPACKED_BYTES, UNPACKED_RATIO
from shared.documents.refusals import Refused

_HOLDS = {"word/document.xml": DocumentType.DOCX, "xl/workbook.xml": DocumentType.XLSX}
_ENCRYPTED = 0x1
_PEEKED_BYTES = 4_096
_FREE_BYTES = 1_000_000
_NESTED = (".zip", ".gz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".jar")
_XML = (".xml", ".rels")
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")


def office_type(file: IO[bytes]) -> DocumentType:
    """Whether it is a docx or an xlsx. Raises Refused for any other archive, and for one that would harm its reader.

    Python's reader stops at the size that an entry declares, so the declared sizes bound what unpacking gives.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            _check_sizes(entries)
            names = {entry.filename for entry in entries}
            found = [kind for name, kind in _HOLDS.items() if name in names and "[Content_Types].xml" in names]
            if len(found) != 1:
                message = "This archive is no docx and no xlsx: unpack it and add what is in it."
                raise Refused("unsupported", message)
            _check_declarations(archive, entries)
            return found[0]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise Refused("unreadable", "The file is damaged: it begins as an Office file and is none.") from error


def _check_sizes(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > ARCHIVE_ENTRIES:
        raise Refused("archive", f"The file has {len(entries)} parts: no document needs more than {ARCHIVE_ENTRIES}.")
    packed, unpacked = sum(one.compress_size for one in entries), sum(one.file_size for one in entries)
    bomb = unpacked > _FREE_BYTES and unpacked > UNPACKED_RATIO * max(packed, 1)
    if unpacked > UNPACKED_BYTES or bomb or len({one.header_offset for one in entries}) < len(entries):
        raise Refused("archive", f"The file would unpack to {unpacked:,} bytes, far beyond what a document is.")
    if any(one.flag_bits & _ENCRYPTED for one in entries):
        raise Refused("encrypted", "The file is encrypted: take its password off, and add it again.")
    if any(one.filename.lower().endswith(_NESTED) for one in entries):
        raise Refused("archive", "The file has an archive inside it: add what is in it by itself.")


def _check_declarations(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> None:
    """No Office program writes a document type or entities: who does wants a reader to fetch or to grow something."""
    for entry in entries:
        if entry.filename.lower().endswith(_XML):
            with archive.open(entry) as part:
                head = part.read(_PEEKED_BYTES)
            if any(mark in head or mark.decode().encode("utf-16-le") in head for mark in _DECLARATIONS):
                raise Refused("unreadable", "The file declares entities of its own, which no Office program does.")
