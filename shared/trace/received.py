"""A trace event as a subscriber of the topic gets it: the other end of fanout."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from shared.contracts.events import Envelope
from shared.errors import InputError
from shared.ids import derived, is_safe


@dataclass(frozen=True)
class TraceEvent:
    """An envelope, and the workspace whose it is. It may come any number of times, late, and in any order."""

    workspace: str
    envelope: Envelope
    traceparent: str = ""
    """The trace in which it happened, as W3C writes it; "" where nobody has recorded one."""

    def key(self, purpose: str) -> str:
        """An id that this event alone has, each time it comes: a safe name, of `purpose` and 26 characters.

        The moment belongs to it: a session that was deleted and begun anew under its id counts from 1 again.
        """
        envelope = self.envelope
        return derived(purpose, self.workspace, envelope.stream, envelope.id, envelope.at.isoformat())


def received(data: Any) -> TraceEvent:
    """The event in the data of a messagePublished CloudEvent. Raises InputError for anything else."""
    message = data.get("message") if isinstance(data, Mapping) else None
    if not isinstance(message, Mapping):
        raise InputError("The body is no message of Pub/Sub.", field="message")
    attributes = message.get("attributes")
    workspace = attributes.get("workspace") if isinstance(attributes, Mapping) else None
    if not isinstance(attributes, Mapping) or not isinstance(workspace, str) or not is_safe(workspace):
        raise InputError("The message names no workspace.", field="message.attributes.workspace")
    try:
        text = base64.b64decode(message.get("data") or "", validate=True)
        return TraceEvent(workspace, Envelope.model_validate_json(text), str(attributes.get("traceparent") or ""))
    except (binascii.Error, TypeError, ValueError, ValidationError) as error:
        raise InputError("The message holds no envelope.", field="message.data") from error
