"""Which flows of the product a world has: what of the manifest each needs. The way to add one is in `infra.sim`."""

from __future__ import annotations

import random
from dataclasses import dataclass

from shared.contracts.manifest import Manifest


@dataclass(frozen=True)
class Flow:
    """One flow: names of the manifest's functions and workflows that it lives on."""

    name: str
    functions: tuple[str, ...]
    packages: tuple[str, ...]
    """Where its fault points are: the plays of the exhaustive tier come by all of them."""
    workflows: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    """Functions that hear of the same events, each under the same id; in some worlds only, as they cost time."""


RESEARCH = Flow(
    "research",
    functions=("api", "on-note-written", "on-work-created", "trace-fanout", "research", "webhook", "reconcile"),
    packages=("shared/notes", "shared/research", "shared/webhooks"),
    workflows=("research",),
    beside=("enrich",),
)
FLOWS = (RESEARCH,)
_BESIDE_SHARE = 0.15


def of_world(manifest: Manifest, seed: int) -> Manifest:
    """The part of the manifest that the flows need in the world of this seed."""
    names = {name for flow in FLOWS for name in flow.functions}
    if random.Random(f"beside/{seed}").random() < _BESIDE_SHARE:
        names |= {name for flow in FLOWS for name in flow.beside}
    workflows = {name for flow in FLOWS for name in flow.workflows}
    return manifest.model_copy(
        update={
            "functions": tuple(row for row in manifest.functions if row.name in names),
            "workflows": tuple(row for row in manifest.workflows if row.name in workflows),
        }
    )
