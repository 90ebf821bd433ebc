"""Documents with their real clients; called by bootstrap alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.documents.ports import Ports
from shared.documents.service import Documents
from shared.ids import IdSource

if TYPE_CHECKING:
    from shared.gateway.objects import Objects
    from shared.llm.port import Models
    from shared.research.service import Research


def documents(
    engine: Research, files: Callable[[], Objects] | None, models: Callable[[], Models], ids: IdSource
) -> Documents:
    return Documents(Ports(engine, files, lambda: models().embed, ids))
