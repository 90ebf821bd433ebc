"""What one turn of a chat may take."""

from __future__ import annotations

from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class ChatSettings:
    """Fields of shared.config.Settings."""

    chat_max_iterations: int = setting(
        "CHAT_MAX_ITERATIONS", "How many answers of the model one turn may have.", 16, parsing.count
    )
    chat_max_tokens: int = setting(
        "CHAT_MAX_TOKENS", "How many tokens, in and out, one turn may use before it ends.", 400_000, parsing.count
    )
    chat_max_calls: int = setting("CHAT_MAX_CALLS", "How many tool calls one turn may make.", 40, parsing.count)
    chat_max_seconds: float = setting(
        "CHAT_MAX_SECONDS", "How long one turn may take, with whoever carries it on.", 300.0, parsing.positive
    )
    chat_lease_seconds: float = setting(
        "CHAT_LEASE_SECONDS",
        "How long a turn's worker is taken to live after its last sign; then the turn is carried on by another.",
        20.0,
        parsing.positive,
    )
    chat_history_tokens: int = setting(
        "CHAT_HISTORY_TOKENS",
        "How many tokens of earlier turns go to the model word by word; older ones become a summary.",
        12_000,
        parsing.count,
    )
    chat_retry_seconds: float = setting(
        "CHAT_RETRY_SECONDS",
        "The first wait before a model that failed in passing is asked again.",
        1.0,
        parsing.positive,
    )
