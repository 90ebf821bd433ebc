"""google-genai's own clients, unmodified, against the emulated platform."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from google.genai import _interactions_errors as interaction_errors
from google.genai import errors, types

from tests.unit.local.aiplatform.platform_server import AGENT, PROMPT, Platform, serving

KINDS = ["client", "vertex_client"]


@pytest.fixture(params=KINDS)
def client(platform: Platform, request: pytest.FixtureRequest) -> Any:
    with getattr(platform, request.param)() as made:
        yield made


def start(client: Any) -> Any:
    config = {"type": "deep-research", "thinking_summaries": "auto", "visualization": "auto"}
    return client.interactions.create(agent=AGENT, input=PROMPT, background=True, stream=True, agent_config=config)


def test_the_stream_is_understood_event_by_event(client: Any) -> None:
    seen = list(start(client))
    assert not [event for event in seen if getattr(event, "is_unknown", False) or isinstance(event, str)]
    assert seen[0].event_type == "interaction.created"
    assert seen[-1].interaction.status == "completed"
    deltas = {event.delta.type for event in seen if event.event_type == "step.delta"}
    assert deltas == {
        "text",
        "text_annotation_delta",
        "thought_summary",
        "thought_signature",
        "google_search_call",
        "image",
    }


def test_get_gives_the_typed_steps(client: Any) -> None:
    identity = list(start(client))[0].interaction.id
    done = client.interactions.get(identity)
    assert done.status == "completed"
    assert done.steps[0].type == "user_input"
    cited = [
        note
        for step in done.steps
        if step.type == "model_output"
        for part in step.content
        if part.type == "text"
        for note in part.annotations or ()
    ]
    assert {note.url for note in cited} == {"memex://notes/n1", "memex://notes/n2"}
    assert done.usage.total_output_tokens > 0


def test_a_stream_is_resumed_by_its_last_event_id(client: Any) -> None:
    stream = start(client)
    head = [next(iter(stream)) for _ in range(3)]
    stream.close()
    identity = head[0].interaction.id
    rest = client.interactions.get(identity, stream=True, last_event_id=head[-1].event_id)
    whole = client.interactions.get(identity, stream=True)
    assert [event.event_id for event in [*head, *rest]] == [event.event_id for event in whole]


def test_polling_ends(client: Any) -> None:
    identity = next(iter(start(client))).interaction.id
    deadline = time.monotonic() + 100
    while (found := client.interactions.get(identity)).status == "in_progress":
        assert time.monotonic() < deadline
    assert found.status == "completed"


@pytest.mark.parametrize("kind", KINDS)
def test_cancel_and_delete(tmp_path: Path, kind: str) -> None:
    with serving(tmp_path, run_seconds=3600) as platform, getattr(platform, kind)() as client:
        identity = next(iter(start(client))).interaction.id
        assert client.interactions.cancel(identity).status == "cancelled"
        with pytest.raises(interaction_errors.BadRequestError):
            client.interactions.cancel(identity)
        client.interactions.delete(identity)
        with pytest.raises(interaction_errors.NotFoundError):
            client.interactions.get(identity)


def test_generate_content_answers_from_the_given_text(client: Any) -> None:
    answer = client.models.generate_content(
        model="gemini-3.8-flash", contents="The lamp is made of brass. Cats sleep.\n\nWhat is the lamp made of?"
    )
    assert "The lamp is made of brass." in answer.text
    assert "Emulated model" in answer.text
    assert "Cats" not in answer.text
    assert answer.usage_metadata.total_token_count > 0


def test_generate_content_streams_the_same_text(client: Any) -> None:
    asked = {"model": "gemini-3.8-flash", "contents": "The lamp is made of brass.\n\nWhat is the lamp made of?"}
    chunks = list(client.models.generate_content_stream(**asked))
    assert "".join(chunk.text for chunk in chunks) == client.models.generate_content(**asked).text
    assert chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP


def test_functions_are_called_by_the_client_itself(client: Any) -> None:
    asked = []

    def search_notes(query: str) -> str:
        """Search the notes."""
        asked.append(query)
        return "The lamp is made of brass."

    config = types.GenerateContentConfig(tools=[search_notes])
    answer = client.models.generate_content(
        model="gemini-3.8-flash", contents='Search my notes for "brass lamp", please.', config=config
    )
    assert asked == ["brass lamp"]
    assert "The lamp is made of brass." in answer.text


def test_embeddings_come_in_the_size_asked_for(client: Any) -> None:
    config = types.EmbedContentConfig(output_dimensionality=64)
    answer = client.models.embed_content(model="gemini-embedding-001", contents="tides and the moon", config=config)
    values = answer.embeddings[0].values
    assert len(values) == 64
    assert sum(value * value for value in values) == pytest.approx(1, abs=1e-4)


def test_tokens_are_counted(client: Any) -> None:
    assert client.models.count_tokens(model="gemini-3.8-flash", contents="x" * 40).total_tokens == 10


def test_a_refusal_is_the_clients_own_error(client: Any) -> None:
    with pytest.raises(errors.ClientError) as caught:
        client.models.embed_content(model="gemini-embedding-001", contents=" ")
    assert caught.value.code == 400
