"""Every function of the manifest, served as production serves it: who may call it is what the manifest says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import yaml
from flask.testing import FlaskClient
from functions_framework import create_app

from infra.packages.imports import needed, tree_of
from shared import bootstrap
from shared.contracts.manifest import FirestoreTrigger, FunctionRow, HttpTrigger, Manifest, PubSubTrigger
from shared.contracts.members import Role
from tests.security.callers import app_with, entrance, person, static
from tests.unit.test_auth import jwt

ROOT = Path(__file__).parents[2]
MANIFEST = Manifest.model_validate(yaml.safe_load((ROOT / "functions" / "manifest.yaml").read_text()))
PRIVATE = [row for row in MANIFEST.functions if row.invoker == "private"]
PUBLIC = [row for row in MANIFEST.functions if row.invoker == "public"]
URL, DOMAIN = "https://{name}-abc-uc.a.run.app", "memex-local.iam.gserviceaccount.com"
EVENT = {"ce-specversion": "1.0", "ce-id": "1", "ce-source": "//test", "ce-type": "test"}


def named(row: FunctionRow) -> str:
    return row.name


@pytest.fixture
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    row: FunctionRow = request.param
    callers = ";".join(f"{one.name}={','.join(map(account, one.callers))}" for one in PRIVATE)
    env = {"FUNCTION_URL": URL, "FUNCTION_CALLERS": callers}
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "memex-local")  # a function is not imported without its settings
    app = app_with(entrance(), **env)
    vars(app).update(firestore=Mock())
    bootstrap.use(app)
    kind = "cloudevent" if isinstance(row.trigger, FirestoreTrigger | PubSubTrigger) else "http"
    source = ROOT / "functions" / row.entry_point / "main.py"
    yield create_app(row.entry_point, str(source), kind).test_client()
    bootstrap.use(None)


def account(name: str) -> str:
    return f"{name}@{DOMAIN}"


def token(row: FunctionRow, **changes: Any) -> str:
    claims = {"aud": URL.replace("{name}", row.name), "email": account(row.callers[0]), "email_verified": True}
    return jwt(claims | changes)


def called(client: FlaskClient, headers: dict[str, str], **more: str) -> int:
    return client.post("/no-such-verb", data=b"{}", headers={**EVENT, **headers, **more}).status_code


@pytest.mark.parametrize(("client", "row"), [(row, row) for row in PRIVATE], ids=named, indirect=["client"])
def test_a_private_function_works_for_its_callers_alone(client: FlaskClient, row: FunctionRow) -> None:
    other = next(name for one in MANIFEST.functions for name in one.callers if name not in row.callers)
    nobody = {
        "none": {},
        "no token": {"Authorization": "Bearer x"},
        "a person's token": static(Role.OWNER),
        "the operator's token": static(Role.OPERATOR),
        "a sign-in": person(Role.OWNER),
        "for another function": {"Authorization": f"Bearer {token(row, aud=URL.replace('{name}', 'api'))}"},
        "for everything": {"Authorization": f"Bearer {token(row, aud=None)}"},
    }
    for name, headers in nobody.items():
        assert called(client, headers) == 401, name
    strangers = {
        "another of ours": account(other),
        "of another project": f"{row.callers[0]}@other.iam.gserviceaccount.com",
        "the function itself": account(row.service_account),
        "a longer name": f"{account(row.callers[0])}.evil.example",
        "two": f"{account(row.callers[0])},x",
        "nobody": "",
    }
    for name, email in strangers.items():
        assert called(client, {"Authorization": f"Bearer {token(row, email=email)}"}) == 403, name
    assert called(client, {"Authorization": f"Bearer {token(row, email_verified=False)}"}) == 403
    good = f"Bearer {token(row)}"
    assert called(client, {"Authorization": good}) in (200, 204, 404), "it passes, and asks for nothing that there is"
    assert called(client, {"Authorization": good, "X-Serverless-Authorization": "Bearer x"}) == 401


@pytest.mark.parametrize(("client", "row"), [(row, row) for row in PUBLIC], ids=named, indirect=["client"])
def test_a_public_function_asks_for_more_than_a_private_ones_credentials(client: FlaskClient, row: FunctionRow) -> None:
    forwarded = jwt({"aud": URL.replace("{name}", row.name), "email": account("wf-research"), "email_verified": True})
    routes = row.trigger.routes if isinstance(row.trigger, HttpTrigger) else ()
    for path in (f"{route}/x" for route in routes):
        for headers in (
            {},
            {"Authorization": f"Bearer {forwarded}"},
            {"X-Serverless-Authorization": f"Bearer {forwarded}"},
        ):
            answer = client.post(path, json={}, headers=headers)
            assert answer.status_code == 401, (path, headers)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("row", PUBLIC, ids=named)
def test_what_trusts_iam_guards_no_public_function(row: FunctionRow) -> None:
    """There is no IAM in front of those: whoever checked a token without its signature would let everybody in."""
    modules = needed(ROOT, f"functions.{row.entry_point}.main") - {"shared.auth"}
    found = [module for module in modules if "require_internal_caller" in set(_names(module))]
    assert len(modules) > 20 and found == []


def _names(module: str) -> Iterator[str]:
    for node in ast.walk(tree_of(ROOT, module)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
