"""A source file as a checked program, or the first fault with file and line."""

from __future__ import annotations

from functools import lru_cache

from infra.local.workflows.errors import WorkflowError
from infra.local.workflows.limits import SOURCE_BYTES
from infra.local.workflows.source.check import check_calls
from infra.local.workflows.source.compound import COMPOUND_KINDS
from infra.local.workflows.source.context import Build, Level, Place
from infra.local.workflows.source.names import variable_name
from infra.local.workflows.source.program import Parameter, Program, Routine
from infra.local.workflows.source.sharing import check_sharing
from infra.local.workflows.source.steps import SIMPLE_KINDS, compile_block
from infra.local.workflows.source.yaml_items import Item, load


@lru_cache(maxsize=64)
def compile_source(text: str, file: str) -> Program:
    """Compile and check a workflow. Raises WorkflowError. A program is never changed, so the same source is one."""
    if len(text.encode()) > SOURCE_BYTES:
        raise WorkflowError(file, 1, f"the source is larger than {SOURCE_BYTES // 1024} KB")
    try:
        return _compile(load(text, file), file)
    except RecursionError:
        raise WorkflowError(file, 1, "the source is nested too deeply") from None


def _compile(document: Item, file: str) -> Program:
    if document.is_list:
        document = Item({"main": Item({"steps": document}, document.line, {})}, document.line, {})
    if not document.is_map or "main" not in document.value:
        raise WorkflowError(file, document.line, "a workflow needs a 'main' block, or is a list of steps")
    build = Build(file, frozenset(document.value), SIMPLE_KINDS | COMPOUND_KINDS)
    routines = {name: _routine(name, item, document.line_of(name), build) for name, item in document.value.items()}
    check_calls(build, routines)
    for routine in routines.values():
        check_sharing(build, routine)
    return Program(file, routines, build.blocks)


def _routine(name: str, item: Item, line: int, build: Build) -> Routine:
    variable_name(name, line, build, "subworkflow")
    if not item.is_map:
        raise build.fault(line, f"'{name}' must be a map with 'steps'")
    for key in item.value:
        if key not in ("params", "steps"):
            raise build.fault(item.line_of(key), f"'{name}' cannot have '{key}', only 'params' and 'steps'")
    if "steps" not in item.value:
        raise build.fault(line, f"'{name}' has no 'steps'")
    parameters = _parameters(item.value.get("params"), build)
    if name == "main" and len(parameters) > 1:
        raise build.fault(item.line_of("params"), "'main' takes at most one parameter")
    compile_block(item.value["steps"], Place(name), Level(name, (), "routine"), build)
    return Routine(name, parameters, name, line)


def _parameters(item: Item | None, build: Build) -> tuple[Parameter, ...]:
    if item is None:
        return ()
    if not item.is_list:
        raise build.fault(item.line, "'params' must be a list")
    parameters = tuple(_parameter(one, build) for one in item.value)
    seen: set[str] = set()
    for parameter, one in zip(parameters, item.value, strict=True):
        if parameter.name in seen:
            raise build.fault(one.line, f"the parameter '{parameter.name}' appears twice")
        seen.add(parameter.name)
    return parameters


def _parameter(item: Item, build: Build) -> Parameter:
    if isinstance(item.value, str):
        return Parameter(variable_name(item.value, item.line, build, "parameter"), True)
    if not item.is_map or len(item.value) != 1:
        raise build.fault(item.line, "a parameter is a name, or a name with its default")
    ((name, default),) = item.value.items()
    if isinstance(default.value, dict | list):
        raise build.fault(default.line, f"the default of '{name}' must be a number, string, boolean or null")
    return Parameter(variable_name(name, item.line, build, "parameter"), False, default.value)
