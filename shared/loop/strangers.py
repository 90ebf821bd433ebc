"""What strangers have said in a piece of work bounds what its next calls may do: decided here, not by the model.

Whoever wrote a web page may have written it for the model. So once web content was read, a change is only proposed.
And once anything was read, a note too, only addresses that the person or a result has named are: nobody can have a
secret carried off inside an address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import unescape
from typing import Any

from shared.contracts.chat import ModelAnswer
from shared.loop.journal import Journal, stored_calls
from shared.tools.tool import Job
from shared.tools.untrusted import WEB_TOOLS

_NOTHING_READ = frozenset({"not_run", "too_many_calls", "malformed_call", "no_search_provider"})
"""Errors that are told before anything of the web is."""


def bounds_of(journal: Journal, iteration: int) -> Callable[[Job], Job]:
    """What a job of that answer's calls becomes, after all that the answers before it have led to.

    What one answer asks for side by side was wanted before any of it was read. A job that comes with bounds, since
    earlier work has read the web, keeps them: what was named to it stays named.
    """
    before = {at: data for at, data in journal.results.items() if at.iteration < iteration}
    if not before:
        return lambda job: job
    web_read = any(_from_the_web(data) for data in before.values())
    answers = tuple(journal.answers)

    def is_given(url: str) -> bool:
        named = re.compile(rf"(?<![\w.-]){re.escape(_bare(url))}", re.IGNORECASE)
        if named.search(unescape(journal.text)):
            return True
        own = min((answer.n for answer in answers if named.search(_written(answer))), default=iteration)
        said = (data for at, data in before.items() if at.iteration < own)
        return any(named.search(json.dumps(data.get("result"), ensure_ascii=False)) for data in said)

    def bound(job: Job) -> Job:
        if not job.web_read:
            return replace(job, web_read=web_read, is_given=is_given)
        return replace(job, is_given=lambda url: is_given(url) or job.is_given(url))

    return bound


def _written(answer: ModelAnswer) -> str:
    """What the model wrote into its calls: a result that repeats it names nothing."""
    return "\n".join(json.dumps([call.name, call.arguments], ensure_ascii=False) for call in stored_calls(answer))


def _bare(url: str) -> str:
    """The address as people write it: without a scheme, and without a slash at its end."""
    return url.strip().partition("://")[2].rstrip("/") or url


def _from_the_web(data: Mapping[str, Any]) -> bool:
    if data.get("tool") not in WEB_TOOLS:
        return False
    result = data.get("result")
    error = result.get("error") if isinstance(result, dict) and not data.get("ok") else None
    return not (isinstance(error, dict) and error.get("code") in _NOTHING_READ)
