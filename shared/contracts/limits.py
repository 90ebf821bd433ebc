"""Every limit of the stored shapes and of the API, in one place."""

NOTE_INLINE_BYTES = 100_000
"""Body kept in the note document itself; what is longer goes on in parts, so that trigger events stay small."""

NOTE_PART_BYTES = 500_000
"""Body bytes in one part document."""

NOTE_BODY_BYTES = 5_000_000
"""The longest body: with all its parts it still fits one commit (10 MiB a request)."""

CITATIONS_BYTES = 120_000
"""All citations of a note as JSON: they lie in its document, and an event with old and new value ends at 512 KB."""

TITLE_CHARACTERS = 300
NOTE_SUMMARY_CHARACTERS = 2_000
TAGS_PER_NOTE = 50
TAG_CHARACTERS = 64

EVENT_BYTES = 64_000
"""The largest event document; what is longer is cut with a visible marker."""

PLAN_CHARACTERS = 40_000
"""The longest research plan."""
PLAN_CHANGE_CHARACTERS = 4_000
"""What a person wants to be different in one."""

PAGE_SIZE = 50
PAGE_SIZE_MAX = 200

REQUESTS_PER_SECOND = 50.0
"""What one caller may ask of one instance of a function, at length; settings may say otherwise."""
REQUESTS_BURST = 2_000
"""And at once: no page, test or import of a folder comes near it."""

IDEMPOTENCY_KEY_CHARACTERS = 200
REQUEST_BYTES = 8_000_000

TASK_TITLE_CHARACTERS = 300
TASK_NOTES_CHARACTERS = 10_000
TASKS_AT_ONCE = 20

MESSAGE_CHARACTERS = 15_000
"""One message of a person: at four bytes a character it still fits its event."""
SESSION_TITLE_CHARACTERS = 120
TURN_ANSWER_BYTES = 60_000
"""What a turn's document keeps of its last text; the events have more."""
SUMMARY_CHARACTERS = 6_000
"""The longest summary of earlier turns."""
ANSWER_BYTES = 300_000
"""What a stored model answer keeps of the provider's own JSON."""
ANSWER_TEXT_BYTES, ANSWER_CALLS_BYTES, ANSWER_THOUGHTS_BYTES = 400_000, 200_000, 100_000
"""The longest that a model answer's text, calls and thoughts may be: with ANSWER_BYTES they fit one document."""
SEARCH_HITS = 20
SEARCH_HITS_MAX = 50
QUERY_CHARACTERS = 1_000

DOCUMENT_DIRECT_BYTES = 32_000_000
"""The largest file in one request, which the platform ends at 32 MiB."""
DOCUMENT_BYTES = 100_000_000
"""The largest file at all."""
DOCUMENT_NAME_CHARACTERS = 200
DOCUMENT_STREAM_BYTES = 8_000_000
"""A file that is longer is fetched by a signed address where there is one: a streamed answer ends at 10 MB."""
DOCUMENT_CHARACTERS = 5_000_000
"""The longest text; what comes after it is left out, and that is told."""
DOCUMENT_PAGES = 2_000
DOCUMENT_PROBLEMS = 50
"""Problems that are kept; of more only the number is told."""
CHUNK_CHARACTERS = 1_600
UNPACKED_BYTES = 300_000_000
"""What an Office file may unpack to."""
UNPACKED_RATIO = 200
"""And how many times its own size, once that is more than a megabyte."""
ARCHIVE_ENTRIES = 5_000
TABLES_KEPT = 20
TABLES_BYTES = 300_000
"""Schemas and first rows in a document's record, as JSON."""
TABLE_COLUMNS = 200
TABLE_FIRST_ROWS = 5
TABLE_CELL_CHARACTERS = 120

GOAL_CHARACTERS = 8_000
"""What a run is to do: with its frames it fits an event."""
STEP_SUMMARY_BYTES = 8_000
"""What a step tells the run of what it found."""
STEP_SOURCES = 60
"""What of a step can be cited."""

EMAIL_CHARACTERS = 254
MEMBERS = 500
"""People in a workspace."""
