"""Google's own clients over the in-process channel; made once, as they outlive worlds."""

from __future__ import annotations

from functools import cache

import httpx
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcTransport
from google.cloud.workflows.executions_v1 import ExecutionsClient
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcTransport
from google.pubsub_v1 import PublisherClient
from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport

from infra.sim.channel import SimChannel
from shared.gateway.transport import build_client

PROJECT = "memex-local"


class Clients:
    """`instances` is the channel of function instances, where things go wrong; `people`'s never fails."""

    def __init__(self) -> None:
        self.instances, self.people = SimChannel(), SimChannel()
        self.firestore = _firestore(self.instances)
        self.by_hand = _firestore(self.people)
        self.executions = ExecutionsClient(transport=ExecutionsGrpcTransport(channel=self.instances))
        self.executions_by_hand = ExecutionsClient(transport=ExecutionsGrpcTransport(channel=self.people))
        self.publisher = PublisherClient(transport=PublisherGrpcTransport(channel=self.instances))


@cache
def clients() -> Clients:
    """The clients of this process."""
    return Clients()


def http_client(transport: httpx.BaseTransport) -> httpx.Client:
    """The product's own client, on a transport of the world."""
    return build_client(transport)


def _firestore(channel: SimChannel) -> firestore.Client:
    client = firestore.Client(project=PROJECT, credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]
    client._firestore_api_internal = FirestoreClient(transport=FirestoreGrpcTransport(channel=channel))
    return client
