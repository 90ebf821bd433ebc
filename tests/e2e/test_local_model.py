"""The adapter against a real model on a real llama.cpp server, where `make local-model` has set one up."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from infra.cli.local_model import VENV, model_file, serving
from shared.bootstrap import App
from shared.config import Settings
from shared.errors import MemexError
from shared.gateway.transport import Cut, TransportError
from shared.llm.port import Answer, Message, Model, ModelRequest, Text, TextDelta, ToolSpec
from tests.e2e.world import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(model_file(ROOT) is None, reason=f"no {VENV}: make local-model sets the small model up"),
]
TOOL = ToolSpec(
    "search_notes",
    "Finds notes by words.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with serving(ROOT, threading.Event()) as settings:
        found = App(Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", **settings})).models.chat
        assert found is not None
        yield found


def ask(text: str, **more: object) -> ModelRequest:
    return ModelRequest((Message("user", (Text(text),)),), **({"max_output_tokens": 12} | more))  # type: ignore[arg-type]


def test_it_writes_text_in_pieces(model: Model) -> None:
    *deltas, answer = model.stream(ask("Say hello."), Cut())
    assert isinstance(answer, Answer) and answer.stop in ("end", "max_tokens")
    (text,) = answer.message.parts
    assert isinstance(text, Text) and text.text
    assert len(deltas) > 1 and "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)) == text.text


def test_it_goes_on_from_its_own_answer(model: Model) -> None:
    *_, first = model.stream(ask("Say hello."), Cut())
    assert isinstance(first, Answer)
    messages = (Message("user", (Text("Say hello."),)), first.message, Message("user", (Text("And again."),)))
    *_, second = model.stream(ModelRequest(messages, "Be brief.", max_output_tokens=8), Cut())
    assert isinstance(second, Answer) and second.message.parts


def test_tools_do_not_break_it(model: Model) -> None:
    """So small a model calls what it likes, or nothing; the adapter must read it or say that it cannot."""
    try:
        *_, answer = model.stream(ask("Search my notes for bread.", tools=(TOOL,)), Cut())
    except MemexError as refused:
        assert refused.message
    else:
        assert isinstance(answer, Answer)


def test_it_is_cut_within_two_seconds(model: Model) -> None:
    cut, began = Cut(), 0.0
    with pytest.raises(TransportError):
        for n, _delta in enumerate(model.stream(ask("Count to one thousand.", max_output_tokens=800), cut)):
            if n == 3:
                began = time.monotonic()
                cut.cut()
    assert 0 < time.monotonic() - began < 2
