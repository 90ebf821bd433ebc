"""One question of an agent to its model, answered in validated JSON; what is shown to it cannot speak for us."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from shared.contracts.memory import Record
from shared.contracts.operations import Usage
from shared.errors import ModelOutputError
from shared.gateway.transport import Cut
from shared.invalid import problems
from shared.llm.parts import text_of
from shared.llm.port import Answer, Message, Model, ModelRequest, Text
from shared.llm.whole import whole
from shared.store.event_size import cut_text
from shared.tools.schema import parameters

SHOWN_BYTES = 60_000
_AGAIN = "That is not of the form asked for ({problem}). Answer again, with JSON of that form alone."


class Answered(BaseModel):
    """What a model is to answer; what else it says is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")


A = TypeVar("A", bound=Answered)


@dataclass(frozen=True)
class Question(Generic[A]):
    """`prompt` is how the agent works (its prompt.md), `shown` what this question is about, `answer` its form."""

    prompt: str
    shown: str
    answer: type[A]
    seconds: float = 60.0
    output_tokens: int = 4_096


@dataclass(frozen=True)
class Said(Generic[A]):
    value: A
    usage: Usage


def asked(model: Model, cut: Cut, question: Question[A]) -> Said[A]:
    """The model's answer; one of another form is sent back once, with what is wrong with it.

    Raises ModelOutputError for a second one, and as `Model.stream` does.
    """
    shown = Message("user", (Text(cut_text(question.shown, SHOWN_BYTES)),))
    first = whole(model, _request(question, shown), cut)
    try:
        return Said(_read(question, first), first.usage)
    except ValidationError as error:
        again = Message("user", (Text(_AGAIN.format(problem=_problem(error))),))
    second = whole(model, _request(question, shown, first.message, again), cut)
    try:
        return Said(_read(question, second), first.usage + second.usage)
    except ValidationError as error:
        raise ModelOutputError(f"The model's answer is not of the form asked for: {_problem(error)}.") from error


def _request(question: Question[A], *messages: Message) -> ModelRequest:
    return ModelRequest(
        messages=messages,
        system=question.prompt,
        schema=parameters(question.answer),
        max_output_tokens=question.output_tokens,
        deadline_seconds=question.seconds,
        thinking=False,
    )


def _read(question: Question[A], answer: Answer) -> A:
    return question.answer.model_validate_json(text_of(answer.message.parts))


def _problem(error: ValidationError) -> str:
    """The first thing that is wrong, and where; nothing of what was said."""
    return ": ".join(problems(error, whole="the answer")[0])


def fenced(tag: str, text: str, **attributes: str) -> str:
    """The text between tags that nothing in it can close."""
    said = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{said}>\n{escape(text, quote=False)}\n</{tag}>"


def listed(tag: str, rows: Sequence[tuple[Mapping[str, Any], str]]) -> str:
    """Each text between tags, with what there is to know of it as attributes; what is None or empty is left out."""
    return "\n".join(
        fenced(tag, text, **{name: str(value) for name, value in known.items() if value not in (None, "")})
        for known, text in rows
    )


def listed_records(records: Sequence[Record]) -> str:
    """The records as every distiller shows them: by id, with the day they were written and their type."""
    rows = [({"id": one.id, "written": one.updated_at.date(), "type": one.type.value}, one.text) for one in records]
    return listed("record", rows)


def prompt_beside(module: str) -> str:
    """prompt.md next to the module whose `__file__` is given."""
    return (Path(module).parent / "prompt.md").read_text(encoding="utf-8")
