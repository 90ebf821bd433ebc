"""Where the local cloud and Google's emulators are known to differ, each with its reason: the one list.

The suites skip or expect by it, the comparison excuses by it (parity/excuses.py has a predicate for each that it can
meet), and docs/local-cloud.md shows it.
"""

from __future__ import annotations

from dataclasses import dataclass

FIRESTORE, PUBSUB = "Firestore", "Pub/Sub"


@dataclass(frozen=True)
class Difference:
    """What Google's emulator does otherwise, and why the local cloud does not follow it."""

    id: str
    service: str
    emulator: str
    reason: str
    tests: tuple[str, ...] = ()
    """Tests of the contract suite that are not expected to pass on the emulator."""


_PRODUCTION = "the local cloud follows production"
DIFFERENCES = (
    Difference(
        "locks",
        FIRESTORE,
        "locks what a transaction reads, and gives up on contention that production serializes",
        "transactions are optimistic here, and retries take turns, so that a retry succeeds as in production",
        (
            "test_concurrent_transactions",
            "test_increments_of_many_threads_are_all_counted",
            "test_workers_that_claim_jobs_by_a_query_share_none",
            "test_what_a_transaction_lists_must_hold_until_its_commit",
        ),
    ),
    Difference(
        "resume",
        FIRESTORE,
        "sends everything again when a target is resumed",
        _PRODUCTION + ": a resumed target is told only what it missed",
        ("test_a_resumed_target_is_told_only_what_it_missed",),
    ),
    Difference(
        "refused-target",
        FIRESTORE,
        "ends the whole stream with UNKNOWN for a target that it cannot serve, or serves one whose query it refuses",
        "the API has TargetChange.cause for that, and one bad target must not end the others",
        ("test_a_target_that_cannot_be_served_is_removed_with_its_cause",),
    ),
    Difference(
        "indexes",
        FIRESTORE,
        "needs no composite index, and none for a scan by descending name, which it refuses in transactions and sums",
        _PRODUCTION + ", which refuses with FAILED_PRECONDITION and names the index; the comparison declares it",
    ),
    Difference(
        "empty-commit",
        FIRESTORE,
        "leaves commit_time out of the answer to a commit without writes",
        "the API says that a commit has a time",
    ),
    Difference(
        "long-ids",
        FIRESTORE,
        "looks up and deletes by ids of more than 1,500 bytes, which cannot exist",
        "an id that may not be written is refused in every method alike",
    ),
    Difference(
        "page-tokens",
        FIRESTORE,
        "may give a token for a next page that is empty",
        "clients see the same documents; here the last page has no token",
    ),
    Difference(
        "empty-projection",
        FIRESTORE,
        "answers names alone when a query's projection has no fields",
        "the API says that an empty projection returns all fields; clients ask for __name__ to get names alone",
    ),
    Difference(
        "contradicting-preconditions",
        FIRESTORE,
        "refuses several writes to one document whose preconditions contradict one another with INVALID_ARGUMENT",
        "writes apply in order here, and the precondition that fails gives its own code; both refuse",
    ),
    Difference(
        "collapsed-writes",
        FIRESTORE,
        "makes one of several writes to one document in a commit, and answers with that one's result for each",
        "writes apply in order here, each with its own result; what is stored is the same",
    ),
    Difference(
        "path-length",
        FIRESTORE,
        "measures the path of a field only of what a commit stores in the end, and of a transform a byte more freely",
        "a path over 1,500 bytes is refused wherever it stands",
    ),
    Difference(
        "unstored-values",
        FIRESTORE,
        "checks of the values of a write with a mask or with transforms only what is stored in the end",
        "a value that may not be stored is refused wherever it stands",
    ),
    Difference(
        "shown-missing",
        FIRESTORE,
        "takes a negative page size and ignores the mask when it lists with show_missing",
        "the local cloud lists with it as without it",
    ),
    Difference(
        "all-collections",
        FIRESTORE,
        "lists the documents of all collections when no collection id is given",
        "no client asks for that, and what is not implemented is refused by name",
    ),
    Difference(
        "long-values",
        FIRESTORE,
        "orders strings, bytes and maps of some 1,500 bytes and more by their beginnings",
        "production indexes beginnings too, and says that such queries may be wrong; here the whole value counts",
    ),
    Difference(
        "limit-of-sums",
        FIRESTORE,
        "takes the first by the summed field when a sum or an average has a limit and no order",
        "the documents that are summed are those that the query itself answers",
    ),
    Difference(
        "two-faults-of-a-query",
        FIRESTORE,
        "names a read time that is too old before another fault of a query",
        "no documentation orders them; both refuse",
    ),
    Difference(
        "times-of-collections",
        FIRESTORE,
        "checks the read time of ListCollectionIds less than that of other reads",
        "a read time that one method refuses is refused by all",
    ),
    Difference(
        "nested-vectors",
        FIRESTORE,
        "finds no vector in a field of a map",
        "a vector index may be on the path of such a field",
    ),
    Difference(
        "count-up-to",
        FIRESTORE,
        "counts up to zero",
        "the API says that up_to must be greater than zero",
    ),
    Difference(
        "empty-composite",
        FIRESTORE,
        "takes a composite filter without filters",
        "the API says that at least one is required",
    ),
    Difference(
        "flow-control",
        PUBSUB,
        "gives a stream everything at once, whatever its flow control",
        _PRODUCTION,
    ),
    Difference("key-order", PUBSUB, "repeats the messages of an ordering key out of order after a nack", _PRODUCTION),
    Difference("filters", PUBSUB, "takes every filter and applies none", _PRODUCTION),
    Difference(
        "dead-letters", PUBSUB, "counts delivery attempts but moves nothing to the dead-letter topic", _PRODUCTION
    ),
    Difference("retry-policy", PUBSUB, "shows a retry policy and does not apply it", _PRODUCTION),
    Difference("pushed-key", PUBSUB, "leaves the ordering key out of what it pushes", _PRODUCTION),
    Difference("pull-of-push", PUBSUB, "gives messages both to the endpoint and to whoever pulls", _PRODUCTION),
    Difference("message-limits", PUBSUB, "does not enforce the limits of a message", _PRODUCTION),
    Difference("update-topic", PUBSUB, "cannot update topics", _PRODUCTION),
    Difference(
        "subscriptions-of-no-topic", PUBSUB, "answers an empty list for a topic that does not exist", _PRODUCTION
    ),
    Difference("short-deadline", PUBSUB, "takes an ack deadline below 10 seconds", _PRODUCTION),
    Difference(
        "refused-here",
        PUBSUB,
        "has some of what the local cloud refuses by name, such as Seek and snapshots",
        "nothing here needs them, and what is not implemented is refused",
    ),
    Difference("words", PUBSUB, "words its refusals in its own way", _PRODUCTION + " in the words as well"),
    Difference(
        "expiration-policy",
        PUBSUB,
        "shows no expiration policy",
        "production shows one; here it is empty, because subscriptions never expire",
    ),
    Difference(
        "generated-names",
        PUBSUB,
        "makes up the name of a subscription that is created without one",
        "every subscription here is asked for by name, and REST requests must name it too",
    ),
    Difference(
        "bad-project", PUBSUB, "fails with UNKNOWN on a project's name without projects/", "a refusal has a code"
    ),
    Difference(
        "two-faults",
        PUBSUB,
        "names another than the local cloud of two faults of one request to create a subscription or to publish",
        "no documentation orders them; both refuse",
    ),
    Difference(
        "pull-count",
        PUBSUB,
        "answers a pull of a negative number of messages with none",
        "the API says that max_messages must be positive",
    ),
)
BY_ID = {each.id: each for each in DIFFERENCES}
BY_TEST = {test: each for each in DIFFERENCES for test in each.tests}


def table() -> str:
    """The list as Markdown."""
    rows = [
        f"| {each.service} | It {each.emulator}. | {each.reason[0].upper()}{each.reason[1:]}. |" for each in DIFFERENCES
    ]
    return "\n".join(["| | Google's emulator | why not here |", "|---|---|---|", *rows])
