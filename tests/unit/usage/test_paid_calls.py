"""Everything that is paid for asks the switch first. What that is, the code itself says.

A client of a paid service is a class that has one of the four methods that cost money. Each is built in one place, for
its paid wrapper; so whoever adds another provider without the wrapper fails here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shared.bootstrap import App
from shared.config import Settings
from shared.errors import SpendingPaused, Transient
from shared.gateway.interactions import InteractionError
from shared.gateway.paid import PaidInteractions, PaidSearch
from shared.gateway.transport import Cut
from shared.llm.paid import PaidEmbedder, PaidModel
from shared.llm.port import Message, ModelRequest, Models, Text

ROOT = Path(__file__).resolve().parents[3]
PAYING: Mapping[str, tuple[str, ...]] = {
    "stream": ("self", "request", "cut"),
    "embed": ("self", "texts"),
    "search": ("self", "query", "recency_days", "cut"),
    "create": ("self", "body"),
}
"""The methods of the ports that cost money, by their first arguments."""
WRAPPERS = {
    "PaidModel": "stream",
    "PaidEmbedder": "embed",
    "PaidSearch": "search",
    "PaidInteractions": "create",
}
OF_OURS = frozenset({"Priced", "Metered", "AgentEngine", "Web", "Unset"})
"""They have the method and hand it on, to a client that is paid for or to work of our own that is."""


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "shared").rglob("*.py"))}


def classes() -> Iterator[tuple[str, str]]:
    """(class, method) of all that have a method that costs money, besides the ports themselves."""
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not any(ast.unparse(base) == "Protocol" for base in node.bases):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and _pays(method):
                        yield node.name, method.name


def _pays(method: ast.FunctionDef) -> bool:
    wanted = PAYING.get(method.name)
    return wanted is not None and tuple(arg.arg for arg in method.args.args)[: len(wanted)] == wanted


CLIENTS = sorted({(name, method) for name, method in classes() if name not in {*WRAPPERS, *OF_OURS}})


def test_the_clients_that_cost_money_are_found() -> None:
    assert {"GeminiModel", "OpenAiModel", "GeminiEmbedder", "OpenAiEmbedder", "Interactions", "Brave", "SearxNg"} < {
        name for name, _method in CLIENTS
    }
    assert {method for _name, method in CLIENTS} == set(PAYING)


@pytest.mark.parametrize(("client", "method"), CLIENTS, ids=lambda one: str(one))
def test_each_is_built_for_its_paid_wrapper_alone(client: str, method: str) -> None:
    wrapper = next(name for name, wrapped in WRAPPERS.items() if wrapped == method)
    built = [(path, tree) for path, tree in trees().items() if _built(tree, client)]
    assert built, f"nobody builds {client}"
    for path, tree in built:
        wraps = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert wrapper in wraps, f"{path.relative_to(ROOT)} builds {client}, and no {wrapper}"


def _built(tree: ast.Module, client: str) -> bool:
    return any(isinstance(node, ast.Call) and ast.unparse(node.func) == client for node in ast.walk(tree))


class Refusing:
    """Whatever is asked of it would be a call that is paid for."""

    name, capabilities = "dear", None

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was called while spending is paused")


def gate() -> None:
    raise SpendingPaused("Spending is paused.")


ASKED = ModelRequest(messages=(Message("user", (Text("Hello"),)),))


def test_each_wrapper_refuses_before_anything_is_sent() -> None:
    paused: Any = Refusing()
    with pytest.raises(SpendingPaused):
        PaidModel(paused, gate, "openai").stream(ASKED, Cut())
    with pytest.raises(SpendingPaused):
        PaidEmbedder(paused, gate, "openai").embed(["text"])
    with pytest.raises(SpendingPaused):
        PaidSearch(paused, gate).search("query", None, Cut())
    with pytest.raises(InteractionError) as refused:
        PaidInteractions(paused, gate, "gcp.gemini").create({"agent": "a"}, deadline_seconds=1.0)
    assert not refused.value.sent and refused.value.reason == "spending_paused"


def test_a_run_is_known_to_be_unsent_where_nobody_can_tell_whether_it_may_be_paid() -> None:
    def unreadable() -> None:
        raise Transient("The database does not answer.")

    unasked: Any = Refusing()
    with pytest.raises(InteractionError) as refused:
        PaidInteractions(unasked, unreadable, "gcp.gemini").create({"agent": "a"}, deadline_seconds=1.0)
    assert not refused.value.sent and not refused.value.permanent and refused.value.reason == "unavailable"


class Paused(App):
    """A process in which spending is paused."""

    def check_spending(self) -> None:
        gate()


BACKENDS: tuple[dict[str, str], ...] = (
    {"GEMINI_API_KEY": "k"},
    {"MODEL_BACKEND": "vertex"},
    {"MODEL_PRESET": "ollama", "SEARCH_PROVIDER": "searxng", "SEARXNG_URL": "http://127.0.0.1:1"},
    {"GEMINI_API_KEY": "k", "SEARCH_PROVIDER": "brave", "BRAVE_API_KEY": "b"},
)


@pytest.mark.parametrize("env", BACKENDS, ids=lambda env: " ".join(env))
def test_whatever_the_settings_choose_is_refused(env: dict[str, str]) -> None:
    app = Paused(Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **env}))
    models: Models = app.models
    for model in (models.chat, models.enrich, models.plan, models.work):
        assert model is not None
        with pytest.raises(SpendingPaused):
            model.stream(ASKED, Cut())
    assert models.embed is not None
    with pytest.raises(SpendingPaused):
        models.embed.embed(["text"])
    with pytest.raises(SpendingPaused):
        app.web.search("query", None, Cut())
