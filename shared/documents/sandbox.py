"""One job on a document, done by a worker (shared/documents/worker.py)."""

from __future__ import annotations

import json
from typing import Any

from shared.documents.refusals import Refused
from shared.gateway.sandbox import Sandbox
from shared.gateway.transport import Cut

_SANDBOX = Sandbox("shared.documents.worker", OPENPYXL_LXML="False")  # so that openpyxl reads with defusedxml


def work(job: dict[str, Any], *, seconds: float, cut: Cut | None = None) -> Any:
    """What the worker answers to one job.

    Raises Refused, WorkerDied, Transient where other workers do not end, and TransportError when the handle is cut.
    """
    given = json.dumps({**job, "seconds": seconds}).encode()
    answer = _SANDBOX.answer(given, seconds=seconds, cut=cut or Cut())
    if "refused" in answer:
        raise Refused(answer["refused"]["reason"], answer["refused"]["message"])
    return answer["ok"]
