"""What was said in earlier turns: the newest word by word within a budget, the older ones in a stored summary."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from shared.chat import prompt
from shared.chat.holding import Held, SessionEntry
from shared.chat.ports import Ports
from shared.contracts.chat import ChatSession, RunningTurn, Turn, TurnStatus
from shared.contracts.events import EventType
from shared.contracts.limits import SUMMARY_CHARACTERS
from shared.contracts.operations import Usage
from shared.errors import MemexError
from shared.llm.parts import text_of
from shared.llm.port import Answer, Message, ModelRequest, Text
from shared.loop.fitting import Exchange, total
from shared.loop.ports import Briefing
from shared.loop.seat import Halted
from shared.store.streams import EventDraft

log = logging.getLogger(__name__)

TURNS = 100
"""The most turns that go to the model word by word, however short they are."""
_SUMMARY_TOKENS = 1_500
_FOLD_SECONDS = 30.0
_SAID_CHARACTERS = 2_000
_LINE_CHARACTERS = 200


class History:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def briefing(self, held: Held) -> Briefing:
        """The prompt, with what came before the turn.

        When that is more than the budget, half of the budget is kept and the rest folded. Raises Halted, Transient.
        """
        session = held.session
        found = held.store.chats.turns(session.id, after=session.summarised_turns, limit=TURNS + 2)
        turns = [turn for turn in reversed(found) if turn.n < held.turn.n]
        budget = self._ports.settings.chat_history_tokens
        if len(turns) > TURNS or total([exchange_of(turn) for turn in turns]) > budget:
            kept = _newest(turns, budget // 2)
            session = self._fold(held, session, turns[: len(turns) - len(kept)])
            turns = kept
        system = prompt.system(self._ports.now().date(), session.summary)
        return Briefing(system, prompt.version(), tuple(exchange_of(turn) for turn in turns))

    def _fold(self, held: Held, session: ChatSession, old: Sequence[Turn]) -> ChatSession:
        if not old:
            return session
        summary, usage, by = self._summary(held, session.summary, old)
        until = old[-1].n

        def make(current: ChatSession, turn: RunningTurn) -> SessionEntry:
            if current.summarised_turns >= until:
                return SessionEntry()
            data = {"turn_id": turn.id, "turns": until, "by": by, "text": summary}
            return SessionEntry(
                {"usage": turn.usage + usage},
                session={"summary": summary, "summarised_turns": until},
                events=(EventDraft(EventType.HISTORY_SUMMARISED, data),),
            )

        held.change(make, point="chat.fold")
        return held.session

    def _summary(self, held: Held, before: str, old: Sequence[Turn]) -> tuple[str, Usage, str]:
        """The new summary, what it cost, and whether it was made by the model or by rule."""
        try:
            answer = self._asked(held, before, old)
            text = text_of(answer.message.parts)
            if text:
                return text[:SUMMARY_CHARACTERS], answer.usage, "model"
        except MemexError as error:
            held.check()
            log.warning("session %s: summarised by rule: %s", held.key.session_id, error.message)
        return by_rule(before, old), Usage(), "rule"

    def _asked(self, held: Held, before: str, old: Sequence[Turn]) -> Answer:
        request = ModelRequest(
            messages=(Message("user", (Text(_conversation(before, old)),)),),
            system=prompt.folding(),
            max_output_tokens=_SUMMARY_TOKENS,
            deadline_seconds=_FOLD_SECONDS,
            thinking=False,
        )
        with held.cut.inner() as cut:
            for delta in self._ports.model().stream(request, cut):
                if held.cut.reason:
                    raise Halted(held.cut.reason)
                if isinstance(delta, Answer):
                    return delta
        raise MemexError("The model gave no summary.")


def exchange_of(turn: Turn) -> Exchange:
    """A turn as the question and its answer; one without an answer says why, so that the two still alternate."""
    answer = turn.answer or f"(No answer: the turn was {turn.status.value}.)"
    if turn.answer and turn.status is not TurnStatus.COMPLETED:
        answer = f"{answer}\n\n(The turn was {turn.status.value} here.)"
    return (Message("user", (Text(turn.text),)), Message("model", (Text(answer),)))


def by_rule(before: str, old: Sequence[Turn]) -> str:
    """A summary without a model: the first words of each message and answer; the oldest go first."""
    lines = [line for line in before.split("\n") if line]
    for turn in old:
        lines += [f"Person: {_line(turn.text)}", f"Memex: {_line(turn.answer or turn.status.value)}"]
    while len("\n".join(lines)) > SUMMARY_CHARACTERS and len(lines) > 1:
        lines.pop(0)
    return "\n".join(lines)[:SUMMARY_CHARACTERS]


def _newest(turns: Sequence[Turn], budget: int) -> list[Turn]:
    kept: list[Turn] = []
    for turn in reversed(turns[-TURNS // 2 :]):
        if total([exchange_of(one) for one in (turn, *kept)]) > budget:
            break
        kept.insert(0, turn)
    return kept


def _conversation(before: str, old: Sequence[Turn]) -> str:
    said = [f"Summary so far:\n{before}"] if before else []
    for turn in old:
        said += [f"Person: {turn.text[:_SAID_CHARACTERS]}", f"Memex: {turn.answer[:_SAID_CHARACTERS]}"]
    return "\n\n".join(said)


def _line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LINE_CHARACTERS else flat[:_LINE_CHARACTERS] + "…"
