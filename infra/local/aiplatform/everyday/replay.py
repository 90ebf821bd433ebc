"""Carrying on where the conversation stands: each ask is told again what its calls were answered, and goes on."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A function call that an ask needs answered."""

    name: str
    args: Mapping[str, Any]

    @property
    def key(self) -> str:
        return json.dumps([self.name, self.args], sort_keys=True)


Answer = Mapping[str, Any]
Talk = Generator[Sequence[Call], Sequence[Answer], str]
"""An ask at work: it gives the calls it needs next, takes their answers in order, and returns what it has to say."""


@dataclass(frozen=True)
class Step:
    """What comes next: calls, or else the text."""

    calls: tuple[Call, ...]
    text: str


@dataclass
class Ledger:
    """What the calls of this turn were answered, by the call."""

    answers: dict[str, Answer] = field(default_factory=dict)

    def note(self, name: str, args: Mapping[str, Any], answer: Answer) -> None:
        self.answers[Call(name, args).key] = answer

    def step(self, talks: Sequence[Talk]) -> Step:
        """Carry all of them on as far as the answers reach: they wait for their calls together."""
        missing: dict[str, Call] = {}
        texts: list[str] = []
        for talk in talks:
            text = self._carry_on(talk, missing)
            if text is not None:
                texts.append(text)
        return Step(tuple(missing.values()), "" if missing else "\n\n".join(texts))

    def _carry_on(self, talk: Talk, missing: dict[str, Call]) -> str | None:
        """The text that the ask ends with, None while calls of it are missing."""
        answers: Sequence[Answer] | None = None
        while True:
            try:
                calls = next(talk) if answers is None else talk.send(answers)
            except StopIteration as end:
                return str(end.value)
            unknown = {call.key: call for call in calls if call.key not in self.answers}
            if unknown:
                missing |= unknown
                return None
            answers = [self.answers[call.key] for call in calls]
