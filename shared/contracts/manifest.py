"""The one list of what is deployed: functions, workflows, topics. Read from functions/manifest.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from shared.contracts.base import Model


class HttpTrigger(Model):
    """Called over HTTP; `routes` are the public path prefixes it answers, none for a private function."""

    type: Literal["http"]
    routes: tuple[str, ...] = ()


class FirestoreTrigger(Model):
    """Called by Eventarc with a protobuf DocumentEventData; `document` is a path pattern."""

    type: Literal["firestore"]
    event: str
    document: str
    retry: bool = True


class PubSubTrigger(Model):
    type: Literal["pubsub"]
    topic: str
    retry: bool = True


class ScheduleTrigger(Model):
    """Called by Cloud Scheduler with POST / and an empty JSON object."""

    type: Literal["schedule"]
    cron: str


Trigger = Annotated[HttpTrigger | FirestoreTrigger | PubSubTrigger | ScheduleTrigger, Field(discriminator="type")]


class FunctionRow(Model):
    """One deployable function: the folder functions/{name}/ with main.py."""

    name: str
    entry_point: str
    trigger: Trigger
    invoker: Literal["public", "private"]
    service_account: str
    """The account's short name; its address is {service_account}@{project}.iam.gserviceaccount.com."""
    callers: tuple[str, ...] = ()
    """Short account names that may call a private function."""
    memory: str = "256Mi"
    cpu: float = 1
    timeout_seconds: int = 60
    concurrency: int = 8
    threads: int = 8
    min_instances: int = 0
    max_instances: int = 10
    secrets: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)


class WorkflowRow(Model):
    """One workflow: `env` values of the form function:{name} become that function's address."""

    name: str
    source: str
    service_account: str
    env: dict[str, str] = Field(default_factory=dict)


class TopicRow(Model):
    name: str


class Manifest(Model):
    functions: tuple[FunctionRow, ...]
    workflows: tuple[WorkflowRow, ...] = ()
    topics: tuple[TopicRow, ...] = ()

    def function(self, name: str) -> FunctionRow:
        """The row of that name. Raises KeyError when there is none."""
        for row in self.functions:
            if row.name == name:
                return row
        raise KeyError(name)
