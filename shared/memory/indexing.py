"""What a record is found by: its terms, and the keys of what it rests on."""

from __future__ import annotations

from shared.contracts.memory import Record, RecordIndex, SourceKind, SourceRef
from shared.search.terms import terms_of
from shared.store import records
from shared.store.writes import Write

_SHOWN_KEYS = 100


def index_of(record: Record) -> RecordIndex:
    """The fields that are written beside those of the record, without its embedding."""
    terms = terms_of(record.subject, f"{record.property} {record.object} {record.text}", ())
    return RecordIndex(
        terms=terms.terms,
        frequencies=terms.frequencies,
        length=terms.length,
        source_keys=source_keys(record.sources),
    )


def rewriting(record: Record) -> Write:
    """The write of a record that exists, with what it is found by from now on; its embedding stays."""
    return records.changing(record, index_of(record))


def source_keys(sources: tuple[SourceRef, ...]) -> tuple[str, ...]:
    """{kind}:{id} of each, once: what is forgotten with a source is found by these."""
    return tuple(dict.fromkeys(source_key(one.kind, one.id) for one in sources))[:_SHOWN_KEYS]


def source_key(kind: SourceKind | str, source_id: str) -> str:
    return f"{SourceKind(kind).value}:{source_id}"
