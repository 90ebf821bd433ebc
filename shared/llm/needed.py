"""The model of a role, where there is no way without one."""

from __future__ import annotations

from shared.errors import SettingsError
from shared.llm.port import Model


class NoModel(SettingsError):
    """What was asked for needs a model, and none is set for it."""

    status, code = 422, "no_model"


def needed(model: Model | None, setting: str) -> Model:
    """Raises NoModel, which says that `setting` is to be set."""
    if model is None:
        raise NoModel(
            f"There is no model for this: set {setting}, and MODEL_BACKEND or MODEL_PRESET where it is served."
        )
    return model
