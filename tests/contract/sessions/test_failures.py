"""Each call failing once before and once after its effect: one save, applied once, and the caller can try again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from google.cloud.firestore_v1 import Client

from shared.errors import NotFound, Transient
from shared.sessions.agent_engine.place import FixedToken
from shared.sessions.agent_engine.rest import TRIES, Service
from shared.sessions.agent_engine.shelf import AgentEngineShelf
from shared.sessions.errors import OperationTimeout, StoreClosed, StoreRefused, UnreadableCheckpoint
from shared.sessions.firestore import FirestoreShelf
from shared.sessions.owned import OwnedSessions
from shared.sessions.port import Shelf
from shared.sessions.store import Store
from shared.store.checkpoints import Checkpoints
from tests.contract.product.flaky import FlakyDatabase
from tests.contract.sessions.world import EngineServer, EngineWorld, FirestoreWorld, StoreWorld, Wrap, envelope
from tests.support.seams import FakeClock


class Failing:
    """A shelf one call of which fails, before or after it has done its work."""

    def __init__(self, shelf: Shelf, call: str, *, after: bool) -> None:
        self._shelf, self._call, self._after = shelf, call, after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._shelf, name)
        if name != self._call:
            return found

        def failing(*given: Any) -> Any:
            self._call = ""
            if self._after:
                found(*given)
            raise Transient("The line broke.")

        return failing


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("call", ["read", "write", "remove", "page"])
def test_a_call_that_failed_is_made_again_to_the_same_end(world: StoreWorld, call: str, after: bool) -> None:
    world.open().persist("s1", envelope(1))
    store = Store(Failing(world.shelf(), call, after=after))

    def patiently(attempt: Callable[[], Any]) -> Any:
        try:
            return attempt()
        except Transient:
            return attempt()

    patiently(lambda: store.persist("s1", envelope(2)))
    assert patiently(lambda: store.hydrate("s1")) == envelope(2)
    assert [one.version for one in patiently(lambda: store.list_by_user("demo")).entries] == [2]
    assert world.saves("s1") in (None, 2), "one event, and the state applied once"
    patiently(lambda: store.forget("s1"))
    assert store.hydrate("s1") is None


@dataclass
class Line(httpx.BaseTransport):
    """A connection on which the n-th request meets a fault of the plan."""

    inner: httpx.BaseTransport
    plan: list[str]
    seen: list[str] = field(default_factory=list)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        fault = self.plan.pop(0) if self.plan else "good"
        self.seen.append(f"{request.method} {request.url.path.rpartition('/')[2]}")
        if fault == "no connection":
            raise httpx.ConnectError("refused", request=request)
        if fault == "cut before":
            raise httpx.ReadError("cut", request=request)
        if fault.isdigit():
            return httpx.Response(int(fault), json={"error": {"message": "Not now."}}, headers={"Retry-After": "3"})
        answer = self.inner.handle_request(request)
        if fault == "good":
            return answer
        answer.read()
        answer.close()
        if fault == "cut after":
            raise httpx.ReadError("cut", request=request)
        if fault == "garbage":
            return httpx.Response(200, content=b'{"name": "projec')
        return httpx.Response(503)

    def close(self) -> None:
        self.inner.close()


FAULTS = ("no connection", "cut before", "cut after", "503", "500", "429", "503 after", "garbage")


def line(plan: list[str], made: list[Line] | None = None) -> Wrap:
    def wrap(inner: httpx.BaseTransport) -> httpx.BaseTransport:
        built = Line(inner, plan)
        if made is not None:
            made.append(built)
        return built

    return wrap


def later(*places: int) -> list[Any]:
    """Requests whose faults are left to the whole suite."""
    return [pytest.param(place, marks=pytest.mark.slow) for place in places]


@pytest.fixture
def engine(engines: EngineServer) -> Iterator[EngineWorld]:
    world = EngineWorld(engines)
    yield world
    world.close()


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", [0, *later(1, 2)])
def test_whatever_a_request_meets_a_session_is_created_once(engine: EngineWorld, fault: str, at: int) -> None:
    store = Store(engine.shelf(line(["good"] * at + [fault])))
    store.persist("s1", envelope(1))
    assert engine.open().hydrate("s1") == envelope(1) and engine.events("s1") == []


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", [1, *later(0, 2)])
def test_whatever_a_request_meets_an_event_is_appended_once(engine: EngineWorld, fault: str, at: int) -> None:
    engine.open().persist("s1", envelope(1))
    store = Store(engine.shelf(line(["good"] * at + [fault])))
    store.persist("s1", envelope(2))
    assert engine.open().hydrate("s1") == envelope(2) and len(engine.events("s1")) == 1


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", [0, *later(1)])
def test_whatever_a_request_meets_a_session_is_forgotten(engine: EngineWorld, fault: str, at: int) -> None:
    engine.open().persist("s1", envelope(1))
    store = Store(engine.shelf(line(["good"] * at + [fault])))
    store.forget("s1")
    assert engine.open().hydrate("s1") is None


def test_an_event_carries_two_keys_and_nothing_of_the_state_is_patched(engine: EngineWorld) -> None:
    lines: list[Line] = []
    store = Store(engine.shelf(line([], lines)))
    for version in (1, 2):
        store.persist("S 1", envelope(version))
    store.hydrate("S 1")
    (event,) = engine.events("S 1")
    assert set(event["actions"]["stateDelta"]) == {"memex.envelope", "memex.session_id"}
    assert event["author"] == "memex" and event["actions"]["stateDelta"]["memex.session_id"] == "S 1"
    asked = {one.partition(" ")[0] for one in lines[0].seen}
    assert asked == {"GET", "POST"} and not any("events" in one for one in lines[0].seen)


def test_a_service_that_stays_away_is_said_to_be(engine: EngineWorld) -> None:
    lines: list[Line] = []
    store = Store(engine.shelf(line(["503"] * 99, lines)))
    with pytest.raises(Transient, match="gives no answer: it answered 503: Not now"):
        store.hydrate("s1")
    assert len(lines[0].seen) == TRIES


def test_a_refusal_is_told_in_the_services_words_and_not_repeated(engine: EngineWorld) -> None:
    lines: list[Line] = []
    store = Store(engine.shelf(line(["403"], lines)))
    with pytest.raises(StoreRefused, match="403: Not now"):
        store.hydrate("s1")
    assert len(lines[0].seen) == 1


def test_a_token_that_is_refused_is_renewed_once(engine: EngineWorld) -> None:
    class Ageing(FixedToken):
        renewed = 0

        def renew(self) -> None:
            self.renewed += 1

    token = Ageing("t")
    client = httpx.Client(transport=line(["401"])(httpx.HTTPTransport(trust_env=False)), trust_env=False)
    store = Store(AgentEngineShelf(Service(engine.place, token, FakeClock(), random.Random(1), client)))
    assert store.hydrate("s1") is None and token.renewed == 1
    store.close()
    client = httpx.Client(transport=line(["401"] * 3)(httpx.HTTPTransport(trust_env=False)), trust_env=False)
    refused = Store(AgentEngineShelf(Service(engine.place, token, FakeClock(), random.Random(1), client)))
    with pytest.raises(StoreRefused, match="401"):
        refused.hydrate("s1")
    assert token.renewed == 2
    refused.close()


def test_a_create_that_is_never_done_is_refused_in_time(engines: EngineServer) -> None:
    world = EngineWorld(engines, operation_seconds=5.0, poll_seconds=1.0)
    engines.part.operation_seconds, before = 3_600.0, engines.part.operation_seconds
    clock = FakeClock()
    store = Store(world.shelf(clock=clock))
    try:
        with pytest.raises(OperationTimeout, match="not done after 5 s"):
            store.persist("s1", envelope(1))
        assert 5.0 <= sum(clock.slept) < 6.0 and max(clock.slept) == 1.0
        assert store.hydrate("s1") is None, "it is not found before it is done"
        with pytest.raises(OperationTimeout, match="being created"):
            store.persist("s1", envelope(1))
    finally:
        engines.part.operation_seconds = before
        store.close()


def test_closing_ends_a_call_under_way(engine: EngineWorld) -> None:
    class Closing(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            store.close()
            raise httpx.ReadError("cut", request=request)

    store = Store(engine.shelf(lambda _inner: Closing()))
    with pytest.raises(StoreClosed):
        store.hydrate("s1")


def test_one_user_for_all_sessions_gives_nobody_anothers(engines: EngineServer) -> None:
    world = EngineWorld(engines, user_id="everyone")
    store = world.open()
    store.persist("s1", envelope(1, owner="demo"))
    store.persist("s2", envelope(1, owner="other"))
    store.persist("s3", envelope(1, owner="demo"))
    first = store.list_by_user("demo", limit=1)
    assert [one.session_id for one in first.entries] == ["s3"]
    rest = store.list_by_user("demo", limit=5, cursor=first.next_cursor)
    assert [one.session_id for one in rest.entries] == ["s1"] and rest.next_cursor is None
    assert {one["userId"] for one in world.call("GET", "/sessions")["sessions"]} == {"everyone"}
    world.close()


def test_whose_a_damaged_session_is_nobody_guesses(engines: EngineServer) -> None:
    world = EngineWorld(engines, user_id="everyone")
    store = world.open()
    store.persist("s1", envelope(1))
    world.damage("s1", "{")
    for principal in ("demo", "stranger", "everyone"):
        sessions = OwnedSessions(store, principal)
        for call in (sessions.show, sessions.forget):
            with pytest.raises(NotFound):
                call("s1")
    mine = OwnedSessions(store, "demo")
    with pytest.raises(UnreadableCheckpoint, match="s1 is there"):
        mine.hydrate("s1")
    assert mine.forget("s1", vouched=True) is True and store.hydrate("s1") is None
    world.close()


def test_a_user_is_the_owner_or_memex_anonymous(engine: EngineWorld) -> None:
    store = engine.open()
    store.persist("a", envelope(1))
    store.persist("b", envelope(1, owner=None))
    users = {one["name"].rpartition("/")[2]: one["userId"] for one in engine.call("GET", "/sessions")["sessions"]}
    assert users == {"a": "demo", "b": "memex-anonymous"}


def test_a_ttl_is_sent_on_create_alone_and_none_where_none_is_set(engines: EngineServer) -> None:
    world = EngineWorld(engines, ttl="604800s")
    store = world.open()
    store.persist("s1", envelope(1))
    before = world.call("GET", "/sessions/s1")["expireTime"]
    store.persist("s1", envelope(2))
    assert world.call("GET", "/sessions/s1")["expireTime"] == before
    entry = store.list_by_user("demo").entries[0]
    assert entry.expires_at is not None and store.retention().active and store.retention().seconds == 604_800
    assert "SESSIONS_TTL" in EngineWorld(engines).open().retention().how
    world.close()


def test_an_older_session_without_our_id_is_listed_by_its_resource_id(engine: EngineWorld) -> None:
    saved = envelope(1)
    text = saved.model_dump_json()
    engine.make("old-one", {"memex.envelope": text})
    store = engine.open()
    assert store.hydrate("old-one") == saved
    assert [one.session_id for one in store.list_by_user("demo").entries] == ["old-one"]


def test_a_session_of_something_else_is_refused_by_name_and_not_listed(engine: EngineWorld) -> None:
    engine.make("theirs", {"cart": 1})
    store = engine.open()
    for attempt in (lambda: store.hydrate("theirs"), lambda: store.persist("theirs", envelope(1))):
        with pytest.raises(Exception, match="theirs is there.*its state has no text memex.envelope"):
            attempt()
    assert store.list_by_user("demo").entries == ()


def test_the_store_shows_the_resource_that_its_sessions_lie_under(engine: EngineWorld) -> None:
    assert engine.open().where == f"projects/p/locations/us-central1/reasoningEngines/{engine.place.engine}"


def firestore_store(world: FirestoreWorld, client: Client, plan: list[str]) -> tuple[Store, FlakyDatabase]:
    database = FlakyDatabase(client, f"workspaces/{world.workspace}", world.clock, plan)
    workspace = world.store()
    workspace.checkpoints = Checkpoints(database, world.clock)
    return Store(FirestoreShelf(workspace)), database


@pytest.mark.parametrize("fault", ["dropped", "lost", "aborted"])
def test_a_commit_that_fails_is_made_once(firestore: Client, fault: str) -> None:  # noqa: F811
    world = FirestoreWorld(firestore)
    store, database = firestore_store(world, firestore, [fault, "good", fault, "good", fault])
    store.persist("s1", envelope(1, large="x" * 600_000))
    store.persist("s1", envelope(2, large="y" * 600_000, small=1))
    assert store.hydrate("s1") == envelope(2, large="y" * 600_000, small=1)
    assert len(list(world.document("s1").collection("parts").stream())) == 2
    assert store.forget("s1") is True and store.hydrate("s1") is None
    assert list(world.document("s1").collection("parts").stream()) == []
    assert database.commits == (3 if fault == "lost" else 6), "what was applied is not sent again"


def test_a_large_value_that_has_not_changed_is_not_written_again(firestore: Client) -> None:  # noqa: F811
    world = FirestoreWorld(firestore)
    store = world.open()
    store.persist("s1", envelope(1, summary="x" * 5_000, seq=1))
    (before,) = world.document("s1").collection("parts").stream()
    store.persist("s1", envelope(2, summary="x" * 5_000, seq=2))
    (after,) = world.document("s1").collection("parts").stream()
    assert before.update_time == after.update_time and len(str(world.document("s1").get().to_dict())) < 800
    store.persist("s1", envelope(3, summary="y" * 5_000, seq=3))
    (new,) = world.document("s1").collection("parts").stream()
    assert new.id != after.id and store.hydrate("s1") == envelope(3, summary="y" * 5_000, seq=3)


def test_a_part_that_is_gone_is_said_and_not_taken_for_nothing(firestore: Client) -> None:  # noqa: F811
    world = FirestoreWorld(firestore)
    store = world.open()
    store.persist("s1", envelope(1, summary="x" * 5_000))
    (part,) = world.document("s1").collection("parts").stream()
    part.reference.delete()
    with pytest.raises(UnreadableCheckpoint, match="s1 is there, and cannot be read"):
        store.hydrate("s1")
