"""What a test makes a model say to one request, piece by piece, and what it breaks on the way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, TypeAdapter

from infra.local.aiplatform.script import HttpFailure, Seconds
from infra.local.aiplatform.script_form import read_script

Asks = Literal["tools", "json", "text", "search", "any"]
"""Which requests take a script: those that offer functions, want JSON, search with Google, do none of it, or any."""

_ITEMS: Mapping[str, type[Any] | tuple[type[Any], ...]] = {
    "part": Mapping,
    "pause": (int, float),
    "raw": str,
    "endless": str,
    "hold": str,
    "hang": bool,
    "cut": bool,
}


def _known(item: Mapping[str, Any]) -> Mapping[str, Any]:
    kinds = [kind for kind in item if kind in _ITEMS]
    if len(item) != 1 or not kinds or not isinstance(item[kinds[0]], _ITEMS[kinds[0]]):
        raise ValueError(f"an item is an object with one of {', '.join(_ITEMS)}")
    return item


Item = Annotated[Mapping[str, Any], AfterValidator(_known)]


def say(text: str) -> Mapping[str, Any]:
    """A piece of text."""
    return {"part": {"text": text}}


def think(text: str) -> Mapping[str, Any]:
    """A summary of a thought."""
    return {"part": {"text": text, "thought": True}}


def call(name: str, /, **arguments: Any) -> Mapping[str, Any]:
    """A function call; its id and the signature of the first one are added."""
    return {"part": {"functionCall": {"name": name, "args": arguments}}}


def pause(seconds: float) -> Mapping[str, Any]:
    """Nothing for so long, by the local cloud's clock."""
    return {"pause": seconds}


def hold(gate: str) -> Mapping[str, Any]:
    """Nothing until the gate of that name is opened (POST /_cloud/aiplatform/gates {"name"})."""
    return {"hold": gate}


def endless(text: str) -> Mapping[str, Any]:
    """The text over and over, at the script's pace, until the client goes."""
    return {"endless": text}


def raw(text: str) -> Mapping[str, Any]:
    """Sent as it is, in the place of a frame."""
    return {"raw": text}


HANG: Mapping[str, Any] = {"hang": True}
"""The connection stays open and nothing more comes."""
CUT: Mapping[str, Any] = {"cut": True}
"""The connection is shut."""


@dataclass(frozen=True)
class ModelScript:
    """The answer to one request.

    items: what is said, in order; see `say`, `think`, `call`, `pause`, `hold`, `endless`, `raw`, HANG, CUT. A part may
        be any part of Gemini's.
    failures: answered, in turn, before the answer; a script with failures alone is used up by them.
    finish: the finishReason of the last frame, "" for none: a stream that ends without saying so.
    pace_seconds: between two frames; None: the platform's own pace.
    about: words that the request holds; a script without any is for whoever asks first, so where several ask at once
        (a chat and the run that it started) each script says whom it is for.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    items: tuple[Item, ...] = ()
    failures: tuple[HttpFailure, ...] = ()
    finish: str = "STOP"
    finish_message: str = ""
    asks: Asks = "tools"
    name: str = ""
    pace_seconds: Seconds | None = None
    about: str = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_data(cls, data: Any) -> ModelScript:
        """A script from its JSON form (the same names; lists for tuples). Raises ApiError 400 for what it is not."""
        return read_script(_adapter(), data, "a script of a model")


@cache
def _adapter() -> TypeAdapter[ModelScript]:
    return TypeAdapter(ModelScript)
