"""Every route of the table with every kind of credentials: who is let in is what the table says, and nobody else.

The handlers are stand-ins that note who came: what is tried here is the way to them. A new route is tried by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Response
from flask.testing import FlaskClient

from shared.api import dispatch
from shared.api.route import Call, Route
from shared.api.security import HEADERS
from shared.api.table import ROUTES
from shared.contracts.members import Role
from shared.identity.principal import Principal
from tests.security import callers
from tests.security.callers import (
    FOREIGN,
    PEOPLE,
    WORKSPACE,
    app_with,
    client_of,
    entrance,
    in_firebase,
    person,
    static,
)

BY_TOKEN = [route for route in ROUTES if not route.secret_address]
BY_ADDRESS = [route for route in ROUTES if route.secret_address]
OF_NO_WORKSPACE = [route for route in BY_TOKEN if route.anywhere and route.least_role is Role.READER]
KINDS = (static, person, in_firebase)


def named(route: Route) -> str:
    return f"{route.method} {route.path}"


def kinds(route: Route) -> tuple[Any, ...]:
    """Who comes to a route in a workspace: where none is meant, tokens alone."""
    return (static,) if route.anywhere else KINDS


def path_of(route: Route, last: str = "x1") -> str:
    segments = [segment if segment[0] != "{" else "x1" for segment in route.segments]
    return "/api/v1/" + "/".join([*segments[:-1], last if route.segments[-1][0] == "{" else segments[-1]])


class Reached:
    """Who came to a handler."""

    def __init__(self) -> None:
        self.callers: list[Principal] = []

    def __call__(self, call: Call) -> Response:
        self.callers.append(call.principal)
        return Response(status=204)


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> Reached:
    handler = Reached()
    table = tuple(replace(route, handler=handler) for route in ROUTES)
    monkeypatch.setattr(dispatch, "ROUTES", table)
    return handler


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[str, FlaskClient]]:
    app = app_with(entrance())
    yield {function: client_of(app, function) for function in {route.function for route in ROUTES}}


def told(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.json["error"]["code"] == code
    assert not [name for name, value in HEADERS.items() if answer.headers.get(name) != value]
    return dict(answer.json["error"]["details"])


@pytest.mark.parametrize("route", BY_TOKEN, ids=named)
def test_nobody_comes_in_without_good_credentials(
    route: Route, clients: dict[str, FlaskClient], reached: Reached
) -> None:
    for name, refused in callers.strangers().items():
        answer = clients[route.function].open(path_of(route), method=route.method, headers=refused.headers)
        if route in OF_NO_WORKSPACE and refused.placed:
            assert answer.status_code == 204 and reached.callers.pop().workspace == "", name
            continue
        assert not reached.callers, name
        told(answer, refused.status, refused.code)
        assert ("WWW-Authenticate" in answer.headers) is (refused.status == 401)


@pytest.mark.parametrize("route", BY_TOKEN, ids=named)
def test_each_role_may_call_what_the_table_says(
    route: Route, clients: dict[str, FlaskClient], reached: Reached
) -> None:
    for kind in kinds(route):
        for role in PEOPLE:
            answer = clients[route.function].open(path_of(route), method=route.method, headers=kind(role))
            if role.may(route.least_role):
                assert answer.status_code == 204, (kind, role)
                caller = reached.callers.pop()
                assert (caller.workspace, caller.role) == (WORKSPACE, role)
            else:
                assert told(answer, 403, "forbidden") == {"role": route.least_role}
            assert not reached.callers


@pytest.mark.parametrize("route", BY_TOKEN, ids=named)
def test_the_operator_may_call_what_the_table_says_and_is_in_no_workspace(
    route: Route, clients: dict[str, FlaskClient], reached: Reached
) -> None:
    for headers in (static(Role.OPERATOR), callers.naming(static(Role.OPERATOR), WORKSPACE)):
        answer = clients[route.function].open(path_of(route), method=route.method, headers=headers)
        if route.operator or route.least_role is Role.OPERATOR:
            assert answer.status_code == 204 and reached.callers.pop().workspace == ""
        else:
            told(answer, 403, "forbidden")
        assert not reached.callers


@pytest.mark.parametrize("route", BY_TOKEN, ids=named)
def test_who_is_of_another_workspace_acts_in_that_one_alone(
    route: Route, clients: dict[str, FlaskClient], reached: Reached
) -> None:
    if route.least_role is Role.OPERATOR:
        return
    for kind in kinds(route):
        headers = kind(Role.OWNER, FOREIGN)
        assert clients[route.function].open(path_of(route), method=route.method, headers=headers).status_code == 204
        assert reached.callers.pop().workspace == FOREIGN


@pytest.mark.parametrize("route", OF_NO_WORKSPACE, ids=named)
def test_where_no_workspace_is_meant_a_person_is_in_none_and_reads(
    route: Route, clients: dict[str, FlaskClient], reached: Reached
) -> None:
    for kind in (person, in_firebase):
        for headers in (kind(Role.OWNER), callers.naming(kind(Role.READER), FOREIGN)):
            assert clients[route.function].open(path_of(route), method=route.method, headers=headers).status_code == 204
            caller = reached.callers.pop()
            assert (caller.workspace, caller.role) == ("", Role.READER) and caller.email.endswith("@demo.example")


@pytest.mark.parametrize("route", BY_ADDRESS, ids=named)
def test_an_address_that_stands_for_a_token_opens_for_reading_alone(
    route: Route, clients: dict[str, FlaskClient], reached: Reached
) -> None:
    door = entrance()
    client = clients[route.function]
    for wrong in ("x1", f"static-{Role.OWNER}-{WORKSPACE}", callers.grants()[0].digest, callers.grants()[0].name):
        told(client.open(path_of(route, wrong), method=route.method, headers=static(Role.OWNER)), 404, "not_found")
    for grant in callers.grants():
        owner = Principal(grant.workspace, grant.name, grant.role, grant.valid_until)
        answer = client.open(path_of(route, door.feed_secret(owner)), method=route.method)
        if grant.ended(callers.CLOCK.now()) or grant.role is Role.OPERATOR:
            told(answer, 404, "not_found")
        else:
            caller = reached.callers.pop()
            assert (caller.workspace, caller.role) == (grant.workspace, Role.READER)
    assert not reached.callers


@pytest.mark.parametrize("route", ROUTES, ids=named)
def test_whatever_changes_or_is_for_owners_is_closed_to_readers(route: Route) -> None:
    assert route.least_role is not Role.READER or route.method == "GET"
    assert route.least_role is Role.READER or not route.secret_address
    assert route.least_role in (Role.READER, Role.OPERATOR) or not route.anywhere


@pytest.mark.parametrize("route", ROUTES, ids=named)
def test_a_route_of_another_function_is_asked_for_there(route: Route, clients: dict[str, FlaskClient]) -> None:
    for function, client in clients.items():
        if function == route.function:
            continue
        answer = client.open(path_of(route), method=route.method, headers=static(Role.OWNER))
        if not route.secret_address:
            assert told(answer, 421, "misdirected")["function"] == route.function
