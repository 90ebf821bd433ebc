"""A case of the comparison: some requests in order, run on two servers until their answers differ."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.contract.parity.excuses import excuse
from tests.contract.parity.firestore_side import Answer, Side
from tests.contract.parity.step import Script
from tests.contract.parity.values import placed


@dataclass(frozen=True)
class Disagreement:
    """The step at which two servers part, and what each answered."""

    script: Script
    local: Any
    official: Any

    @property
    def signature(self) -> str:
        """Alike for differences of one cause, as far as can be told from outside."""
        step = self.script[-1]
        codes = f"{self.local.code}/{self.official.code}"
        text = re.sub(r'"[^"]*"|\'[^\']*\'|`[^`]*`|[\d.,]+|[^\x20-\x7e]+', "…", self.official.text or self.local.text)
        return f"{step.method} {codes} {text[:60]}"


_projects = itertools.count(1)


def new_project() -> str:
    """A project that no other case uses."""
    return f"parity-{os.getpid()}-{next(_projects)}"


def first_disagreement(script: Script, local: Side, official: Side) -> Disagreement | None:
    """Run the script on both, each in a new project; None when all answers agree."""
    project = new_project()
    local.fresh()
    official.fresh()
    for number, step in enumerate(script, 1):
        request = placed(step.request, project)
        answers = [comparable(side.ask(step.method, request), project) for side in (local, official)]
        if answers[0] == answers[1]:
            continue
        if excuse(step, *answers) is None:
            return Disagreement(script[:number], *answers)
        if answers[0].code != answers[1].code:  # a listed difference, after which the two may not hold the same
            return None
    return None


def comparable(answer: Answer, project: str) -> Answer:
    """The answer without the name of the project of the run, as JSON would give it back."""
    content = json.loads(json.dumps(answer.content).replace(project, "parity"))
    return Answer(answer.code, content, answer.text)


Agree = Callable[[Script], Disagreement | None]
