"""Documents with their real clients; called by bootstrap alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.documents.ports import Ports
from shared.documents.sandbox import Workers
from shared.documents.service import Documents
from shared.ids import IdSource

if TYPE_CHECKING:
    from shared.gateway.objects import Objects
    from shared.llm.port import Models
    from shared.operations.service import Engine


def documents(
    engine: Engine,
    files: Callable[[], Objects] | None,
    models: Callable[[], Models],
    ids: IdSource,
    workers: Workers,
) -> Documents:
    return Documents(Ports(engine, files, lambda: models().embed, ids, workers))
