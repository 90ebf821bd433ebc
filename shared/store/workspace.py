"""The store of one workspace: it has no way to name another."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

from shared.clock import Clock
from shared.ids import IdSource, check_safe
from shared.store.approvals import Approvals
from shared.store.blackboard import Blackboard
from shared.store.brain_counts import BrainCounts
from shared.store.brain_drain import BrainDrain
from shared.store.changing import Changing
from shared.store.chat import Chats
from shared.store.checkpoints import Checkpoints
from shared.store.chunks import Chunks
from shared.store.claims import Claims
from shared.store.contradictions import Contradictions
from shared.store.database import Database
from shared.store.document_records import DocumentRecords
from shared.store.effects import Effects
from shared.store.focus import FocusStore
from shared.store.gate import Closed
from shared.store.graph import Graph
from shared.store.identity import IdentityStore
from shared.store.members import Members
from shared.store.memory_jobs import MemoryJobs
from shared.store.note_index import NoteIndexes
from shared.store.notes import Notes
from shared.store.operations import Operations
from shared.store.record_search import RecordSearch
from shared.store.records import Records
from shared.store.routine_leases import RoutineLeases
from shared.store.runs import Runs
from shared.store.streams import Streams
from shared.store.summaries import Summaries
from shared.store.tasks import Tasks
from shared.store.topics import Topics
from shared.store.trash import Trash
from shared.store.usage import UsageBooks

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client


class WorkspaceStore:
    """Everything of one workspace, a collection an attribute. Raises InputError for a name that is no id.

    With `closed` nothing is written while the workspace is being deleted; without, whoever deletes it can end its work.
    """

    def __init__(
        self,
        client: Client,
        workspace: str,
        clock: Clock,
        randomness: random.Random,
        ids: IdSource,
        closed: Closed | None = None,
    ) -> None:
        check_safe(workspace, "workspace")
        self.workspace = workspace
        admit = partial(closed.check, workspace) if closed is not None else None
        database = Database(client, f"workspaces/{workspace}", clock, randomness, admit)
        self.streams = Streams(database, clock, ids)
        self.notes = Notes(database, self.streams)
        self.operations = Operations(database, self.streams)
        self.claims = Claims(database)
        changing = Changing(database, clock, ids)
        self.members = Members(database, changing, clock)
        self.tasks = Tasks(database, changing)
        self.approvals = Approvals(database, changing)
        self.trash = Trash(database, changing, self.notes, self.streams, clock)
        self.routine_leases = RoutineLeases(changing)
        self.effects = Effects(database, clock)
        self.usage = UsageBooks(database, self.effects, clock)
        self.note_index = NoteIndexes(database, changing)
        self.chats = Chats(database, self.streams)
        self.checkpoints = Checkpoints(database, clock)
        self.runs = Runs(database, self.streams)
        self.documents = DocumentRecords(database, changing)
        self.chunks = Chunks(database)
        self.memory_jobs = MemoryJobs(database, self.streams, changing)
        self.brain_counts = BrainCounts(database)
        self.brain_drain = BrainDrain(changing)
        self.record_search = RecordSearch(database)
        self.graph = Graph(database, changing)
        self.focus = FocusStore(database, changing)
        self.identity = IdentityStore(database, changing)
        self.topics = Topics(database, changing)
        self.summaries = Summaries(database)
        self.blackboard = Blackboard(database)
        self.records = Records(database)
        self.contradictions = Contradictions(database)
