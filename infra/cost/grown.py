"""A workspace of some years: a thousand notes, a hundred of them researched. Copies, put there without events."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from infra.cost import scripts
from infra.cost.world import World
from shared import bootstrap

NOTES, RESEARCHED = 1000, 100
_BATCH = 200


def grow(world: World) -> None:
    """Copy one note, and one that was researched, with what is derived from them; nothing hears of the copies."""
    world.platform.script_interaction(scripts.research(60.0, 5))
    plain = world.write_note("Rye", scripts.NOTES[1][1])
    researched = world.write_note("Question", scripts.QUESTION, "research")
    world.request("POST", "/api/v1/chat/sessions", json={})
    world.settle()
    client = bootstrap.app().firestore
    workspace = client.document(f"workspaces/{world.cloud.place.workspace}")
    long_ago, indexed = world.clock.now() - timedelta(days=90), world.clock.now() + timedelta(minutes=1)
    originals = [_derived(workspace, note) for note in (plain, researched)]
    inside = world.cloud.services.firestore.inside
    with world.cloud.triggers.eventarc.forgetting(inside.last_change):
        for number in range(0, NOTES, _BATCH):
            batch = client.batch()
            for n in range(number, number + _BATCH):
                note, documents = (researched, originals[1]) if n < RESEARCHED else (plain, originals[0])
                for path, fields in documents.items():
                    name = f"copy-{n:04}"
                    collection, _, document = path.replace(note, name).partition("/")
                    own = {key: value for key, value in _own(name, long_ago, indexed).items() if key in fields}
                    batch.set(workspace.collection(collection).document(document), fields | own)
            batch.commit()


def _own(name: str, long_ago: datetime, indexed: datetime) -> dict[str, Any]:
    """What a copy has for itself: it was written long ago, and its index is not behind."""
    return {"id": name, "created_at": long_ago, "updated_at": long_ago, "note_updated_at": indexed}


def _derived(workspace: Any, note: str) -> dict[str, dict[str, Any]]:
    """A note, its index and its claim, by their paths, as far as they are there."""
    paths = (f"notes/{note}", f"note_index/{note}", f"leases/research-{note}")
    found = {path: workspace.collection(path.split("/")[0]).document(path.split("/")[1]).get() for path in paths}
    return {path: document.to_dict() for path, document in found.items() if document.exists}
