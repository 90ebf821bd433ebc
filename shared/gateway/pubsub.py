"""Publishing to Pub/Sub with one plain call: no batching threads that a frozen instance would leave standing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from google.api_core import exceptions as google

from shared.clock import Clock
from shared.errors import SettingsError, Transient

if TYPE_CHECKING:
    from google.pubsub_v1 import PublisherClient

CALL_SECONDS = 5.0
TRIES = 3
_WRONG = (google.InvalidArgument, google.NotFound)


class Publisher:
    """Topics of one project. A message may arrive twice: one whose answer was lost is sent again."""

    def __init__(self, client: PublisherClient, project: str, clock: Clock) -> None:
        self._client, self._project, self._clock = client, project, clock

    def publish(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> str:
        """Send one message and wait, at most some 16 seconds, for its id.

        Raises Transient when there was no good answer, SettingsError when the topic does not exist or does not take it.
        """
        failure: google.GoogleAPICallError | None = None
        for attempt in range(TRIES):
            if attempt:
                self._clock.sleep(0.2 * 2**attempt)
            try:
                return self._send(topic, data, attributes)
            except _WRONG as error:
                raise SettingsError(f"Pub/Sub refuses a message for {topic}: is the topic deployed?") from error
            except google.GoogleAPICallError as error:
                failure = error
        raise Transient(f"Pub/Sub did not take a message for {topic}: try again.") from failure

    def _send(self, topic: str, data: bytes, attributes: Mapping[str, str]) -> str:
        from google.pubsub_v1 import PubsubMessage

        message = PubsubMessage(data=data, attributes=dict(attributes))
        path = f"projects/{self._project}/topics/{topic}"
        # The client's own retry sleeps unseen and repeats for ten minutes, longer than the function may run.
        answer = self._client.publish(topic=path, messages=[message], retry=None, timeout=CALL_SECONDS)
        return answer.message_ids[0]


def connect(endpoint: str) -> PublisherClient:
    """A client of Google's service, or of the one at `endpoint` (host:port, without TLS)."""
    from google.pubsub_v1 import PublisherClient
    from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport

    if not endpoint:
        return PublisherClient()
    import grpc

    return PublisherClient(transport=PublisherGrpcTransport(channel=grpc.insecure_channel(endpoint)))
