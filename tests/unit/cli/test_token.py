"""`memex token`: tokens in a data directory, in Secret Manager, and in a variable; and `memex whoami`."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from infra.cli.main import memex
from infra.cli.token_stores import InData, changed
from infra.local.files import kept_tokens
from shared.contracts.grants import Grant, digest_of, read
from shared.contracts.members import Role
from tests.support.loopback import QuietHandler, serving
from tests.unit.cli.conftest import Run
from tests.unit.cli.server import Answer, Script

Tokens = Callable[..., Result]
A, B = "a" * 64, "b" * 64


@pytest.fixture
def tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tokens:
    """`memex token` in a data directory of its own."""
    monkeypatch.setenv("MEMEX_DATA", str(tmp_path))
    return lambda *arguments: CliRunner().invoke(memex, ["token", *arguments])


def answered(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def test_a_token_is_shown_once_and_of_it_a_hash_is_kept(tokens: Tokens, tmp_path: Path) -> None:
    made = answered(tokens("new", "--role", "reader", "--valid-until", "2030-01-01", "--json"))
    assert made["token"].startswith("memex_") and len(made["token"]) > 40
    stored = kept_tokens(tmp_path)
    assert stored == f"{digest_of(made['token'])}=demo:reader@2030-01-01T00:00:00Z"
    assert made["name"] == f"token-{digest_of(made['token'])[:8]}" and made["workspace"] == "demo"
    assert (tmp_path / "api_tokens").stat().st_mode & 0o777 == 0o600
    again = tokens("list")
    assert (
        made["name"] in again.stdout
        and made["token"] not in again.stdout
        and digest_of(made["token"]) not in again.stdout
    )


def test_two_tokens_are_never_alike(tokens: Tokens) -> None:
    assert len({answered(tokens("new", "--json"))["token"] for _ in range(3)}) == 3
    assert len(answered(tokens("list", "--json"))["tokens"]) == 3


def test_several_at_once_lose_nothing(tmp_path: Path) -> None:
    names, threads = [letter * 64 for letter in "abcdef"], []

    def one(digest: str) -> None:
        def slowly(grants: tuple[Grant, ...]) -> tuple[Grant, ...]:
            met.wait(timeout=0.05)  # whoever may read meanwhile has read
            return (*grants, Grant(digest, "demo", Role.OWNER, None))

        changed(InData(tmp_path), slowly)

    met = threading.Event()
    for digest in names:
        threads.append(threading.Thread(target=one, args=(digest,)))
        threads[-1].start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(grant.digest for grant in read(kept_tokens(tmp_path))) == names


def test_an_end_beyond_all_calendars_is_refused_in_a_sentence(tokens: Tokens) -> None:
    result = tokens("new", "--valid-until", "9999-12-31T23:59:59-10:00")
    assert result.exit_code == 2 and "is no moment" in result.stderr


def test_rotating_makes_a_second_one_and_the_first_ends_later(tokens: Tokens, tmp_path: Path) -> None:
    old = answered(tokens("new", "--role", "member", "--json"))
    made = answered(tokens("rotate", old["name"], "--json"))
    first, second = read(kept_tokens(tmp_path))
    assert first.name == old["name"] and first.valid_until is not None and second.valid_until is None
    assert second.name == made["name"] and (second.workspace, second.role) == (first.workspace, first.role)
    assert made["old_days"] == 7 and made["token"] != old["token"]
    answered(tokens("rotate", made["name"], "--days", "1", "--valid-until", "2031-01-01T00:00:00Z", "--json"))
    assert [one.valid_until is None for one in read(kept_tokens(tmp_path))] == [False, False, False]


def test_retiring_lets_it_end_and_never_later_than_it_would(tokens: Tokens, tmp_path: Path) -> None:
    name = answered(tokens("new", "--valid-until", "2030-01-01", "--json"))["name"]
    answered(tokens("retire", name, "--days", "3650", "--json"))
    assert read(kept_tokens(tmp_path))[0].valid_until.year == 2030  # type: ignore[union-attr]
    answered(tokens("retire", name, "--days", "0", "--json"))
    assert answered(tokens("list", "--json"))["tokens"][0]["ended"] is True


def test_revoking_takes_it_out(tokens: Tokens, tmp_path: Path) -> None:
    first, second = (answered(tokens("new", "--json"))["name"] for _ in range(2))
    assert answered(tokens("revoke", first.removeprefix("token-"), "--json"))["revoked"] is True
    assert [one.name for one in read(kept_tokens(tmp_path))] == [second]
    answered(tokens("revoke", second, "--json"))
    assert kept_tokens(tmp_path) == ""


def test_people_are_told_in_words_when_a_token_ends(tokens: Tokens) -> None:
    name = answered(tokens("new", "--json"))["name"]
    assert tokens("retire", name, "--days", "3").stdout == f"{name} ends in 3 days at the latest.\n"
    assert tokens("retire", name, "--days", "1").stdout == f"{name} ends in 1 day at the latest.\n"
    assert tokens("revoke", name).stdout == f"{name} is out.\n"


def test_what_ended_long_ago_is_forgotten_when_something_is_written(tokens: Tokens, tmp_path: Path) -> None:
    (tmp_path / "api_tokens").write_text(f"{A}=demo@2020-01-01T00:00:00Z;{B}=demo")
    assert len(answered(tokens("list", "--json"))["tokens"]) == 2
    answered(tokens("new", "--json"))
    assert [one.digest for one in read(kept_tokens(tmp_path))][:1] == [B]


@pytest.mark.parametrize("name", ["token-ffffffff", "", "a", "token-", "aaaa"])
def test_a_name_that_is_not_one_tokens_is_refused(tokens: Tokens, tmp_path: Path, name: str) -> None:
    value = f"{A}=demo;{'a' * 63}b=other"
    (tmp_path / "api_tokens").write_text(value)
    for verb in ("rotate", "retire", "revoke"):
        result = tokens(verb, name, "--json")
        assert result.exit_code == 1 and json.loads(result.stderr)["error"]["code"] == "not_found"
    assert kept_tokens(tmp_path) == value


def test_the_operators_token_is_of_no_workspace(tokens: Tokens, tmp_path: Path) -> None:
    made = answered(tokens("new", "--role", "operator", "--json"))
    assert kept_tokens(tmp_path) == f"{digest_of(made['token'])}=*:operator"
    assert tokens("new", "--role", "operator", "--workspace", "demo").exit_code == 2


@pytest.mark.parametrize(
    "wrong",
    [
        ["--workspace", "../x"],
        ["--workspace", "a=b;c"],
        ["--role", "admin"],
        ["--valid-until", "soon"],
        ["--print"],
        ["--project", "p"],
        ["--print", "--project", "p", "--workspace", "w"],
    ],
)
def test_wrong_usage_changes_nothing(tokens: Tokens, tmp_path: Path, wrong: list[str]) -> None:
    assert tokens("new", *wrong).exit_code == 2
    assert kept_tokens(tmp_path) == ""


def test_an_end_that_has_passed_is_refused(tokens: Tokens) -> None:
    result = tokens("new", "--valid-until", "2020-01-01")
    assert result.exit_code == 1 and "passed already" in result.stderr


def test_a_value_that_is_malformed_is_not_overwritten_and_not_shown(tokens: Tokens, tmp_path: Path) -> None:
    (tmp_path / "api_tokens").write_text("a-token-in-the-clear=demo")
    result = tokens("new")
    assert result.exit_code == 1 and "malformed" in result.stderr and "in-the-clear" not in result.output
    assert kept_tokens(tmp_path) == "a-token-in-the-clear=demo"


def test_from_a_variable_the_new_value_is_printed(
    tokens: Tokens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKENS", f"{A}=demo")
    made = answered(tokens("new", "--print", "--workspace", "w2", "--json"))
    assert made["API_TOKENS"] == f"{A}=demo;{digest_of(made['token'])}=w2"
    assert f"API_TOKENS={A}=demo" in tokens("new", "--print", "--workspace", "w2").stdout
    assert kept_tokens(tmp_path) == ""


class Secrets:
    """A Secret Manager with one secret."""

    def __init__(self) -> None:
        self.versions: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.there, self.status, self.between = True, 200, ""

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        if self.status != 200:
            return self.status, {
                "error": {"code": self.status, "message": "Permission 'x' denied.", "status": "DENIED"}
            }
        name = "projects/my-project/secrets/API_TOKENS"
        if method == "GET" and path == f"/v1/{name}/versions/latest:access" and self.versions:
            data = base64.b64encode(self.versions[-1].encode()).decode()
            return 200, {"name": f"{name}/versions/{len(self.versions)}", "payload": {"data": data}}
        if method == "POST" and path == f"/v1/{name}:addVersion" and self.there:
            if self.between:
                self.versions.append(self.between)
            self.versions.append(base64.b64decode(json.loads(body)["payload"]["data"]).decode())
            return 200, {"name": f"{name}/versions/{len(self.versions)}", "state": "ENABLED"}
        return 404, {"error": {"code": 404, "message": "not found", "status": "NOT_FOUND"}}


def server_of(secrets: Secrets) -> ThreadingHTTPServer:
    class Handler(QuietHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            secrets.headers.append(dict(self.headers.items()))
            status, value = secrets.answer(self.command, self.path, body)
            raw = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = answer

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


@pytest.fixture
def secrets() -> Secrets:
    return Secrets()


@pytest.fixture
def deployed(secrets: Secrets, tokens: Tokens, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tokens]:
    """`memex token --project my-project`, whose Secret Manager is `secrets`."""
    monkeypatch.setattr("shared.gateway.default_token.DefaultToken", lambda: lambda: "ya29.access")
    with serving(server_of(secrets)) as url:
        yield lambda *arguments: tokens(*arguments, "--project", "my-project", "--endpoint", url)


def test_a_deployed_memex_has_its_tokens_in_secret_manager(deployed: Tokens, secrets: Secrets, tmp_path: Path) -> None:
    first = answered(deployed("new", "--workspace", "home", "--json"))
    assert secrets.versions == [f"{digest_of(first['token'])}=home"] and first["version"] == "1"
    second = answered(deployed("rotate", first["name"], "--json"))
    assert [one.name for one in read(secrets.versions[-1])] == [first["name"], second["name"]]
    assert "docs/deploy.md" in second["note"] and len(answered(deployed("list", "--json"))["tokens"]) == 2
    for name in (first["name"], second["name"]):
        answered(deployed("revoke", name, "--json"))
    assert secrets.versions[-1] == ";" and read(secrets.versions[-1]) == () and len(secrets.versions) == 4
    assert {one["Authorization"] for one in secrets.headers} == {"Bearer ya29.access"}
    assert {one["X-Goog-User-Project"] for one in secrets.headers} == {"my-project"}
    assert kept_tokens(tmp_path) == ""


def test_what_somebody_else_wrote_meanwhile_is_not_lost_unseen(deployed: Tokens, secrets: Secrets) -> None:
    secrets.versions.append(f"{A}=home")
    secrets.between = f"{A}=home;{B}=home"
    result = deployed("new", "--workspace", "home", "--json")
    assert result.exit_code == 1
    error = json.loads(result.stderr)["error"]
    assert error["code"] == "conflict" and "versions 2 to 3" in error["message"]


def test_what_secret_manager_refuses_is_said(deployed: Tokens, secrets: Secrets) -> None:
    secrets.there = False
    assert "deploy first" in deployed("new", "--workspace", "home").stderr
    secrets.status = 403
    result = deployed("list", "--json")
    assert result.exit_code == 1 and json.loads(result.stderr)["error"]["code"] == "http_403"
    assert "Permission" in result.stderr and "ya29" not in result.output


def test_without_an_answer_nothing_is_shown(tokens: Tokens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.gateway.default_token.DefaultToken", lambda: lambda: "ya29.access")
    result = tokens("new", "--workspace", "w", "--project", "p", "--endpoint", "http://127.0.0.1:9", "--json")
    assert result.exit_code == 1 and json.loads(result.stderr)["error"]["code"] == "unreachable"
    assert "ya29" not in result.output and "memex_" not in result.output


def test_whoever_is_a_member_of_several_workspaces_names_one(
    run: Run, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.on("GET", "/api/v1/me", Answer({"workspace": "w", "role": "owner", "name": "n", "expires_at": None}))
    assert run("whoami").exit_code == 0 and "X-Memex-Workspace" not in script.seen[-1].headers
    monkeypatch.setenv("MEMEX_WORKSPACE", "home")
    assert run("whoami").exit_code == 0 and script.seen[-1].headers["X-Memex-Workspace"] == "home"
    monkeypatch.setenv("MEMEX_WORKSPACE", "a b")
    assert run("whoami").exit_code == 1


def test_the_workspaces_to_choose_from_are_named_with_what_chooses(run: Run, script: Script) -> None:
    error = {"code": "workspace_needed", "message": "Name one.", "details": {"workspaces": ["home", "team"]}}
    script.on("GET", "/api/v1/me", Answer({"error": error}, 400))
    result = run("whoami")
    assert result.exit_code == 1 and "MEMEX_WORKSPACE to one of home, team" in result.stderr


def test_who_asks_too_often_waits_and_asks_again(run: Run, script: Script) -> None:
    error = {"error": {"code": "rate_limited", "message": "Too many", "details": {"retry_after_seconds": 0}}}
    me = {"workspace": "w", "role": "owner", "name": "n", "expires_at": None}
    script.on("GET", "/api/v1/me", Answer(error, 429, {"Retry-After": "0"}), Answer(me))
    assert json.loads(run("whoami", "--json").stdout) == me and len(script.seen) == 2


def test_whoami_says_whose_the_token_is(run: Run, script: Script) -> None:
    me = {"workspace": "home\x1b[2J", "role": "reader", "name": "token-1a2b3c4d", "expires_at": "2027-01-01T00:00:00Z"}
    script.on("GET", "/api/v1/me", Answer(me))
    told = run("whoami").stdout
    assert "home\\x1b[2J" in told and "reader" in told and "token-1a2b3c4d" in told and "2027-01-01" in told
    assert json.loads(run("whoami", "--json").stdout) == me and "secret" not in told
