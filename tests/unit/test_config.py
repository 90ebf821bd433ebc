"""Settings are read once, and what is wrong is said by name."""

from __future__ import annotations

import hashlib

import pytest

from shared.config import Settings
from shared.contracts.grants import Grant
from shared.errors import SettingsError

DIGEST = hashlib.sha256(b"token").hexdigest()


def settings(**env: str) -> Settings:
    return Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **env})


def test_every_variable_that_is_missing_or_malformed_is_named_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"SSE_SECONDS": "-1", "RESEARCH_BACKEND": "else"})
    for name in ("GOOGLE_CLOUD_PROJECT", "SSE_SECONDS is '-1'", "RESEARCH_BACKEND is 'else'"):
        assert name in refused.value.message


def test_tokens_are_digests_with_their_workspaces() -> None:
    assert settings(API_TOKENS=f" {DIGEST} = demo ; ").api_tokens == (Grant(DIGEST, "demo"),)
    assert settings(API_TOKENS="").api_tokens == ()


@pytest.mark.parametrize("entry", ["sesame=demo", f"{DIGEST}=", DIGEST, f"{DIGEST[:-1]}é=demo"])
def test_a_token_that_is_no_digest_is_refused_and_not_quoted(entry: str) -> None:
    with pytest.raises(SettingsError, match="API_TOKENS is malformed") as refused:
        settings(API_TOKENS=entry)
    assert entry.partition("=")[0] not in refused.value.message


@pytest.mark.parametrize("name", ["*", "Project", "p", "a b-cdef", "x.apps.googleusercontent.com.evil.example"])
def test_an_audience_is_a_client_of_googles_or_a_project(name: str) -> None:
    good = "1-a_b.apps.googleusercontent.com, my-project"
    assert settings(ID_TOKEN_AUDIENCES=good).id_token_audiences == ("1-a_b.apps.googleusercontent.com", "my-project")
    with pytest.raises(SettingsError, match="ID_TOKEN_AUDIENCES"):
        settings(ID_TOKEN_AUDIENCES=f"{good},{name}")


def test_keys_from_elsewhere_are_for_the_local_cloud_alone() -> None:
    keys, emulated = "http://127.0.0.1:8420/_iam/jwks.json", {"FIRESTORE_EMULATOR_HOST": "127.0.0.1:8421"}
    assert settings(ID_TOKEN_KEYS_URL=keys, **emulated).id_token_keys_url == keys
    for env in ({"ID_TOKEN_KEYS_URL": keys}, {"ID_TOKEN_KEYS_URL": "https://evil.example/keys", **emulated}):
        with pytest.raises(SettingsError, match="ID_TOKEN_KEYS_URL"):
            settings(**env)


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999", "0", "-1", "abc", ""])
def test_a_number_of_seconds_is_finite_and_greater_than_0(number: str) -> None:
    with pytest.raises(SettingsError, match="RESEARCH_POLL_MIN_SECONDS"):
        settings(RESEARCH_POLL_MIN_SECONDS=number)


def test_no_secret_stands_in_what_is_printed_of_the_settings() -> None:
    shown = repr(settings(GEMINI_API_KEY="sesame", MODEL_API_KEY="sesame", API_TOKENS=f"{DIGEST}=demo"))
    assert "sesame" not in shown and DIGEST not in shown and "project='p'" in shown


@pytest.mark.parametrize("number", ["0", "-1", "0.5", "16.0", "many", ""])
def test_a_count_is_a_whole_number_greater_than_0(number: str) -> None:
    with pytest.raises(SettingsError, match="CHAT_MAX_ITERATIONS"):
        settings(CHAT_MAX_ITERATIONS=number)


@pytest.mark.parametrize(
    ("env", "hosts"),
    [
        ({}, ("us-central1-p.cloudfunctions.net",)),
        ({"FUNCTION_URL": "http://127.0.0.1:8420/_functions/{name}"}, ("127.0.0.1:8420",)),
        ({"MCP_HOSTS": " memex.example, localhost:*,"}, ("memex.example", "localhost:*")),
    ],
)
def test_mcp_is_answered_under_the_hosts_that_are_named_or_that_of_the_function(
    env: dict[str, str], hosts: tuple[str, ...]
) -> None:
    assert Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **env}).mcp_host_names == hosts


@pytest.mark.parametrize(
    ("env", "on"),
    [
        ({}, True),
        ({"RESEARCH_WEBHOOKS": "off"}, False),
        ({"RESEARCH_BACKEND": "vertex"}, False),
        ({"RESEARCH_BACKEND": "vertex", "RESEARCH_WEBHOOKS": "on"}, False),
        ({"RESEARCH_ENGINE": "agent"}, False),
        ({"FUNCTION_URL": "http://127.0.0.1:8420/_functions/{name}"}, False),
        ({"FUNCTION_URL": "http://127.0.0.1:8420/_functions/{name}", "WEBHOOK_URL": "https://tunnel.example/w"}, True),
        ({"FUNCTION_URL": "http://127.0.0.1:8420/{name}", "RESEARCH_BASE_URL": "http://127.0.0.1:8420"}, True),
        ({"FUNCTION_URL": "http://10.0.0.1/{name}", "RESEARCH_WEBHOOKS": "on"}, True),
    ],
)
def test_runs_are_begun_with_a_webhook_where_the_service_has_them_and_can_reach_ours(
    env: dict[str, str], on: bool
) -> None:
    assert settings(**env).early_wake is on


def test_the_secrets_of_webhooks_are_the_bytes_they_stand_for() -> None:
    one, other = "whsec_MDEyMzQ1Njc4OWFiY2RlZg==", "ZmVkY2JhOTg3NjU0MzIxMA=="
    assert settings(WEBHOOK_SECRETS=f"{one} {other}\n").webhook_secrets == (b"0123456789abcdef", b"fedcba9876543210")
    assert settings().webhook_secrets == ()


@pytest.mark.parametrize("secret", ["whsec_", "whsec_c2hvcnQ=", "sesame!", "é"])
def test_a_secret_that_is_none_is_refused_and_not_quoted(secret: str) -> None:
    with pytest.raises(SettingsError, match="WEBHOOK_SECRETS is malformed") as refused:
        settings(WEBHOOK_SECRETS=secret)
    assert secret.removeprefix("whsec_") not in refused.value.message or secret == "whsec_"
