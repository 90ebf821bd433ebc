"""The settings that functions find."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from infra.local.environment import Place, process_environment, settings_of, workflow_environment
from infra.local.functions.apps import read_manifest
from shared.config import Settings
from shared.contracts.grants import Grant

ROOT = Path(__file__).parents[4]
PLACE = Place("memex-local", "us-central1", "demo", "http://127.0.0.1:8420", "127.0.0.1:8421", "a-token")


def settings(ours: dict[str, str] | None = None, wanted: dict[str, str] | None = None) -> Settings:
    return Settings.from_env(settings_of(PLACE, read_manifest(ROOT), ours or {}, wanted or {}))


def test_a_token_that_is_set_opens_beside_the_one_that_is_printed() -> None:
    printed = hashlib.sha256(PLACE.token.encode()).hexdigest()
    assert settings({}, {"API_TOKENS": f"{'a' * 64}=other"}).api_tokens == (
        Grant("a" * 64, "other"),
        Grant(printed, PLACE.workspace),
    )
    assert settings({}, {"API_TOKENS": ""}).api_tokens == (Grant(printed, PLACE.workspace),)


def test_the_product_accepts_them() -> None:
    found = settings()
    assert found.project == "memex-local"
    assert found.url_of("research") == "http://127.0.0.1:8420/_functions/research"
    assert found.callers_of("research") == {"wf-research@memex-local.iam.gserviceaccount.com"}
    assert found.api_tokens == (Grant(hashlib.sha256(b"a-token").hexdigest(), "demo"),)
    assert found.workflows_endpoint == PLACE.grpc


def test_every_private_function_has_its_callers() -> None:
    found = settings()
    private = [row for row in read_manifest(ROOT).functions if row.invoker == "private"]
    assert all(found.callers_of(row.name) for row in private)


def test_without_a_key_research_goes_to_the_emulated_model() -> None:
    found = settings()
    assert (found.gemini_api_key, found.research_base_url) == ("local", PLACE.http)


def test_with_a_key_research_goes_to_the_real_service() -> None:
    found = settings({"GEMINI_API_KEY": "real"})
    assert (found.gemini_api_key, found.research_base_url) == ("real", "")


def test_a_test_can_keep_a_real_key_out() -> None:
    found = settings({"GEMINI_API_KEY": "real"}, {"GEMINI_API_KEY": "local"})
    assert (found.gemini_api_key, found.research_base_url) == ("local", PLACE.http)


def test_what_was_wanted_wins() -> None:
    assert settings(wanted={"RESEARCH_POLL_MIN_SECONDS": "9"}).research_poll_min_seconds == 9


def test_a_host_inherits_no_proxy_and_no_setting() -> None:
    ours = {"PATH": "/bin", "HTTPS_PROXY": "http://10.0.0.1", "no_proxy": "*", "MEMEX_DATABASE": "other", "HOME": "/h"}
    assert process_environment(ours, {"A": "1"}) == {"PATH": "/bin", "HOME": "/h", "A": "1"}


def test_a_workflow_gets_the_address_of_a_function() -> None:
    assert workflow_environment({"URL": "function:research", "OTHER": "a:b"}, PLACE) == {
        "URL": "http://127.0.0.1:8420/_functions/research",
        "OTHER": "a:b",
    }


def test_without_a_key_the_models_are_emulated_and_with_one_they_are_the_services() -> None:
    assert settings().model_base_url == PLACE.http
    assert settings(ours={"GEMINI_API_KEY": "k"}).model_base_url == ""
    assert settings(wanted={"GEMINI_API_KEY": "k"}).model_base_url == ""


def test_the_invented_pages_may_be_read_and_links_to_them_are_followed() -> None:
    place = replace(PLACE, web="http://127.0.0.1:8422")
    found = Settings.from_env(settings_of(place, read_manifest(ROOT), {}, {}))
    assert found.emulated_web == "http://127.0.0.1:8422"
    assert found.redirect_hosts == "vertexaisearch.cloud.google.com,127.0.0.1:8420"


def test_the_models_can_be_emulated_while_the_research_is_not() -> None:
    found = settings(ours={"GEMINI_API_KEY": "k"}, wanted={"MODEL_API_KEY": "local"})
    assert (found.model_base_url, found.research_base_url, found.gemini_api_key) == (PLACE.http, "", "k")


def test_another_service_for_the_models_has_its_own_address() -> None:
    assert settings(wanted={"MODEL_PRESET": "ollama"}).model_base_url == ""
    assert settings(wanted={"MODEL_BACKEND": "vertex"}).model_base_url == ""
    chosen = {"MODEL_BACKEND": "openai", "MODEL_BASE_URL": "http://127.0.0.1:1/v1"}
    assert settings(wanted=chosen).model_base_url == "http://127.0.0.1:1/v1"
    assert settings(ours={"MODEL_PRESET": "ollama"}).model_base_url == PLACE.http
