"""A whole answer, for who shows nothing while it is written."""

from __future__ import annotations

from shared.errors import ModelOutputError
from shared.gateway.transport import Cut
from shared.llm.port import Answer, Model, ModelRequest


def whole(model: Model, request: ModelRequest, cut: Cut) -> Answer:
    """The model's answer. Raises as `Model.stream` does, and ModelOutputError where the stream ended without one."""
    for piece in model.stream(request, cut):
        if isinstance(piece, Answer):
            return piece
    raise ModelOutputError("The model's stream ended without an answer.")
