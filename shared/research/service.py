"""The research job, put together: what the functions and the API call."""

from __future__ import annotations

from shared.contracts.research import ListenRequest, PollAnswer, PollRequest, StartAnswer, StartRequest
from shared.operations.service import Engine
from shared.research.answering import Answering
from shared.research.asking import Asking
from shared.research.creating import Creating
from shared.research.listening import Listening
from shared.research.planning.deciding import PlanDeciding
from shared.research.polling import Polling
from shared.research.ports import Ports
from shared.research.prompt import Prompts
from shared.research.starting import Starting
from shared.research.triggering import Triggering
from shared.store.effects import Effect
from shared.trigger import Change


class Research:
    """Every transition of an operation, each in a module of its own."""

    def __init__(self, ports: Ports) -> None:
        creating = Creating(ports, Prompts(ports.store, ports.settings))
        self.ports = ports
        self.engine = Engine(ports)
        self._triggering = Triggering(ports, self.engine.launching)
        self._asking = Asking(ports, self.engine.launching)
        self._starting = Starting(ports, creating, self.engine.stopping)
        answering = Answering(ports, self.engine.stopping)
        self._listening = Listening(ports, answering)
        self._polling = Polling(ports, creating, answering)
        self.plans = PlanDeciding(ports, self.engine.launching)
        """What a person says to a plan."""

    def note_written(self, change: Change) -> None:
        """A note was created, changed or deleted. Raises Transient when the event is to be delivered again."""
        self._triggering.note_written(change)

    def ask(self, workspace: str, note_id: str, effect: Effect, *, plan: bool | None = None) -> str:
        """See Asking.start."""
        return self._asking.start(workspace, note_id, effect, plan=plan)

    def start(self, request: StartRequest) -> StartAnswer:
        """See Starting.start."""
        return self._starting.start(request)

    def listen(self, request: ListenRequest) -> PollAnswer:
        """See Listening.listen."""
        return self._listening.listen(request)

    def poll(self, request: PollRequest) -> PollAnswer:
        """See Polling.poll."""
        return self._polling.poll(request)
