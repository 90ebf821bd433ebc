"""What the blackboard says of a candidate, weighed: the committer knows verdicts, and no critic by name.

Admission comes before any critic; then a rejection, a merge, a conflict, a supersession; without any of them the
candidate is stored.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from shared.brain.admission import refusal
from shared.contracts.memory import BlackboardItem, Candidate, Critique, ItemKind, Verdict

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Weighed:
    """`refusal` with `by` ends it; else the critiques that may be followed, in the order in which they were said."""

    refusal: str = ""
    by: str = ""
    merge: tuple[Critique, ...] = ()
    conflict: tuple[Critique, ...] = ()
    supersede: tuple[Critique, ...] = ()
    judged_seq: int | None = None
    """How far the records were seen by all critics; None where none looked at them."""

    @property
    def targets(self) -> tuple[str, ...]:
        found = (one.target for one in (*self.merge, *self.conflict, *self.supersede))
        return tuple(dict.fromkeys(target for target in found if target is not None))


def weighed(item: BlackboardItem, candidate: Candidate, said: Sequence[BlackboardItem]) -> Weighed:
    """What is to become of a candidate, as far as the blackboard tells."""
    if reason := refusal(candidate, item.evidence_refs, item.confidence):
        return Weighed(refusal=reason, by="admission")
    critiques = list(_standing(said))
    rejected = next((one for one in critiques if one.verdict is Verdict.REJECT), None)
    if rejected is not None:
        return Weighed(refusal=rejected.reason, by="critic")
    looked = [one.judged_seq for one in critiques if one.judged_seq is not None]
    return Weighed(
        merge=_of(critiques, Verdict.MERGE),
        conflict=_of(critiques, Verdict.CONFLICT),
        supersede=_of(critiques, Verdict.SUPERSEDE),
        judged_seq=min(looked, default=None),
    )


def _standing(said: Sequence[BlackboardItem]) -> Iterable[Critique]:
    """The critiques; what asked for evidence counts only as long as there is none."""
    read = [(one, critique) for one in said if (critique := _critique(one)) is not None]
    answered = {critique.target for one, critique in read if one.kind is ItemKind.VERIFICATION_RESULT}
    for one, critique in read:
        if one.kind is not ItemKind.NEEDS_EVIDENCE or critique.target not in answered:
            yield critique
        elif critique.judged_seq is not None:
            yield critique.model_copy(update={"verdict": Verdict.SUPPORTS})


def _critique(item: BlackboardItem) -> Critique | None:
    """One that is malformed says nothing."""
    try:
        return Critique.model_validate(item.payload)
    except ValidationError:
        log.warning("critique %s is malformed and left out", item.id)
        return None


def _of(critiques: Sequence[Critique], verdict: Verdict) -> tuple[Critique, ...]:
    return tuple(one for one in critiques if one.verdict is verdict and one.target is not None)
