"""The pieces of a day become one compressed file.

A file is written once and never changed: the first free number is taken by a put that refuses to replace. A piece is
deleted only when a file that was read back holds its line. So it may be killed anywhere, and run twice at once: who
comes second finds the lines in the file of the first. What comes after a day was compacted makes a further file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.archive import lines
from shared.archive.names import ROOT, Day, day_of
from shared.clock import Clock
from shared.contracts.archive import CompactAnswer
from shared.errors import MemexError, NotFound, Transient, Unprocessable
from shared.faultpoint import faultpoint
from shared.gateway.objects import Objects, StoredObject

log = logging.getLogger(__name__)

PIECES = 10_000
PIECE_BYTES = 60_000_000
"""So much at most goes into one file: it is held in memory."""
FILES = 1_000
_LONGEST_PIECE = 1_000_000
_LONGEST_FILE = 4 * PIECE_BYTES
_GRACE = timedelta(hours=1)
"""A day is left alone for so long after its end, while its last events are on their way."""
_BUDGET_SECONDS = 720.0
_READERS = 16
_TRIES = 4
_FAILURES = 50


@dataclass
class _Done:
    """What a run has done so far."""

    files: int = 0
    events: int = 0
    days: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list)
    out_of_time: bool = False

    def answer(self) -> CompactAnswer:
        return CompactAnswer(
            days=self.days,
            files=self.files,
            events=self.events,
            failed=self.failed,
            failures=tuple(self.failures[:_FAILURES]),
            out_of_time=self.out_of_time,
        )


class Compaction:
    def __init__(self, objects: Objects, clock: Clock) -> None:
        self._objects, self._clock = objects, clock

    def run(self) -> CompactAnswer:
        """Compact every day that is over, the oldest first, within a bounded time; the next run goes on.

        A day that cannot be compacted is told in the answer and keeps the others from nothing. Raises Transient or
        SettingsError when the store cannot be listed.
        """
        done, end = _Done(), self._clock.now() + timedelta(seconds=_BUDGET_SECONDS)
        for day in self._days(self._clock.now()):
            if self._clock.now() >= end:
                done.out_of_time = True
                break
            try:
                self._compact(day, done, end)
                done.days += 1
            except MemexError as error:
                log.error("archive: %s of %s: %s", day.date, day.workspace, error.message)
                done.failed += 1
                done.failures.append(f"{day.pieces}: {error.code}")
        return done.answer()

    def _days(self, now: datetime) -> list[Day]:
        """The days that are over and have pieces."""
        present = f"{now - _GRACE:%Y/%m/%d}"
        found = {day for one in self._objects.list(ROOT) if (day := day_of(one.name)) and day.date < present}
        return sorted(found)

    def _compact(self, day: Day, done: _Done, end: datetime) -> None:
        for batch in _batches(sorted(self._objects.list(day.pieces), key=lambda one: one.name)):
            if self._clock.now() >= end:
                done.out_of_time = True
                return
            self._store(day, [one.name for one in batch], done)

    def _store(self, day: Day, names: Sequence[str], done: _Done) -> None:
        """See to it that each of these pieces is in a file, then delete them."""
        pieces = self._read(names)
        for _ in range(_TRIES):
            known, number = self._known(day)
            new = [line for line in pieces.values() if lines.digest(line) not in known]
            if not new:
                break
            if self._put(day, number, lines.ordered(new)):
                done.files += 1
                done.events += len(new)
        else:
            raise Transient(f"The file of {day.date} changes faster than it can be read: the next run goes on.")
        faultpoint("before_call:archive.delete")
        with ThreadPoolExecutor(_READERS) as pool:
            list(pool.map(self._objects.delete, pieces))

    def _read(self, names: Sequence[str]) -> dict[str, bytes]:
        """The pieces that are there, as lines. What is no event is none of ours: it is left where it is, and told."""

        def read(name: str) -> bytes | None:
            try:
                return lines.line_of(self._objects.get(name, _LONGEST_PIECE))
            except NotFound:
                return None  # another run has just compacted it
            except Unprocessable as error:
                log.error("archive: left where it is: %s: %s", name, error.message)
                return None

        with ThreadPoolExecutor(_READERS) as pool:
            found = zip(names, pool.map(read, names), strict=True)
            return {name: line for name, line in found if line is not None}

    def _known(self, day: Day) -> tuple[set[bytes], int]:
        """The digests of the lines that the day's files hold, and the number of the next file."""
        known: set[bytes] = set()
        for number in range(1, FILES):
            try:
                data = self._objects.get(day.file(number), _LONGEST_FILE)
            except NotFound:
                return known, number
            known.update(map(lines.digest, lines.unpacked(data, day.file(number))))
        raise Unprocessable(f"{day.pieces} has {FILES} files: put them together by hand.")

    def _put(self, day: Day, number: int, content: Sequence[bytes]) -> bool:
        """Write the file unless somebody was faster; whether it was written, which the next look proves."""
        faultpoint("before_call:archive.put")
        name = day.file(number)
        written = self._objects.put(name, lines.packed(content), "application/gzip", only_if_absent=True)
        faultpoint("after_call:archive.put")
        return written


def _batches(pieces: Sequence[StoredObject]) -> Iterator[list[StoredObject]]:
    """The pieces in groups that fit into memory."""
    batch: list[StoredObject] = []
    size = 0
    for one in pieces:
        if batch and (len(batch) >= PIECES or size + one.bytes > PIECE_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += one.bytes
    if batch:
        yield batch
