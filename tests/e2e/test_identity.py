"""People sign in on the local cloud, are let in by an owner, and do what their role allows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.files import keep_tokens
from shared.contracts.grants import digest_of
from tests.e2e.world import World

PROJECT, EMAIL = "memex-people", "ada@example.com"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    keep_tokens(tmp_path / "cloud", f"{digest_of('from-the-file')}=far;{digest_of('reads')}=demo:reader")
    other = hashlib.sha256(b"from-the-settings").hexdigest()
    world = World(tmp_path / "cloud", ID_TOKEN_AUDIENCES=PROJECT, API_TOKENS=f"{other}=other")
    yield world
    world.close()


def asked(world: World, method: str, path: str, token: str, workspace: str = "", **sent: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"} | ({"X-Memex-Workspace": workspace} if workspace else {})
    return world.act(lambda: world.http.request(method, f"/api/v1/{path}", headers=headers, **sent))


def sign_in(world: World, email: str = EMAIL) -> str:
    given = {"email": email, "audience": PROJECT}
    return str(world.act(lambda: world.http.post("/_iam/sign_in", json=given)).json()["id_token"])


def me(world: World, token: str, workspace: str = "") -> tuple[int, str, str]:
    answer = asked(world, "GET", "me", token, workspace)
    told = answer.json()
    return answer.status_code, told.get("workspace") or told["error"]["code"], told.get("role", "")


def let_in(world: World, token: str, role: str, email: str = EMAIL) -> None:
    answer = asked(world, "PUT", f"workspace/members/{email}", token, json={"role": role})
    assert answer.status_code in (200, 201), answer.text


@pytest.mark.slow
def test_tokens_of_the_data_directory_of_the_settings_and_its_own_all_open(world: World) -> None:
    tokens = ("from-the-file", "from-the-settings", "reads", world.address.token)
    found = [me(world, token) for token in tokens]
    assert found == [(200, "far", "owner"), (200, "other", "owner"), (200, "demo", "reader"), (200, "demo", "owner")]
    assert asked(world, "POST", "notes", "reads", json={"body": "x"}).status_code == 403


def test_a_person_is_let_in_changes_roles_and_is_let_go(world: World) -> None:
    owner, ada = world.address.token, sign_in(world)
    assert me(world, ada) == (403, "forbidden", "")
    let_in(world, owner, "reader", "Ada@Example.com")
    assert me(world, ada) == (200, "demo", "reader")
    assert asked(world, "POST", "notes", ada, json={"body": "Rye."}).status_code == 403
    let_in(world, owner, "member")
    note = asked(world, "POST", "notes", ada, json={"body": "Rye."})
    assert note.status_code == 201 and asked(world, "GET", "notes", ada).json()["notes"]
    assert asked(world, "PUT", f"workspace/members/{EMAIL}", ada, json={"role": "owner"}).status_code == 403
    let_in(world, "from-the-file", "owner")
    assert me(world, ada) == (400, "workspace_needed", "")
    assert me(world, ada, "far") == (200, "far", "owner") and me(world, ada, "demo") == (200, "demo", "member")
    assert me(world, ada, "other") == (403, "forbidden", "")
    assert asked(world, "DELETE", f"workspace/members/{EMAIL}", owner).status_code in (200, 204)
    assert me(world, ada, "demo") == (403, "forbidden", "") and me(world, ada) == (200, "far", "owner")
    assert me(world, sign_in(world, "eve@example.com"), "far") == (403, "forbidden", "")


@pytest.mark.slow
def test_a_sign_in_ends_and_the_next_one_is_good(world: World) -> None:
    let_in(world, world.address.token, "reader")
    ada = sign_in(world)
    assert me(world, ada)[0] == 200
    world.pass_time(3700)
    assert me(world, ada) == (401, "token_expired", "")
    assert me(world, sign_in(world)) == (200, "demo", "reader")
