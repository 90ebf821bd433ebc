"""Asking the planning model: for a plan, for the answer. What fails in passing is asked for again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from shared.contracts.operations import Usage
from shared.errors import MemexError, ModelOutputError, SpendingPaused, Transient
from shared.faultpoint import faultpoint
from shared.llm.parts import text_of
from shared.llm.port import Answer, Message, ModelRequest, Text, TextDelta
from shared.loop.retrying import Patience
from shared.loop.seat import Halted
from shared.runs.ports import Ports
from shared.runs.seat import REQUEST_OVER, StepSeat

log = logging.getLogger(__name__)


@dataclass
class Asked:
    """What all that was asked in one step has cost."""

    usage: Usage = field(default_factory=Usage)


def said(text: str, role: str = "user") -> Message:
    return Message("model" if role == "model" else "user", (Text(text),))


def ask(
    ports: Ports, seat: StepSeat, request: ModelRequest, asked: Asked, tell: Callable[[str | None], None] | None = None
) -> tuple[str, Message]:
    """The text of the model's answer and its message. `tell` gets the pieces as they come, None when they are void.

    Raises Halted when the worker shall stop or spending is paused, and the MemexError of the last try.
    """
    patience = Patience(seat, ports.settings.chat_retry_seconds)
    while True:
        try:
            return _once(ports, seat, request, asked, tell)
        except SpendingPaused as error:
            seat.cut.cut(REQUEST_OVER)  # it is given back, and whoever drives the run waits
            raise Halted(REQUEST_OVER) from error
        except (Transient, ModelOutputError) as error:
            if patience.is_over():
                raise
            log.warning("step %s: the model is asked again: %s", seat.id, error.message)
            patience.wait(error)


def _once(
    ports: Ports, seat: StepSeat, request: ModelRequest, asked: Asked, tell: Callable[[str | None], None] | None
) -> tuple[str, Message]:
    if tell is not None:
        tell(None)
    faultpoint("before_call:model.stream")
    with seat.cut.inner() as cut:
        for delta in ports.plan_model().stream(request, cut):
            seat.check()
            if isinstance(delta, TextDelta) and tell is not None:
                tell(delta.text)
            elif isinstance(delta, Answer):
                faultpoint("after_call:model.stream")
                asked.usage += delta.usage
                return _text(delta), delta.message
    raise ModelOutputError("The model's answer broke off before its end.")


def _text(answer: Answer) -> str:
    text = text_of(answer.message.parts)
    if not text:
        what = "declined to answer" if answer.stop == "refused" else f"answered nothing ({answer.stop})"
        error = MemexError if answer.stop == "refused" else ModelOutputError
        raise error(f"The model {what}.")
    return text
