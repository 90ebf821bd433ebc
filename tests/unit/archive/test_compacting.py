"""Each trace event is archived once, and each day becomes one file, whatever dies or comes late in between."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone

import pytest

from shared import faultpoint
from shared.archive import compacting
from shared.archive.compacting import Compaction
from shared.archive.names import piece
from shared.archive.writing import Archive
from shared.contracts.archive import CompactAnswer
from shared.errors import Transient
from shared.gateway.objects import Objects
from shared.trace.received import TraceEvent
from tests.support.seams import FakeClock
from tests.unit.usage.events import of

pytestmark = pytest.mark.slow

NIGHT = datetime(2026, 12, 1, 2, 25, tzinfo=timezone.utc)
DAY = datetime(2026, 11, 30, tzinfo=timezone.utc)
FILE = "trace/2026/11/30/demo.jsonl.gz"
SECOND = "trace/2026/11/30/demo.2.jsonl.gz"


class Died(BaseException):
    """As by SIGKILL: nothing handles it."""


def event(seq: int, *, workspace: str = "demo", at: datetime = DAY, stream: str = "operations/op_1") -> TraceEvent:
    return of(
        workspace, stream, "step", {"n": seq, "text": "Ünïcode\nand lines"}, seq=seq, at=at + timedelta(seconds=seq)
    )


def archived(objects: Objects, events: Iterable[TraceEvent]) -> list[TraceEvent]:
    told = list(events)
    for one in told:
        Archive(objects).event(one)
    return told


def compact(objects: Objects, at: datetime = NIGHT) -> CompactAnswer:
    return Compaction(objects, FakeClock(at)).run()


def names(objects: Objects) -> list[str]:
    return sorted(one.name for one in objects.list("trace"))


def file_seqs(objects: Objects, name: str = FILE) -> list[int]:
    raw = gzip.decompress(objects.get(name, 10**7))
    assert raw.endswith(b"\n")
    return [json.loads(line)["seq"] for line in raw.splitlines()]


def killed(point: str, act: Callable[[], object]) -> None:
    def die(name: str) -> None:
        if name == point:
            raise Died

    faultpoint.install(die)
    try:
        with pytest.raises(Died):
            act()
    finally:
        faultpoint.install(None)


def test_an_event_that_comes_three_times_at_once_and_again_is_one_piece(objects: Objects) -> None:
    told = event(1)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(Archive(objects).event, [told] * 3))
    Archive(objects).event(told)
    [name] = names(objects)
    assert name == piece(told) and name.startswith("trace/2026/11/30/demo/event_") and name.endswith(".json")
    assert objects.get(name, 10**5) == told.envelope.model_dump_json().encode()


def test_a_day_that_is_over_becomes_one_file_in_the_order_of_its_events(objects: Objects) -> None:
    events = [event(seq) for seq in range(1, 41)]
    random.Random(3).shuffle(events)
    archived(objects, events)
    answer = compact(objects)
    assert (answer.days, answer.files, answer.events, answer.failed) == (1, 1, 40, 0)
    assert names(objects) == [FILE] and file_seqs(objects) == list(range(1, 41))


def test_the_same_events_make_the_same_file_whatever_their_order(objects: Objects) -> None:
    archived(objects, [event(2), event(1)])
    compact(objects)
    first = objects.get(FILE, 10**5)
    objects.delete(FILE)
    archived(objects, [event(1), event(2)])
    compact(objects)
    assert objects.get(FILE, 10**5) == first


def test_days_and_workspaces_have_files_of_their_own_and_today_is_left_alone(objects: Objects) -> None:
    today = archived(objects, [event(1, at=DAY + timedelta(days=1))])
    archived(objects, [event(1), event(2, workspace="other"), event(3, at=DAY - timedelta(days=40))])
    assert compact(objects).files == 3
    assert names(objects) == [
        "trace/2026/10/21/demo.jsonl.gz",
        FILE,
        "trace/2026/11/30/other.jsonl.gz",
        piece(today[0]),
    ]


def test_a_day_is_left_alone_while_its_last_events_are_on_their_way(objects: Objects) -> None:
    archived(objects, [event(1)])
    assert compact(objects, DAY + timedelta(days=1, minutes=59)).files == 0
    assert compact(objects, DAY + timedelta(days=1, minutes=61)).files == 1


def test_what_comes_late_makes_a_second_file_and_what_comes_again_none(objects: Objects) -> None:
    archived(objects, [event(1), event(2)])
    compact(objects)
    archived(objects, [event(2), event(3)])
    assert compact(objects).events == 1
    assert names(objects) == [SECOND, FILE] and file_seqs(objects, SECOND) == [3]
    archived(objects, [event(1), event(3)])
    assert compact(objects).files == 0 and names(objects) == [SECOND, FILE]


def test_a_second_run_has_nothing_to_do(objects: Objects) -> None:
    archived(objects, [event(1)])
    compact(objects)
    assert compact(objects) == CompactAnswer()


@pytest.mark.parametrize("point", ["before_call:archive.put", "after_call:archive.put", "before_call:archive.delete"])
def test_killed_anywhere_it_loses_nothing_and_makes_one_file(objects: Objects, point: str) -> None:
    archived(objects, map(event, range(1, 6)))
    killed(point, lambda: compact(objects))
    archived(objects, map(event, range(1, 6)))
    compact(objects)
    assert names(objects) == [FILE] and file_seqs(objects) == [1, 2, 3, 4, 5]


def test_killed_half_way_through_deleting_it_goes_on_there(objects: Objects) -> None:
    events = archived(objects, map(event, range(1, 6)))
    killed("before_call:archive.delete", lambda: compact(objects))
    objects.delete(piece(events[0]))
    objects.delete(piece(events[3]))
    compact(objects)
    assert names(objects) == [FILE] and file_seqs(objects) == [1, 2, 3, 4, 5]


def test_three_runs_at_once_lose_and_double_nothing(objects: Objects) -> None:
    archived(objects, map(event, range(1, 60)))
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda _: compact(objects), range(3)))
    assert all(answer.failed == 0 for answer in answers)
    found = [seq for name in names(objects) for seq in file_seqs(objects, name)]
    assert sorted(found) == list(range(1, 60)) and not [name for name in names(objects) if name.endswith(".json")]


def test_a_damaged_file_deletes_nothing_and_is_told(objects: Objects) -> None:
    archived(objects, [event(1)])
    objects.put(FILE, b"\x1f\x8b\x08no gzip", "application/gzip")
    answer = compact(objects)
    assert answer.failed == 1 and answer.failures == ("trace/2026/11/30/demo: unprocessable",)
    assert piece(event(1)) in names(objects)


def test_what_is_no_event_stays_where_it_is_and_keeps_nothing_from_its_file(objects: Objects) -> None:
    archived(objects, [event(1)])
    objects.put("trace/2026/11/30/demo/strange.json", b'{"a": 1}', "application/json")
    objects.put("trace/readme.txt", b"hello", "text/plain")
    assert compact(objects).files == 1
    assert names(objects) == [FILE, "trace/2026/11/30/demo/strange.json", "trace/readme.txt"]


def test_more_than_fits_one_file_goes_into_several(objects: Objects, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compacting, "PIECES", 2)
    archived(objects, map(event, range(1, 6)))
    assert compact(objects).files == 3
    found = [seq for name in names(objects) for seq in file_seqs(objects, name)]
    assert sorted(found) == [1, 2, 3, 4, 5]


def test_out_of_time_it_stops_and_the_next_run_goes_on(objects: Objects, monkeypatch: pytest.MonkeyPatch) -> None:
    archived(objects, [event(1), event(2, at=DAY - timedelta(days=1))])
    monkeypatch.setattr(compacting, "_BUDGET_SECONDS", 0.0)
    answer = compact(objects)
    assert answer.out_of_time and answer.files == 0
    monkeypatch.undo()
    assert compact(objects).files == 2


def test_one_day_that_fails_keeps_no_other_from_its_file(objects: Objects, monkeypatch: pytest.MonkeyPatch) -> None:
    archived(objects, [event(1), event(1, workspace="other")])
    get = Objects.get

    def broken(self: Objects, name: str, max_bytes: int) -> bytes:
        if "/demo/" in name:
            raise Transient("away")
        return get(self, name, max_bytes)

    monkeypatch.setattr(Objects, "get", broken)
    answer = compact(objects)
    assert (answer.files, answer.failed, answer.failures) == (1, 1, ("trace/2026/11/30/demo: unavailable",))


def test_no_piece_goes_before_its_file_was_read_back(objects: Objects, monkeypatch: pytest.MonkeyPatch) -> None:
    archived(objects, [event(1)])
    monkeypatch.setattr(Objects, "put", lambda *_args, **_options: True)  # the store says yes, and keeps nothing
    answer = compact(objects)
    assert answer.failed == 1 and names(objects) == [piece(event(1))]
