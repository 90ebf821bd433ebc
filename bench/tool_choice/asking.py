"""Putting a prompt to a model as the chat would, and taking the calls of its first answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from bench.tool_choice.scoring import Made, Scored, scored
from bench.tool_choice.wants import Case
from shared.chat import prompt
from shared.errors import MemexError
from shared.gateway.transport import Cut
from shared.llm.parts import calls_of
from shared.llm.port import Answer, Call, Message, Model, ModelRequest, Result, Text
from shared.tools.catalogue import acting
from shared.tools.registry import Malformed, Registry

TODAY = date(2026, 11, 30)
SECONDS = 120.0
"""How long an answer may take, unless somebody knows of a slow machine."""
_OUTPUT_TOKENS = 1_024
_TRIES = 3


def tools() -> Registry:
    """Everything the chat can have."""
    return acting(internet=True, runs=True)


def asked(model: Model, case: Case, seconds: float = SECONDS) -> Scored:
    """The model's answer to the case, scored. What fails in passing is asked again twice, then counts as wrong."""
    registry = tools()
    failure = ""
    for _ in range(_TRIES):
        try:
            answer = _answer(model, case, registry, seconds)
        except MemexError as error:
            failure = f"{error.code}: {error.message}"[:200]
            continue
        return scored(case, [_made(call, registry) for call in calls_of(answer.message.parts)])
    return scored(case, (), failure)


def _answer(model: Model, case: Case, registry: Registry, seconds: float) -> Answer:
    request = ModelRequest(
        messages=list(_messages(case)),
        system=prompt.system(TODAY, ""),
        tools=registry.specs(),
        max_output_tokens=_OUTPUT_TOKENS,
        deadline_seconds=seconds,
        thinking=False,
    )
    *_, last = model.stream(request, Cut())
    assert isinstance(last, Answer)
    return last


def _messages(case: Case) -> Iterator[Message]:
    """What was told before stands in a turn of its own, which ended with a word."""
    if case.told:
        calls = tuple(Call(f"c{n}", told.tool, told.arguments) for n, told in enumerate(case.told))
        results = tuple(Result(f"c{n}", told.tool, told.result) for n, told in enumerate(case.told))
        yield Message("user", (Text("Look it up, please."),))
        yield Message("model", calls)
        yield Message("tool", results)
        yield Message("model", (Text("I have looked it up."),))
    yield Message("user", (Text(case.text),))


def _made(call: Call, registry: Registry) -> Made:
    """The call with its arguments as the tool would take them; those that it would refuse are none."""
    if call.problem:
        return Made(call.name, None)
    try:
        _tool, parsed = registry.check(call.name, call.arguments)
    except Malformed:
        return Made(call.name, None)
    return Made(call.name, parsed.model_dump(mode="json", exclude_unset=True))


def all_asked(model: Model, cases: Sequence[Case], repeat: int, seconds: float) -> Iterator[Scored]:
    """Each case so many times, one after the other; an answer may take so many seconds."""
    for _ in range(repeat):
        for case in cases:
            yield asked(model, case, seconds)
