"""The random comparison of each service, kind by kind."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.local.firestore import execute
from tests.contract.parity import pubsub_cases, scripts
from tests.contract.parity.contention import Interleaved, compare_interleaved
from tests.contract.parity.contention_cases import interleavings
from tests.contract.parity.firestore_side import Side
from tests.contract.parity.hunt import hunt
from tests.contract.parity.listen_cases import listeners
from tests.contract.parity.listen_side import ListenSide
from tests.contract.parity.listening import compare_listeners
from tests.contract.parity.pubsub_side import PubSubSide
from tests.contract.parity.script import Disagreement, first_disagreement
from tests.contract.parity.step import Script
from tests.contract.servers import local_firestore, local_pubsub

Found = dict[str, list[Disagreement]]
Told = Callable[[str], None]
_FIRESTORE: tuple[tuple[Any, dict[str, Any], Any], ...] = (
    (Side, scripts.KINDS, first_disagreement),
    (Interleaved, {"contention": interleavings()}, compare_interleaved),
    (ListenSide, {"listeners": listeners()}, compare_listeners),
)
"""What is asked, about what, and how the answers are compared."""


def compare_firestore(official: str, folder: Path, examples: int, seed: int, tell: Told) -> Found:
    """The unlisted disagreements by kind; every other script is read by index tables rather than by scans."""
    found: Found = {}
    with local_firestore(folder) as server:
        for side, kinds, compared in _FIRESTORE:
            with _sides(side(server.address, server.indexes), side(official, None)) as sides:

                def compare(script: Script) -> Disagreement | None:
                    with _reading_by_index(_is_odd(script)):
                        return compared(script, *sides)  # noqa: B023 - called within this turn

                found |= _hunted(kinds, compare, examples, seed, tell)
    return found


def compare_pubsub(official: str, folder: Path, examples: int, seed: int, tell: Told) -> Found:
    """As `compare_firestore`."""
    with local_pubsub(folder) as address, _sides(PubSubSide(address), PubSubSide(official)) as sides:
        return _hunted(pubsub_cases.KINDS, lambda script: first_disagreement(script, *sides), examples, seed, tell)


def _hunted(kinds: dict[str, Any], compare: Any, examples: int, seed: int, tell: Told) -> Found:
    found = {}
    for kind, strategy in kinds.items():
        tell(kind)
        found[kind] = hunt(strategy, compare, examples, seed)
    return {kind: each for kind, each in found.items() if each}


@contextmanager
def _sides(local: Any, official: Any) -> Iterator[tuple[Any, Any]]:
    try:
        yield local, official
    finally:
        local.close()
        official.close()


def _is_odd(script: Script) -> bool:
    return bool(zlib.crc32(b"".join(step.request.SerializeToString(deterministic=True) for step in script)) & 1)


@contextmanager
def _reading_by_index(wanted: bool) -> Iterator[None]:
    usual = execute.SMALL
    execute.SMALL = 0 if wanted else usual
    try:
        yield
    finally:
        execute.SMALL = usual
