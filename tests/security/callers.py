"""Credentials of every kind and every state, as headers, and an entrance that knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from flask import Flask, Response, request
from flask.testing import FlaskClient

from shared.api.dispatch import respond
from shared.bootstrap import App
from shared.contracts.grants import Grant, digest_of
from shared.contracts.members import Role
from shared.identity.entrance import Entrance
from shared.identity.keys import KeyRing
from shared.identity.people import People, audience_of
from shared.identity.rates import Rates
from shared.identity.signed import SignedTokens
from shared.identity.static import StaticTokens
from tests.support.http import settings
from tests.support.seams import FakeClock
from tests.support.signing import CLIENT, PROJECT, KeyPages, entry, firebase, google, signed

WORKSPACE, FOREIGN = "demo", "theirs"
PEOPLE = (Role.READER, Role.MEMBER, Role.OWNER)
CLOCK = FakeClock()

Headers = dict[str, str]


def static(role: Role, workspace: str = WORKSPACE, state: str = "") -> Headers:
    return bearer(f"static-{role}-{workspace}{state}")


def person(role: Role, workspace: str = WORKSPACE) -> Headers:
    return bearer(signed(google(CLOCK, email=address(role, workspace))))


def in_firebase(role: Role, workspace: str = WORKSPACE) -> Headers:
    return bearer(signed(firebase(CLOCK, email=address(role, workspace))))


def bearer(token: str) -> Headers:
    return {"Authorization": f"Bearer {token}"}


def address(role: Role, workspace: str) -> str:
    return f"{role}@{workspace}.example"


def naming(headers: Headers, workspace: str) -> Headers:
    return {**headers, "X-Memex-Workspace": workspace}


def _grant(role: Role, workspace: str, state: str = "", ended: bool = False) -> Grant:
    until = CLOCK.now() - timedelta(seconds=1) if ended else None
    stored = "" if role is Role.OPERATOR else workspace
    return Grant(digest_of(f"static-{role}-{workspace}{state}"), stored, role, until)


def grants() -> tuple[Grant, ...]:
    good = [_grant(role, workspace) for role in Role for workspace in (WORKSPACE, FOREIGN)]
    return (*good, *(_grant(role, WORKSPACE, "-ended", ended=True) for role in Role))


@dataclass(frozen=True)
class Refused:
    """Credentials that nobody may come in with, and what they are told."""

    headers: Headers
    status: int
    code: str
    placed: bool = False
    """Only where a workspace is meant."""


def strangers() -> Mapping[str, Refused]:
    """By what is wrong with them; every kind of token is there in every state."""
    owner = address(Role.OWNER, WORKSPACE)
    past = int(CLOCK.now().timestamp()) - 7200
    old = {"iat": past, "exp": past + 3600}
    unknown = {
        "none": {},
        "another scheme": {"Authorization": "Basic c3RhdGljLW93bmVyLWRlbW86"},
        "nothing after the scheme": {"Authorization": "Bearer "},
        "a token that nobody gave": bearer("static-owner"),
        "the hash of a token": bearer(digest_of(f"static-{Role.OWNER}-{WORKSPACE}")),
        "a token in another header": {"X-Serverless-Authorization": f"Bearer static-{Role.OWNER}-{WORKSPACE}"},
        "a token as a cookie": {"Cookie": f"Authorization=static-{Role.OWNER}-{WORKSPACE}"},
        "an ID token for another application": bearer(signed(google(CLOCK, email=owner, aud="2-other-app"))),
        "an ID token of another issuer": bearer(signed(google(CLOCK, email=owner, iss="https://evil.example"))),
        "an ID token of another key": bearer(signed(google(CLOCK, email=owner), "two", kid="one")),
        "an ID token without its signature": bearer(
            signed(google(CLOCK, email=owner)).rpartition(".")[0] + ".SIGNATURE_REMOVED_BY_GOOGLE"
        ),
        "a Firebase token for another project": bearer(signed(firebase(CLOCK, email=owner, aud="other-project"))),
        "a service account's token": bearer(signed(google(CLOCK, email=owner, aud="https://x/api"))),
    }
    ended = {
        "a token that has ended": static(Role.OWNER, state="-ended"),
        "a sign-in that has ended": bearer(signed(google(CLOCK, email=owner, **old))),
        "a sign-in with Firebase that has ended": bearer(signed(firebase(CLOCK, email=owner, **old, auth_time=past))),
    }
    outside = {
        "a token with the name of another workspace": naming(static(Role.OWNER), FOREIGN),
        "another workspace's token with the name of this": naming(static(Role.OWNER, FOREIGN), WORKSPACE),
        "an address that nobody verified": bearer(signed(google(CLOCK, email=owner, email_verified=False))),
    }
    strangers_there = {
        "a member of another workspace with the name of this": naming(person(Role.OWNER, FOREIGN), WORKSPACE),
        "a member of this with the name of another": naming(in_firebase(Role.OWNER), FOREIGN),
        "a member of none": bearer(signed(google(CLOCK, email="eve@evil.example"))),
    }
    return {
        **{name: Refused(headers, 401, "unauthorized") for name, headers in unknown.items()},
        **{name: Refused(headers, 401, "token_expired") for name, headers in ended.items()},
        **{name: Refused(headers, 403, "forbidden") for name, headers in outside.items()},
        **{name: Refused(headers, 403, "forbidden", placed=True) for name, headers in strangers_there.items()},
    }


class _Members:
    def role(self, workspace: str, email: str) -> Role | None:
        return next((role for role in PEOPLE if email == address(role, workspace)), None)

    def workspaces(self, email: str) -> Sequence[tuple[str, Role]]:
        found = [(workspace, self.role(workspace, email)) for workspace in (WORKSPACE, FOREIGN)]
        return [(workspace, role) for workspace, role in found if role is not None]


def entrance() -> Entrance:
    tokens = SignedTokens(KeyRing(CLOCK, KeyPages(entry("one"))))
    people = People([audience_of(CLIENT), audience_of(PROJECT)], tokens, CLOCK)
    return Entrance(StaticTokens(grants(), CLOCK), people, _Members(), Rates(CLOCK, 50, 100_000))


def app_with(entrance: Entrance, **env: str) -> App:
    """An App with that entrance, and nothing behind it."""
    app = App(settings(**env), clock=CLOCK)
    vars(app).update(entrance=entrance)
    return app


def client_of(app: App, function: str) -> FlaskClient:
    """One function of the API, as functions-framework would serve it."""
    flask = Flask(function)

    def everything(path: str) -> Response:
        return respond(app, request, function)

    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    flask.add_url_rule("/<path:path>", "all", everything, methods=methods, provide_automatic_options=False)
    return flask.test_client()
