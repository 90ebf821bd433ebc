"""Where in its source each step of a workflow stands."""

from __future__ import annotations

from infra.local.workflows.source.compile import compile_source
from infra.local.workflows.store import Revision


def step_lines(revision: Revision) -> dict[tuple[str, str], int]:
    """The line (from 1) of each step, by routine and step name; the first where a name is used twice."""
    lines: dict[tuple[str, str], int] = {}
    for path, steps in compile_source(revision.source, revision.file).blocks.items():
        routine = path.partition("/")[0]
        for step in steps:
            lines.setdefault((routine, step.name), step.line)
    return lines
