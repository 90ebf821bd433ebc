"""One job on a document, done by a worker (shared/documents/worker.py)."""

from __future__ import annotations

import json
from typing import Any

from shared.documents.refusals import Refused
from shared.gateway.sandbox import Sandbox
from shared.gateway.transport import Cut


class Workers:
    """One for a process: they are counted in it."""

    def __init__(self) -> None:
        # So that openpyxl reads with defusedxml.
        self._sandbox = Sandbox("shared.documents.worker", OPENPYXL_LXML="False")

    def work(self, job: dict[str, Any], *, seconds: float, cut: Cut | None = None) -> Any:
        """What a worker answers to one job.

        Raises Refused, WorkerDied, Transient where others do not end, and TransportError when the handle is cut.
        """
        given = json.dumps({**job, "seconds": seconds}).encode()
        answer = self._sandbox.answer(given, seconds=seconds, cut=cut or Cut())
        if "refused" in answer:
            raise Refused(answer["refused"]["reason"], answer["refused"]["message"])
        return answer["ok"]
