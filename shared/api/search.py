"""The handler of the search."""

from __future__ import annotations

from flask import Response

from shared.api import answers
from shared.api.route import Call
from shared.contracts.limits import SEARCH_HITS
from shared.errors import InputError


def search_notes(call: Call) -> Response:
    query = dict(call.query)
    text = query.pop("q", None)
    if text is None:
        raise InputError("q: give the words to look for", field="q")
    search = call.app.search(call.principal.workspace)
    return answers.model(search.search(text, **{"limit": SEARCH_HITS, **query}))
