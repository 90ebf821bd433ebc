"""Which disagreements are those of the listed differences: a predicate on the step and both answers for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from infra.local.firestore import wire
from infra.local.firestore.names import MAX_ID_BYTES
from tests.contract.parity.firestore_side import Answer
from tests.contract.parity.step import Step

_DEPENDS_ON_STATE = ("OK", "FAILED_PRECONDITION", "NOT_FOUND", "ALREADY_EXISTS")
_VALUE_FAULTS = ("array value in an array", "levels", "reserved", "longer than", "must be", "vector", "nanos")
_NO_TRANSFORM = wire.Write().transform
Excuse = Callable[[Step, Answer, Answer], bool]


def _empty_commit(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "Commit" and not step.request.writes and local.code == official.code == "OK"


def _names(request: Any) -> list[str]:
    for field in ("name", "documents"):
        if hasattr(request, field):
            held = getattr(request, field)
            return [held] if isinstance(held, str) else list(held)
    return [_written(write) for write in getattr(request, "writes", ())]


def _written(write: Any) -> str:
    return str(write.delete or write.update.name or write.transform.document)


def _long_ids(step: Step, local: Answer, official: Answer) -> bool:
    long = any(len(part.encode()) > MAX_ID_BYTES for name in _names(step.request) for part in name.split("/"))
    return long and local.code == "INVALID_ARGUMENT" and official.code in ("OK", "NOT_FOUND")


def _page_tokens(step: Step, local: Answer, official: Answer) -> bool:
    contents = [answer.content for answer in (local, official)]
    if local.code != "OK" or official.code != "OK" or not all(isinstance(each, dict) for each in contents):
        return False
    bare = [{key: each for key, each in content.items() if key != "next_page_token"} for content in contents]
    return bare[0] == bare[1]


def _empty_projection(step: Step, local: Answer, official: Answer) -> bool:
    query = getattr(step.request, "structured_query", None)
    if query is None or not query.HasField("select") or query.select.fields:
        return False
    return local.code == official.code and _without_fields(local.content) == _without_fields(official.content)


def _without_fields(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _without_fields(each) for key, each in content.items() if key != "fields"}
    return [_without_fields(each) for each in content] if isinstance(content, list) else content


def _repeats(step: Step) -> bool:
    names = Counter(map(_written, getattr(step.request, "writes", ())))
    return max(names.values(), default=0) > 1


def _path_length(step: Step, local: Answer, official: Answer) -> bool:
    return "path is longer than" in local.text and official.code in _DEPENDS_ON_STATE


def _unstored_values(step: Step, local: Answer, official: Answer) -> bool:
    writes = getattr(step.request, "writes", [step.request])
    partial = any(_is_partial(write) for write in writes)
    stricter = local.code == "INVALID_ARGUMENT" and any(words in local.text for words in _VALUE_FAULTS)
    return partial and stricter and official.code in _DEPENDS_ON_STATE


def _is_partial(write: Any) -> bool:
    masked = "update_mask" in write.DESCRIPTOR.fields_by_name and write.HasField("update_mask")
    transforms = getattr(write, "update_transforms", ()) or getattr(write, "transform", _NO_TRANSFORM).field_transforms
    return masked or bool(transforms)


def _collapsed_writes(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "Commit" and _repeats(step) and local.code == official.code == "OK"


def _contradicting_preconditions(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "Commit" and official.code == "INVALID_ARGUMENT" and local.code != "OK" and _repeats(step)


def _expiration_policy(step: Step, local: Answer, official: Answer) -> bool:
    return local.code == official.code and _without_expiration(local.content) == _without_expiration(official.content)


def _without_expiration(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _without_expiration(each) for key, each in content.items() if key != "expiration_policy"}
    return [_without_expiration(each) for each in content] if isinstance(content, list) else content


def _bad_project(step: Step, local: Answer, official: Answer) -> bool:
    listing = step.method in ("Publisher/ListTopics", "Subscriber/ListSubscriptions")
    return listing and (local.code, official.code) == ("INVALID_ARGUMENT", "UNKNOWN")


def _subscriptions_of_no_topic(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "Publisher/ListTopicSubscriptions" and (local.code, official.code) == ("NOT_FOUND", "OK")


def _two_faults(step: Step, local: Answer, official: Answer) -> bool:
    return step.method in ("Subscriber/CreateSubscription", "Publisher/Publish") and {local.code, official.code} <= {
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "OUT_OF_RANGE",
    }


def _pull_count(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "Subscriber/Pull" and step.request.max_messages < 1 and official == Answer("OK", [])


def _generated_names(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "Subscriber/CreateSubscription" and not step.request.name and official.code == "OK"


def _refused_target(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "Listen" and local.code == "OK" and bool(local.content["refused"])


def _shown_missing(step: Step, local: Answer, official: Answer) -> bool:
    if step.method != "ListDocuments" or not step.request.show_missing or official.code != "OK":
        return False
    if step.request.page_size < 0:
        return local.code == "INVALID_ARGUMENT"
    return step.request.HasField("mask") and _without_fields(local.content) == _without_fields(official.content)


def _all_collections(step: Step, local: Answer, official: Answer) -> bool:
    return step.method == "ListDocuments" and not step.request.collection_id and local.code == "UNIMPLEMENTED"


def _long_values(step: Step, local: Answer, official: Answer) -> bool:
    """The same documents in another order, with a long value among them."""
    if step.method != "RunQuery" or local.code != "OK" or official.code != "OK" or not isinstance(local.content, list):
        return False
    texts = [sorted(map(repr, answer.content)) for answer in (local, official)]
    return texts[0] == texts[1] and any(len(text) >= MAX_ID_BYTES for text in texts[0])


def _limit_of_sums(step: Step, local: Answer, official: Answer) -> bool:
    if step.method != "RunAggregationQuery" or local.code != "OK" or official.code != "OK":
        return False
    asked = step.request.structured_aggregation_query
    summed = any(each.WhichOneof("operator") != "count" for each in asked.aggregations)
    return summed and asked.structured_query.HasField("limit") and not asked.structured_query.order_by


def _two_faults_of_a_query(step: Step, local: Answer, official: Answer) -> bool:
    too_old = official.code == "FAILED_PRECONDITION" and "too old" in official.text
    return too_old and local.code == "INVALID_ARGUMENT"


def _times_of_collections(step: Step, local: Answer, official: Answer) -> bool:
    asked = step.method == "ListCollectionIds" and step.request.HasField("read_time")
    return asked and local.code in ("INVALID_ARGUMENT", "FAILED_PRECONDITION") and official.code != "INVALID_ARGUMENT"


def _nested_vectors(step: Step, local: Answer, official: Answer) -> bool:
    query = getattr(step.request, "structured_query", None)
    nested = query is not None and "." in query.find_nearest.vector_field.field_path
    return nested and local.code == "OK" and official == Answer("OK", [])


def _empty_composite(step: Step, local: Answer, official: Answer) -> bool:
    return local.code == "INVALID_ARGUMENT" and "at least one sub-filter" in local.text and official.code == "OK"


def _count_up_to(step: Step, local: Answer, official: Answer) -> bool:
    return "up_to must be greater" in local.text and official.code == "OK"


def _indexes(step: Step, local: Answer, official: Answer) -> bool:
    return "descending key scans" in official.text


EXCUSES: dict[str, Excuse] = {
    "empty-commit": _empty_commit,
    "long-ids": _long_ids,
    "page-tokens": _page_tokens,
    "empty-projection": _empty_projection,
    "contradicting-preconditions": _contradicting_preconditions,
    "expiration-policy": _expiration_policy,
    "bad-project": _bad_project,
    "subscriptions-of-no-topic": _subscriptions_of_no_topic,
    "path-length": _path_length,
    "unstored-values": _unstored_values,
    "collapsed-writes": _collapsed_writes,
    "generated-names": _generated_names,
    "two-faults": _two_faults,
    "pull-count": _pull_count,
    "refused-target": _refused_target,
    "shown-missing": _shown_missing,
    "all-collections": _all_collections,
    "long-values": _long_values,
    "limit-of-sums": _limit_of_sums,
    "two-faults-of-a-query": _two_faults_of_a_query,
    "times-of-collections": _times_of_collections,
    "nested-vectors": _nested_vectors,
    "empty-composite": _empty_composite,
    "count-up-to": _count_up_to,
    "indexes": _indexes,
}
"""By the id of the listed difference."""


MET: set[str] = set()
"""The listed differences that were met so far."""


def excuse(step: Step, local: Answer, official: Answer) -> str | None:
    """The listed difference this disagreement belongs to, None when it is a new one."""
    name = next((name for name, holds in EXCUSES.items() if holds(step, local, official)), None)
    if name is not None:
        MET.add(name)
    return name
