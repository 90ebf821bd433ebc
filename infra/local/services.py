"""The emulated services that answer calls: Firestore, Pub/Sub, Workflows, the AI platform and its session service."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from infra.local.environment import Place, workflow_environment
from infra.local.front.invoker import account_address
from infra.local.lazy_packages import only_messages
from infra.local.seams import Seams
from shared.contracts.manifest import Manifest

if TYPE_CHECKING:
    import grpc
    from flask import Blueprint

    from infra.local.aiplatform.service import AiPlatformPart
    from infra.local.firestore.service import FirestorePart
    from infra.local.pubsub.service import PubSubPart
    from infra.local.reasoning_engines.service import ReasoningEnginesPart
    from infra.local.workflows.service import WorkflowsPart


@dataclass(frozen=True)
class Paces:
    """How long an emulated research run takes, and how long a model pauses between two pieces of what it says."""

    run_seconds: float = 2.0
    pace_seconds: float = 0.0


@dataclass(frozen=True)
class Services:
    """The five parts; they share clock, meter and data directory, and know nothing of each other."""

    firestore: FirestorePart
    pubsub: PubSubPart
    workflows: WorkflowsPart
    aiplatform: AiPlatformPart
    reasoning_engines: ReasoningEnginesPart

    @classmethod
    def build(cls, seams: Seams, place: Place, root: Path, paces: Paces) -> Services:
        """All five, not yet started. They are imported here, while the functions host starts beside us."""
        with only_messages():
            from infra.local.aiplatform.service import AiPlatformPart
            from infra.local.aiplatform.webhooks.ports import Outside
            from infra.local.firestore.service import FirestorePart
            from infra.local.pubsub.service import PubSubPart
            from infra.local.reasoning_engines.service import ReasoningEnginesPart
            from infra.local.workflows.service import WorkflowsPart

        where, clock, meter = seams.data_dir, seams.clock, seams.meter
        workflows = WorkflowsPart(where, clock, meter, place.project, place.location, seams.iam)
        workflows.callback_base_url = place.http
        return cls(
            firestore=FirestorePart(where, clock, meter, root / "infra" / "firestore.indexes.json"),
            pubsub=PubSubPart(where, clock, meter, seams.iam),
            workflows=workflows,
            aiplatform=AiPlatformPart(
                where,
                clock,
                meter,
                paces.run_seconds,
                paces.pace_seconds,
                Outside(fault=lambda: seams.faults.event("webhooks")),
            ),
            reasoning_engines=ReasoningEnginesPart(where, clock),
        )

    def handlers(self) -> list[grpc.GenericRpcHandler]:
        """Everything the gRPC server serves."""
        return [*self.firestore.handlers(), *self.pubsub.handlers(), *self.workflows.handlers()]

    def blueprints(self) -> list[Blueprint]:
        """Everything of them that is REST."""
        return [self.workflows.blueprint(), self.aiplatform.blueprint(), self.reasoning_engines.blueprint()]

    def deploy(self, manifest: Manifest, root: Path, place: Place) -> None:
        """The manifest's topics and workflows. Raises OSError or WorkflowError for a source that cannot be used."""
        for topic in manifest.topics:
            self.pubsub.ensure_topic(f"projects/{place.project}/topics/{topic.name}")
        for row in manifest.workflows:
            account = account_address(row.service_account, place.project)
            self.workflows.deploy(row.name, root / row.source, workflow_environment(row.env, place), account)

    def start(self) -> None:
        """Take up what the last run left."""
        self.firestore.start()
        self.aiplatform.start()
        self.pubsub.start()
        self.workflows.start()

    def close(self) -> None:
        """Idempotent. The database goes last: the others may still write to it."""
        self.workflows.close()
        self.pubsub.close()
        self.aiplatform.close()
        self.reasoning_engines.close()
        self.firestore.close()
