"""Who is let in, and in which workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from werkzeug.datastructures import Headers

from shared.contracts.grants import Grant, digest_of
from shared.contracts.members import Role
from shared.errors import Forbidden, InputError, Unauthorized
from shared.identity.entrance import Entrance
from shared.identity.keys import KeyRing
from shared.identity.people import People, audience_of
from shared.identity.principal import WorkspaceNeeded
from shared.identity.rates import RateLimited, Rates
from shared.identity.signed import SignedTokens
from shared.identity.static import StaticTokens
from tests.support.seams import FakeClock
from tests.support.signing import CLIENT, EMAIL, KeyPages, entry, google, signed

Known = Mapping[str, Mapping[str, Role]]


class Members:
    """By workspace and address."""

    def __init__(self, known: Known) -> None:
        self.known, self.asked = known, 0

    def role(self, workspace: str, email: str) -> Role | None:
        self.asked += 1
        return self.known.get(workspace, {}).get(email)

    def workspaces(self, email: str) -> Sequence[tuple[str, Role]]:
        self.asked += 1
        return [(workspace, people[email]) for workspace, people in self.known.items() if email in people]


CLOCK = FakeClock()
GRANTS = (Grant(digest_of("secret"), "demo", Role.MEMBER), Grant(digest_of("runs"), "", Role.OPERATOR))


def entrance(members: Members | None = None, *, burst: float = 100, people: bool = True) -> Entrance:
    tokens = SignedTokens(KeyRing(CLOCK, KeyPages(entry("one"))))
    taken = People([audience_of(CLIENT)], tokens, CLOCK) if people else None
    return Entrance(StaticTokens(GRANTS, CLOCK), taken, members or Members({}), Rates(CLOCK, 1, burst))


def sent(token: str, workspace: str | None = None, scheme: str = "Bearer") -> Headers:
    headers = {"Authorization": f"{scheme} {token}"}
    return Headers(headers if workspace is None else headers | {"X-Memex-Workspace": workspace})


@pytest.mark.parametrize(
    "headers",
    [Headers(), sent(""), sent(" "), sent("wrong"), sent("secret", scheme="Basic"), sent(digest_of("secret"))],
)
def test_nobody_else_is_let_in(headers: Headers) -> None:
    with pytest.raises(Unauthorized):
        entrance().admit(headers)


@pytest.mark.parametrize("workspace", [None, "", "demo"])
def test_a_token_opens_its_workspace(workspace: str | None) -> None:
    caller = entrance().admit(sent("secret", workspace))
    assert (caller.workspace, caller.role) == ("demo", Role.MEMBER)


@pytest.mark.parametrize("workspace", ["other", "Demo", "demo/../other", "*", " demo"])
def test_a_token_opens_no_other(workspace: str) -> None:
    with pytest.raises(Forbidden):
        entrance().admit(sent("secret", workspace))


def test_an_operator_is_in_no_workspace_whatever_they_name() -> None:
    for workspace in (None, "demo"):
        caller = entrance().admit(sent("runs", workspace))
        assert (caller.workspace, caller.role) == ("", Role.OPERATOR)


def test_a_person_of_one_workspace_need_not_name_it() -> None:
    members = Members({"home": {EMAIL: Role.READER}, "other": {"eve@example.com": Role.OWNER}})
    caller = entrance(members).admit(sent(signed(google(CLOCK))))
    assert (caller.workspace, caller.role) == ("home", Role.READER) and caller.expires_at is not None
    assert entrance(members).admit(sent(signed(google(CLOCK)), "home")) == caller


def test_a_person_of_several_is_asked_for_one_and_told_which_there_are() -> None:
    members = Members({"work": {EMAIL: Role.OWNER}, "home": {EMAIL: Role.READER}, "far": {}})
    with pytest.raises(WorkspaceNeeded) as asked:
        entrance(members).admit(sent(signed(google(CLOCK))))
    assert asked.value.details["workspaces"] == ["home", "work"] and asked.value.code == "workspace_needed"
    assert entrance(members).admit(sent(signed(google(CLOCK)), "work")).role is Role.OWNER
    assert entrance(members).admit(sent(signed(google(CLOCK)), "home")).role is Role.READER


def test_whether_there_is_a_workspace_is_not_told_to_who_is_no_member() -> None:
    members = Members({"far": {"eve@example.com": Role.OWNER}})
    told = []
    for workspace in ("far", "absent"):
        with pytest.raises(Forbidden) as refused:
            entrance(members).admit(sent(signed(google(CLOCK)), workspace))
        told.append(refused.value.message.replace(workspace, "…"))
    assert told[0] == told[1]
    with pytest.raises(Forbidden):
        entrance(members).admit(sent(signed(google(CLOCK))))


@pytest.mark.parametrize("workspace", ["../home", "home/members/x", "__all__", "x" * 129, "hôme"])
def test_a_workspace_that_is_no_id_is_refused_before_anything_is_read(workspace: str) -> None:
    members = Members({"home": {EMAIL: Role.OWNER}})
    with pytest.raises(InputError):
        entrance(members).admit(sent(signed(google(CLOCK)), workspace))
    assert members.asked == 0


def test_where_no_workspace_is_meant_a_person_is_in_none() -> None:
    members = Members({"work": {EMAIL: Role.OWNER}, "home": {EMAIL: Role.READER}})
    for workspace in (None, "work", "far", "../x"):
        caller = entrance(members).admit(sent(signed(google(CLOCK)), workspace), anywhere=True)
        assert (caller.workspace, caller.role, caller.email) == ("", Role.READER, EMAIL)
    assert members.asked == 0
    assert entrance().admit(sent("secret"), anywhere=True).workspace == "demo"


def test_who_is_let_go_is_out_at_the_next_request() -> None:
    home: dict[str, Role] = {EMAIL: Role.OWNER}
    door = entrance(Members({"home": home}))
    door.admit(sent(signed(google(CLOCK))))
    home.clear()
    with pytest.raises(Forbidden):
        door.admit(sent(signed(google(CLOCK))))


def test_where_no_id_tokens_are_taken_a_good_one_is_as_unknown_as_any() -> None:
    with pytest.raises(Unauthorized):
        entrance(Members({"home": {EMAIL: Role.OWNER}}), people=False).admit(sent(signed(google(CLOCK))))


def test_each_caller_is_counted_for_themselves_and_who_is_refused_is_not() -> None:
    door = entrance(Members({"home": {EMAIL: Role.OWNER}}), burst=2)
    for _ in range(5):
        with pytest.raises(Unauthorized):
            door.admit(sent("wrong"))
    secret = door.feed_secret(door.admit(sent("secret")))
    door.admit_to_feed(secret)
    for again in (lambda: door.admit(sent("secret")), lambda: door.admit_to_feed(secret)):
        with pytest.raises(RateLimited):
            again()
    assert door.admit(sent(signed(google(CLOCK)))).workspace == "home"
