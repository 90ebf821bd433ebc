"""Publishing is one call, tried again a few times, and says plainly when it did not work."""

from __future__ import annotations

from typing import Any, cast

import pytest
from google.api_core import exceptions as google
from google.pubsub_v1 import PublisherClient, PublishResponse

from shared.errors import SettingsError, Transient
from shared.gateway.pubsub import TRIES, Publisher
from tests.support.seams import FakeClock


class FakeClient:
    def __init__(self, *answers: Exception | str) -> None:
        self.answers, self.calls = list(answers), list[dict[str, Any]]()

    def publish(self, **call: Any) -> PublishResponse:
        self.calls.append(call)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return PublishResponse(message_ids=[answer])


def publish(client: FakeClient) -> str:
    publisher = Publisher(cast(PublisherClient, client), "p", FakeClock())
    return publisher.publish("t", b"x", {"a": "b"})


def test_a_message_goes_out_with_its_attributes_and_a_deadline() -> None:
    client = FakeClient("m1")
    assert publish(client) == "m1"
    [call] = client.calls
    assert call["topic"] == "projects/p/topics/t" and call["retry"] is None and call["timeout"] > 0
    assert call["messages"][0].data == b"x" and dict(call["messages"][0].attributes) == {"a": "b"}


def test_a_blip_is_tried_again() -> None:
    client = FakeClient(google.ServiceUnavailable("x"), google.DeadlineExceeded("x"), "m1")
    assert publish(client) == "m1" and len(client.calls) == 3


def test_an_outage_is_transient_and_ends() -> None:
    client = FakeClient(*[google.ServiceUnavailable("x")] * TRIES, "never")
    with pytest.raises(Transient) as caught:
        publish(client)
    assert len(client.calls) == TRIES and isinstance(caught.value.__cause__, google.ServiceUnavailable)


@pytest.mark.parametrize("refusal", [google.NotFound("x"), google.InvalidArgument("x")])
def test_a_missing_topic_is_a_matter_of_settings(refusal: Exception) -> None:
    client = FakeClient(refusal)
    with pytest.raises(SettingsError):
        publish(client)
    assert len(client.calls) == 1
