"""The research job, put together: what the functions and the API call."""

from __future__ import annotations

from shared.contracts.operations import CancelAnswer
from shared.contracts.research import FailAnswer, FailRequest, PollAnswer, PollRequest, StartAnswer, StartRequest
from shared.research.asking import Asking
from shared.research.creating import Creating
from shared.research.giving_up import GivingUp
from shared.research.launching import Launching
from shared.research.polling import Polling
from shared.research.ports import Ports
from shared.research.prompt import Prompts
from shared.research.starting import Starting
from shared.research.stopping import Stopping
from shared.research.triggering import Triggering
from shared.store.effects import Effect
from shared.trigger import Change


class Research:
    """Every transition of an operation, each in a module of its own."""

    def __init__(self, ports: Ports) -> None:
        creating = Creating(ports, Prompts(ports.store, ports.settings))
        self.ports = ports
        self.stopping = Stopping(ports)
        self.launching = Launching(ports)
        self._triggering = Triggering(ports, self.launching)
        self._asking = Asking(ports, self.launching)
        self._starting = Starting(ports, creating, self.stopping)
        self._polling = Polling(ports, creating, self.stopping)
        self._giving_up = GivingUp(ports, self.stopping)

    def note_written(self, change: Change) -> None:
        """A note was created, changed or deleted. Raises Transient when the event is to be delivered again."""
        self._triggering.note_written(change)

    def ask(self, workspace: str, note_id: str, effect: Effect) -> str:
        """See Asking.start."""
        return self._asking.start(workspace, note_id, effect)

    def work_created(self, workspace: str, operation_id: str) -> None:
        """An operation was created: see that it has an execution. Raises Transient, NotFound."""
        self.launching.await_or_ensure(workspace, operation_id)

    def start(self, request: StartRequest) -> StartAnswer:
        """See Starting.start."""
        return self._starting.start(request)

    def poll(self, request: PollRequest) -> PollAnswer:
        """See Polling.poll."""
        return self._polling.poll(request)

    def fail(self, request: FailRequest) -> FailAnswer:
        """See GivingUp.fail."""
        return self._giving_up.fail(request)

    def cancel(self, workspace: str, operation_id: str) -> CancelAnswer:
        """See Stopping.cancel."""
        return self.stopping.cancel(workspace, operation_id)
