"""The one switch that pauses all spending, of a workspace or of the whole project.

Every client that is paid for asks `check_here` before each call, where it is built (bootstrap). An answer is believed
for a few seconds by each instance: so long after the switch the last paid call has begun, wherever it was made. Calls
under way then are not broken off, as they are paid for; a Deep Research run goes on at the service and is read to its
end. What drives work asks `paused` besides, and waits without an execution; the sweep goes on with it.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta

from shared.clock import Clock
from shared.contracts.spending import SpendingSwitch
from shared.errors import SpendingPaused
from shared.store.spending import SpendingSwitches, Switches
from shared.telemetry import context

log = logging.getLogger(__name__)

WITHIN_SECONDS = 5.0
"""An instance believes so long that spending goes on, or is paused."""
_KEPT = 1_000


class Pause:
    """One for a process."""

    def __init__(self, switches: SpendingSwitches, clock: Clock) -> None:
        self._switches, self._clock = switches, clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[datetime, Switches]] = {}

    def state(self, workspace: str) -> Switches:
        """Both switches as they stand now; of the project alone for "". Raises Transient."""
        now = self._clock.now()
        found = self._switches.read(workspace)
        with self._lock:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[workspace] = (now + timedelta(seconds=WITHIN_SECONDS), found)
        return found

    def paused(self, workspace: str) -> bool:
        """As of WITHIN_SECONDS ago at most. Raises Transient where nobody can tell."""
        return self._recent(workspace).paused

    def check(self, workspace: str) -> None:
        """Raises SpendingPaused; the message says by whom and how to go on."""
        found = self._recent(workspace)
        if found.paused:
            raise SpendingPaused(_message(workspace, found), project=found.project.paused)

    def check_here(self) -> None:
        """For the workspace that this thread works for: what a paid client asks before each call."""
        self.check(context.workspace())

    def switch(self, workspace: str, switch: SpendingSwitch) -> Switches:
        """Pause or go on, in the workspace or for "" in the whole project; both as they stand then."""
        self._switches.write(workspace, switch)
        where = f"in the workspace {workspace}" if workspace else "in the whole project"
        what = "paused" if switch.paused else "resumed"
        why = switch.reason or "no reason given"
        log.warning("the switch for spending was turned: %s %s by %s: %s", what, where, switch.by, why)
        return self.state(workspace)

    def _recent(self, workspace: str) -> Switches:
        now = self._clock.now()
        with self._lock:
            until, found = self._known.get(workspace, (now, None))
        return found if found is not None and until > now else self.state(workspace)


def _message(workspace: str, found: Switches) -> str:
    whole = found.project.paused
    switch = found.project if whole else found.own
    by = f" by {switch.by}" if switch.by else ""
    why = f" ({switch.reason})" if switch.reason else ""
    return (
        f"Spending is paused in {'this Memex' if whole else f'the workspace {workspace}'}{by}{why}: nothing that costs "
        f"money is begun. `memex resume{' --all' if whole else ''}` lets it go on."
    )
