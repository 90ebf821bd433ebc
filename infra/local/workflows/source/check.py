"""Calls, checked once all routines are known: they exist, take these arguments, and may stand where they stand."""

from __future__ import annotations

from collections.abc import Mapping

from infra.local.workflows.source.context import Build, CallSite
from infra.local.workflows.source.program import Routine
from infra.local.workflows.stdlib.table import BLOCKING_NAMES, FUNCTIONS


def check_calls(build: Build, routines: Mapping[str, Routine]) -> None:
    """Raises WorkflowError for the first call that cannot be."""
    for site in build.calls:
        if fault := _fault(site, routines):
            raise build.fault(site.line, fault)
    blocking = _blocking_routines(build)
    for site in build.calls:
        if site.in_expression and site.function in blocking:
            raise build.fault(
                site.line, f"'{site.function}' makes blocking calls: run it from a call step, not in an expression"
            )


def _fault(site: CallSite, routines: Mapping[str, Routine]) -> str | None:
    if site.function in routines:
        return _routine_fault(site, routines[site.function])
    if site.function.startswith("googleapis."):
        return f"the connector '{site.function}' is not implemented by the local cloud"
    if site.function not in FUNCTIONS:
        return f"there is no function or subworkflow '{site.function}'"
    if site.in_expression and site.function in BLOCKING_NAMES:
        return f"'{site.function}' is a blocking call: run it from a call step, not in an expression"
    return _library_fault(site)


def _library_fault(site: CallSite) -> str | None:
    function = FUNCTIONS[site.function]
    if not site.in_expression:
        return None if site.names is None else function.fault(set(site.names))
    if site.count > len(function.parameters):
        return f"{site.function} takes at most {len(function.parameters)} arguments, not {site.count}"
    return function.fault({name for name, _ in function.parameters[: site.count]})


def _routine_fault(site: CallSite, routine: Routine) -> str | None:
    if site.function == "main":
        return "'main' cannot be called"
    known = [parameter.name for parameter in routine.parameters]
    if site.in_expression:
        if site.count > len(known):
            return f"'{site.function}' takes at most {len(known)} arguments, not {site.count}"
        given = set(known[: site.count])
    elif site.names is None:
        return None
    else:
        given = set(site.names)
    for name in sorted(given - set(known)):
        return f"'{site.function}' has no parameter '{name}'"
    for parameter in routine.parameters:
        if parameter.required and parameter.name not in given:
            return f"'{site.function}' needs the parameter '{parameter.name}'"
    return None


def _blocking_routines(build: Build) -> set[str]:
    """Routines that wait: by a blocking call, a retry or a parallel step, themselves or through what they call."""
    blocking = set(build.waiting)
    while True:
        more = {
            site.routine for site in build.calls if site.function in BLOCKING_NAMES or site.function in blocking
        } - blocking
        if not more:
            return blocking
        blocking |= more
