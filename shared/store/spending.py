"""system/spending, and the field `spending_paused` of workspaces/{workspace}: whether spending is paused.

A person may have to change them by hand, in the console, when nothing else answers: so what they write is read with
good will, and what cannot be read is taken for a pause.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shared.clock import Clock
from shared.contracts.spending import SpendingSwitch
from shared.errors import Transient
from shared.store.database import Database
from shared.store.errors import Contention, Uncertain
from shared.store.gate import Closed
from shared.store.paths import segment
from shared.store.writes import create, update

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client

PROJECT = "system/spending"
FIELD = "spending_paused"
_TRIES = 5


@dataclass(frozen=True)
class Switches:
    """Both as they stand. Without a workspace `own` is one that pauses nothing."""

    project: SpendingSwitch
    own: SpendingSwitch

    @property
    def paused(self) -> bool:
        return self.project.paused or self.own.paused


class SpendingSwitches:
    """Over all workspaces."""

    def __init__(self, client: Client, clock: Clock, randomness: random.Random) -> None:
        self._database = Database(client, "", clock, randomness)
        self._closed = Closed(self._database, clock)

    def read(self, workspace: str) -> Switches:
        """As of one moment; of the project alone without a workspace. Raises Transient."""
        found = self._database.get_all([PROJECT, *([_path(workspace)] if workspace else [])])
        own = (found[1].fields or {}).get(FIELD) if workspace else None
        return Switches(_switch(found[0].fields), _switch(own))

    def write(self, workspace: str, switch: SpendingSwitch) -> None:
        """Of the workspace, or without one of the project. Raises WorkspaceClosed; Transient when it is not through."""
        if workspace:
            self._closed.check(workspace)
        path = _path(workspace) if workspace else PROJECT
        fields = {FIELD: switch.model_dump()} if workspace else switch.model_dump()
        for attempt in range(_TRIES):
            if attempt:
                self._database.pause(attempt)
            there = self._database.get(path).fields is not None
            try:
                self._database.commit((update(path, fields) if there else create(path, fields),), "spending.switch")
            except (Contention, Uncertain):
                continue
            return
        raise Transient("The switch could not be written just now: try again.")


def _path(workspace: str) -> str:
    return f"workspaces/{segment(workspace)}"


def _switch(value: Any) -> SpendingSwitch:
    """Whatever stands there: nothing, a document, a map, or a plain yes or no."""
    if value is None:
        return SpendingSwitch()
    fields = value if isinstance(value, Mapping) else {"paused": value}
    if fields and "paused" not in fields:  # somebody has said something, in another word
        fields = {"paused": fields.get(FIELD, True)}
    try:
        return SpendingSwitch.model_validate(fields)
    except ValidationError:
        return SpendingSwitch.model_validate({"paused": fields.get("paused", True)})
