"""The switch for spending: who reads it hears of a change within seconds, and a hand-written one is understood."""

from __future__ import annotations

import random
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.spending import SpendingSwitch
from shared.errors import SpendingPaused
from shared.store.spending import SpendingSwitches
from shared.store.workspace import WorkspaceStore
from shared.telemetry.context import working
from shared.usage.pause import WITHIN_SECONDS, Pause
from tests.support.seams import FakeClock


@pytest.fixture
def workspace(store: WorkspaceStore) -> str:
    return store.workspace


@pytest.fixture
def switches(firestore: Client, clock: FakeClock) -> SpendingSwitches:
    firestore.document("system/spending").delete()
    return SpendingSwitches(firestore, clock, random.Random(4))


@pytest.fixture
def pause(switches: SpendingSwitches, clock: FakeClock) -> Pause:
    return Pause(switches, clock)


def test_nothing_is_paused_where_nobody_has_said_so(pause: Pause, workspace: str) -> None:
    pause.check(workspace)
    assert not pause.paused(workspace)


def test_another_instance_hears_of_a_pause_within_seconds(
    switches: SpendingSwitches, clock: FakeClock, workspace: str
) -> None:
    here, there = Pause(switches, clock), Pause(switches, clock)
    assert not there.paused(workspace)
    here.switch(workspace, SpendingSwitch(paused=True, by="token-1", at=clock.now(), reason="too dear"))
    assert here.paused(workspace) and not there.paused(workspace)
    clock.sleep(WITHIN_SECONDS)
    assert there.paused(workspace)
    with pytest.raises(SpendingPaused, match=r"by token-1 \(too dear\)"):
        there.check(workspace)


def test_a_pause_of_one_workspace_is_none_of_another(pause: Pause, workspace: str) -> None:
    pause.switch(workspace, SpendingSwitch(paused=True))
    pause.check("another")
    pause.switch(workspace, SpendingSwitch(paused=False))
    pause.check(workspace)


def test_a_pause_of_the_project_is_one_of_every_workspace(pause: Pause, workspace: str) -> None:
    pause.switch("", SpendingSwitch(paused=True))
    for name in (workspace, "another", ""):
        with pytest.raises(SpendingPaused, match="resume --all"):
            pause.check(name)


def test_a_client_asks_for_the_workspace_that_it_works_for(pause: Pause, workspace: str) -> None:
    pause.switch(workspace, SpendingSwitch(paused=True))
    pause.check_here()
    with working(workspace=workspace), pytest.raises(SpendingPaused):
        pause.check_here()


def test_switching_leaves_the_rest_of_the_workspace_s_document(pause: Pause, firestore: Client, workspace: str) -> None:
    firestore.document(f"workspaces/{workspace}").set({"plan": "pro"})
    pause.switch(workspace, SpendingSwitch(paused=True, by="me"))
    stored = firestore.document(f"workspaces/{workspace}").get().to_dict() or {}
    assert stored["plan"] == "pro" and stored["spending_paused"]["by"] == "me"


YES: tuple[Any, ...] = (True, "yes", "true", 1, {"paused": True}, {"paused": "true", "at": "yesterday"})
NO: tuple[Any, ...] = (False, "false", "no", 0, {"paused": False, "at": 7})


@pytest.mark.parametrize(("written", "paused"), [*((one, True) for one in YES), *((one, False) for one in NO)])
def test_what_is_written_by_hand_is_understood(
    pause: Pause, firestore: Client, workspace: str, written: Any, paused: bool
) -> None:
    firestore.document(f"workspaces/{workspace}").set({"spending_paused": written})
    assert pause.paused(workspace) is paused


@pytest.mark.parametrize(
    ("written", "paused"),
    [({"spending_paused": True}, True), ({"spending_paused": False}, False), ({"pause": True}, True), ({}, False)],
)
def test_a_project_is_paused_by_hand_whatever_the_field_is_called(
    pause: Pause, firestore: Client, workspace: str, written: dict[str, Any], paused: bool
) -> None:
    firestore.document("system/spending").set(written)
    assert pause.paused(workspace) is paused
