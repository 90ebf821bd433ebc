"""The chat on a real Firestore, with a scripted model, tools of the test, and as many processes as the test wants."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.cloud.firestore_v1 import Client

from shared.chat.beginning import Said
from shared.chat.holding import Key
from shared.chat.ports import Ports
from shared.chat.service import Chat
from shared.chat.sessions import create
from shared.clock import SystemClock
from shared.config import Settings
from shared.contracts.base import Model
from shared.contracts.chat import CarryOnAnswer, CarryOnRequest, ChatSession, SessionCreate, Turn, TurnDone
from shared.contracts.events import Event
from shared.contracts.operations import Usage
from shared.contracts.sessions import ChatCheckpoint
from shared.errors import MemexError
from shared.ids import UlidSource
from shared.llm.port import Call
from shared.sessions.memory import MemoryShelf
from shared.sessions.owned import OwnedSessions
from shared.sessions.port import SessionStore
from shared.sessions.store import Store
from shared.store.workspace import WorkspaceStore
from shared.tools.registry import Registry
from shared.tools.tool import Job, Tool
from tests.support.scripted_model import ScriptedModel
from tests.support.waiting import wait_until


@dataclass
class FakeExecutions:
    """Remembers what was started; `failing` raises instead."""

    started: list[Mapping[str, Any]] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)
    failing: Exception | None = None

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str:
        if self.failing is not None:
            raise self.failing
        self.started.append({"workflow": workflow, **argument})
        return f"executions/e{len(self.started)}"

    def alive(self, name: str) -> bool:
        return name not in self.dead


class Echo(Model):
    """What the tools of these tests take."""

    text: str


@dataclass
class Bench:
    """The tools of a test: `echo` answers what it is given, `find` a note, `search` uses tokens and searches.

    `block` waits until it is opened or cut; `write` changes something once it is opened, deaf to the cut until then.
    """

    ran: list[str] = field(default_factory=list)
    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)
    cut: threading.Event = field(default_factory=threading.Event)
    refused: threading.Event = field(default_factory=threading.Event)

    def registry(self) -> Registry:
        def echo(job: Job, arguments: Echo) -> Mapping[str, Any]:
            """Answers with the text."""
            self.ran.append(arguments.text)
            return {"echo": arguments.text}

        def search(job: Job, _arguments: Echo) -> Mapping[str, Any]:
            """Searches and pays."""
            job.spend(Usage(input_tokens=5, searches=2))
            return {}

        def block(job: Job, arguments: Echo) -> Mapping[str, Any]:
            """Waits."""
            self.ran.append(arguments.text)
            self.reached.set()
            while not self.opened.wait(0.01):
                if job.cut.reason:
                    self.cut.set()
                    return {"cut": True}
            return {"blocked": arguments.text}

        def write(job: Job, arguments: Echo) -> Mapping[str, Any]:
            """Writes."""
            self.reached.set()
            self.opened.wait(20)
            try:
                return job.effect.settle({"written": arguments.text})
            except MemexError:
                self.refused.set()
                raise

        def find(job: Job, arguments: Echo) -> Mapping[str, Any]:
            """Finds a note."""
            return {"notes": [{"note_id": "n1", "title": "Rye"}]}

        tools = {"find": find, "echo": echo, "search": search, "block": block, "write": write}
        return Registry(Tool(name, Echo, run) for name, run in tools.items())


def call(text: str, tool: str = "echo", n: int = 1) -> Call:
    return Call(f"c{n}", tool, {"text": text})


@dataclass(frozen=True)
class Frame:
    """One frame of a stream."""

    event: str
    data: dict[str, Any]
    id: str = ""

    @property
    def type(self) -> str:
        return str(self.data.get("type", ""))


def frames(texts: Iterator[str]) -> Iterator[Frame]:
    """The frames that carry data."""
    for text in texts:
        fields = dict(line.split(": ", 1) for line in text.strip().split("\n") if not line.startswith(":"))
        if "data" in fields:
            yield Frame(fields["event"], json.loads(fields["data"]), fields.get("id", ""))


class Stream:
    """The frames of a message, as a client reads them."""

    def __init__(self, source: Iterator[str], leave: Callable[[], None]) -> None:
        self._source, self._leave = frames(source), leave
        self.got: list[Frame] = []

    def next(self) -> Frame:
        frame = next(self._source)
        self.got.append(frame)
        return frame

    def until(self, event: str, kind: str = "") -> Frame:
        """Read up to the first such frame."""
        while True:
            frame = self.next()
            if frame.event == event and kind in ("", frame.type):
                return frame

    def rest(self) -> list[Frame]:
        """Read to the end; all frames, also those read before."""
        self.got.extend(self._source)
        self._leave()
        return self.got

    def leave(self) -> None:
        """Close the connection."""
        self._leave()

    def types(self) -> list[str]:
        return [frame.type for frame in self.got if frame.event == "trace"]


class World:
    """`chat` is the process that got the message, `other()` another one beside it, on the same database."""

    def __init__(self, client: Client, workspace: str, *lines: Any, **settings: Any) -> None:
        self.client, self.workspace, self.clock = client, workspace, SystemClock()
        self.model, self.tools, self.executions = ScriptedModel(*lines), Bench(), FakeExecutions()
        self.settings = Settings(
            project="p", **{"chat_retry_seconds": 0.01, "sse_seconds": 10.0, "launch_lease_seconds": 5.0, **settings}
        )
        self.sessions: SessionStore = Store(MemoryShelf())
        self._ids = UlidSource(self.clock, random.Random(7))
        self.store = self._store(workspace)
        self.chat = self.other()
        self.session_id = create(self.store, SessionCreate(), clock=self.clock, ids=self._ids, key=None)[0].id

    def other(self, **ports: Any) -> Chat:
        return Chat(
            Ports(
                **{
                    "store": self._store,
                    "model": lambda: self.model,
                    "tools": self.tools.registry,
                    "services": lambda _workspace: None,
                    "executions": self.executions,
                    "sessions": lambda workspace: OwnedSessions(self.sessions, workspace),
                    "clock": self.clock,
                    "ids": self._ids,
                    "settings": self.settings,
                    **ports,
                }
            )
        )

    def _store(self, workspace: str) -> WorkspaceStore:
        return WorkspaceStore(
            self.client, workspace, self.clock, random.Random(1), UlidSource(self.clock, random.Random())
        )

    def said(self, text: str, key: str | None = None) -> Said:
        return Said(self.workspace, self.session_id, text, key)

    def send(self, text: str = "Hello?", key: str | None = None) -> Stream:
        answering = self.chat.answer(self.said(text, key))
        return Stream(answering.frames, answering.leave)

    def whole(self, text: str = "Hello?", key: str | None = None) -> TurnDone:
        return self.chat.answer_whole(self.said(text, key))

    @property
    def session(self) -> ChatSession:
        return self.store.chats.get(self.session_id)

    @property
    def checkpoint(self) -> ChatCheckpoint:
        """What the session store has."""
        envelope = self.sessions.hydrate(self.session_id)
        assert envelope is not None
        return ChatCheckpoint.model_validate(envelope.data)

    def turn(self, turn_id: str | None = None) -> Turn:
        """The turn of that id, or the newest."""
        if turn_id is None:
            return self.store.chats.turns(self.session_id, after=0, limit=1)[0]
        found = self.store.chats.find_turn(self.session_id, turn_id)
        assert found is not None
        return found

    def key(self, turn_id: str | None = None) -> Key:
        return Key(self.workspace, self.session_id, turn_id or self.turn().id)

    def events(self) -> list[Event]:
        return self.store.streams.read(f"chat_sessions/{self.session_id}", limit=500)

    def types(self) -> list[str]:
        return [event.type for event in self.events()]

    def effects(self) -> list[dict[str, Any]]:
        """What tools have done, by their markers."""
        return [
            doc.to_dict()["answer"] for doc in self.client.collection(f"workspaces/{self.workspace}/effects").stream()
        ]

    def carry_on(self, turn_id: str | None = None, chat: Chat | None = None) -> CarryOnAnswer:
        key = self.key(turn_id)
        request = CarryOnRequest(workspace=key.workspace, session_id=key.session_id, turn_id=key.turn_id)
        return (chat or self.chat).carry_on(request)

    def given_back(self) -> None:
        """Wait until the worker of the running turn has let go of it."""
        wait_until(lambda: self.session.turn is not None and self.executions.started, what="the turn was given back")

    def die(self) -> None:
        """Let the lease of a worker that stands still for ever be over."""
        turn = self.session.turn
        assert turn is not None
        self.client.document(f"workspaces/{self.workspace}/chat_sessions/{self.session_id}").update(
            {"turn.lease_expires_at": turn.started_at}
        )


MakeWorld = Callable[..., World]
