"""The tool make_plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from shared.contracts.base import Model
from shared.contracts.sources import Source
from shared.documents.desk import Drawing
from shared.tools.tool import Job, Tool

_SQL_CHARACTERS, _TITLE_CHARACTERS = 5_000, 200


class Arguments(Model):
    document_id: str
    spec: Annotated[
        dict[str, Any],
        Field(description="A Vega-Lite specification (mark, encoding, ...) without data and without addresses."),
    ]
    sql: Annotated[
        str | None,
        StringConstraints(max_length=_SQL_CHARACTERS),
        Field(description="One SELECT that gives the rows to draw; all of the table data without it."),
    ] = None
    title: Annotated[str, StringConstraints(max_length=_TITLE_CHARACTERS)] = ""


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Draw a chart of the rows of a csv or xlsx document. The person sees it beside your answer; say in it what the
    chart shows."""
    drawing = Drawing(arguments.spec, arguments.sql, job.effect_key)
    document = job.store.documents.get(arguments.document_id)
    plot_id = job.services.desk.draw(document.id, drawing, job.cut)
    place = f"documents/{document.id}/artifacts/{plot_id}"
    return {
        "document_id": document.id,
        "name": document.name,
        "plot_id": plot_id,
        "title": arguments.title or str(arguments.spec.get("title", ""))[:_TITLE_CHARACTERS],
        "svg": f"{place}.svg",
        "png": f"{place}.png",
    }


def _sources(answer: Mapping[str, Any]) -> tuple[Source, ...]:
    if "document_id" not in answer:
        return ()
    return (Source(title=answer["name"], document_id=answer["document_id"], passage=str(answer.get("title", ""))),)


TOOL = Tool("make_plot", Arguments, run, timeout_seconds=75.0, sources=_sources)
