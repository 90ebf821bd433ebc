"""IAM in front of private functions, as production has it."""

from __future__ import annotations

import pytest

from tests.unit.local.front.conftest import FrontUnderTest


def test_a_private_function_without_a_token_is_401(front: FrontUnderTest) -> None:
    assert front.http.post("/_functions/guarded").status_code == 401


@pytest.mark.parametrize("value", ["Basic abc", "Bearer", "Bearer nonsense", "Bearer a.b.c"])
def test_what_is_no_token_is_401(front: FrontUnderTest, value: str) -> None:
    assert front.http.get("/_functions/guarded", headers={"Authorization": value}).status_code == 401


def test_a_token_for_another_function_is_401(front: FrontUnderTest) -> None:
    assert front.http.get("/_functions/guarded", headers=front.token("friend", "probe")).status_code == 401


def test_an_account_that_is_no_caller_is_403(front: FrontUnderTest) -> None:
    answer = front.http.get("/_functions/guarded", headers=front.token("stranger", "guarded"))
    assert answer.status_code == 403
    assert "stranger@memex-local" in answer.json()["error"]["message"]


def test_a_token_that_was_forwarded_to_a_function_is_of_no_use_again(front: FrontUnderTest) -> None:
    headers = front.token("friend", "guarded")
    answer = front.http.get("/_functions/guarded/x", headers=headers).json()
    assert answer["path"] == "/x?"
    stripped = answer["authorization"]
    assert stripped.rpartition(".")[0] == headers["Authorization"].rpartition(".")[0]
    assert stripped != headers["Authorization"]
    assert front.http.get("/_functions/guarded", headers={"Authorization": stripped}).status_code == 401


def test_a_public_function_gets_its_callers_token_as_it_is(front: FrontUnderTest) -> None:
    answer = front.http.get("/probe/deep", headers={"Authorization": "Bearer of-a-person"}).json()
    assert answer["authorization"] == "Bearer of-a-person"


def test_a_public_function_can_be_called_by_name_too(front: FrontUnderTest) -> None:
    assert front.http.get("/_functions/probe/echo").json()["path"] == "/echo?"


def test_the_header_for_serverless_is_the_one_that_is_verified_when_both_are_sent(front: FrontUnderTest) -> None:
    token = front.token("friend", "guarded")["Authorization"]
    stripped = token.rpartition(".")[0] + ".SIGNATURE_REMOVED_BY_GOOGLE"
    forged = {"Authorization": token, "X-Serverless-Authorization": stripped}
    assert front.http.get("/_functions/guarded", headers=forged).status_code == 401
    both = {"Authorization": "Bearer of-a-person", "X-Serverless-Authorization": token}
    answer = front.http.get("/_functions/guarded", headers=both).json()
    assert answer["authorization"] == "Bearer of-a-person"
    assert answer["serverless"] == stripped
