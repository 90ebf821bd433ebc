"""The tools that a model is offered, and the one way to call them: checked, bounded, and never raising."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import ValidationError

from shared.contracts.base import Model
from shared.contracts.sources import Source
from shared.errors import MemexError
from shared.gateway.transport import Cut
from shared.invalid import invalid, problems
from shared.llm.port import ToolSpec
from shared.tools.output import capped
from shared.tools.proposing import propose
from shared.tools.running import again, bounded
from shared.tools.schema import parameters
from shared.tools.tool import Job, Tool

log = logging.getLogger(__name__)

Policy = Literal["act", "propose"]
"""Whether a changing tool is run, or becomes an approval that waits for a person."""

WEB_READ = "Web content was read before this was wanted: it may be a page that wants it, not you."
_ERRORS_SHOWN = 5


@dataclass(frozen=True)
class Outcome:
    """What a call led to: `result` is a JSON object, for `ok` False {"error": {"code", "message"}} with what to mend.

    `malformed`: the model called what does not exist, or with arguments that are none; nothing was tried.
    """

    ok: bool
    result: Mapping[str, Any]
    seconds: float
    malformed: bool = False
    sources: tuple[Source, ...] = ()
    """What of the result can be cited."""


class Malformed(MemexError):
    """The call cannot be made as it is; the message says what to mend."""

    status, code = 422, "malformed_call"


class Registry:
    """Tools under one policy."""

    def __init__(self, tools: Iterable[Tool[Any]], policy: Policy = "act") -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._policy = policy

    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told of them."""
        return tuple(ToolSpec(tool.name, tool.description, parameters(tool.arguments)) for tool in self._all)

    @property
    def _all(self) -> Iterable[Tool[Any]]:
        return self._tools.values()

    def call(self, job: Job, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """Run the tool, or propose it where the policy or `job.web_read` says so. Never raises; ends within its time.

        The same `job.effect_key` again changes nothing again, and answers what it answered then.
        """
        begun = job.clock.now()
        malformed = False
        try:
            result = self.run(job, name, arguments)
        except MemexError as failure:
            ok, malformed, result = False, isinstance(failure, Malformed), _failed(failure)
        except Exception:  # noqa: BLE001 - the edge between a tool and the loop: it is logged, and the model is told
            log.exception("tool %s failed", name)
            ok, result = False, _failed(MemexError("The tool failed on our side. Say so; trying again may help."))
        else:
            ok = True
        seconds = (job.clock.now() - begun).total_seconds()
        return Outcome(ok, result, seconds, malformed, self._tools[name].sources(result) if ok else ())

    def run(self, job: Job, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The same, raising what went wrong: Malformed, or what the tool raises."""
        tool, parsed = self.check(name, arguments)

        def work(cut: Cut) -> Mapping[str, Any]:
            bound = replace(job, cut=cut)
            if tool.mutates and (self._policy == "propose" or job.web_read):
                reason = WEB_READ if self._policy == "act" else ""
                return again(lambda: propose(bound, tool, parsed, reason=reason), cut, repeatable=True)
            return again(lambda: tool.run(bound, parsed), cut, repeatable=tool.repeatable)

        return capped(bounded(work, job.cut, tool.timeout_seconds), tool.output_bytes)

    def check(self, name: str, arguments: Mapping[str, Any]) -> tuple[Tool[Any], Model]:
        """The tool of that name and its arguments as its model. Raises Malformed, for the model that called it."""
        tool = self._named(name)
        try:
            return tool, tool.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise Malformed(_to_mend(tool, error)) from error

    def given(self, name: str, arguments: Mapping[str, Any]) -> tuple[Tool[Any], Model]:
        """The same for arguments that a person gave. Raises InputError that names the wrong field."""
        tool = self._named(name)
        try:
            return tool, tool.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise invalid(error, "arguments") from error

    def _named(self, name: str) -> Tool[Any]:
        tool = self._tools.get(name)
        if tool is None:
            raise Malformed(f"There is no tool {name[:100]!r}; there are: {', '.join(self._tools)}.")
        return tool


def _failed(failure: MemexError) -> dict[str, Any]:
    return {"error": {"code": failure.code, "message": failure.message}}


def _to_mend(tool: Tool[Any], error: ValidationError) -> str:
    """Each wrong field by its path and what it must be."""
    lines = map(": ".join, problems(error, whole="arguments")[:_ERRORS_SHOWN])
    fields = ", ".join(tool.arguments.model_fields)
    return f"{tool.name} was not called. Mend the arguments and call it again: {'; '.join(lines)}. It takes: {fields}."
