"""What was said in earlier turns: the newest word by word within a budget, the older ones in a summary."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from shared.chat import prompt
from shared.chat.checkpoints import Checkpoints
from shared.chat.holding import Held, SessionEntry
from shared.chat.ports import Ports
from shared.chat.recounting import TURNS, by_rule, exchange_of
from shared.contracts.chat import ChatSession, RunningTurn, Turn
from shared.contracts.events import EventType
from shared.contracts.limits import SUMMARY_CHARACTERS
from shared.contracts.operations import Usage
from shared.errors import MemexError
from shared.llm.parts import text_of
from shared.llm.port import Answer, Message, ModelRequest, Text
from shared.loop.fitting import total
from shared.loop.ports import Briefing
from shared.loop.seat import Halted
from shared.store.streams import EventDraft

log = logging.getLogger(__name__)

_SUMMARY_TOKENS = 1_500
_FOLD_SECONDS = 30.0
_SAID_CHARACTERS = 2_000


class History:
    def __init__(self, ports: Ports, checkpoints: Checkpoints) -> None:
        self._ports, self._checkpoints = ports, checkpoints

    def briefing(self, held: Held) -> Briefing:
        """The prompt, with what came before the turn.

        When that is more than the budget, half of the budget is kept and the rest folded. Raises as
        Checkpoints.load does.
        """
        known = self._checkpoints.load(held)
        found = held.store.chats.turns(held.key.session_id, after=known.summarised_turns, limit=TURNS + 2)
        turns = [turn for turn in reversed(found) if turn.n < held.turn.n]
        budget = self._ports.settings.chat_history_tokens
        summary = known.summary
        if len(turns) > TURNS or total([exchange_of(turn) for turn in turns]) > budget:
            kept = _newest(turns, budget // 2)
            summary = self._fold(held, summary, turns[: len(turns) - len(kept)])
            turns = kept
        system = prompt.system(self._ports.now().date(), summary, known.tools.met)
        return Briefing(system, prompt.version(), tuple(exchange_of(turn) for turn in turns))

    def _fold(self, held: Held, before: str, old: Sequence[Turn]) -> str:
        """The summary with these turns in it. Its event is kept: no other worker, and no later turn, makes it again."""
        if not old:
            return before
        summary, usage, by = self._summary(held, before, old)

        def make(_session: ChatSession, turn: RunningTurn) -> SessionEntry:
            data = {"turn_id": turn.id, "turns": old[-1].n, "by": by, "text": summary}
            return SessionEntry({"usage": turn.usage + usage}, events=(EventDraft(EventType.HISTORY_SUMMARISED, data),))

        held.change(make, point="chat.fold")
        return summary

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
