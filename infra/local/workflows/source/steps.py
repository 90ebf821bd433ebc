"""Blocks of steps, and the steps of one kind each."""

from __future__ import annotations

from infra.local.workflows.limits import ASSIGNMENTS_PER_STEP, CONDITIONS_PER_SWITCH
from infra.local.workflows.source.context import Build, CallSite, Kind, Level, Place
from infra.local.workflows.source.names import step_name, target, variable_name
from infra.local.workflows.source.program import (
    Action,
    Assign,
    Call,
    Case,
    Jump,
    Nested,
    Nothing,
    Raise,
    Return,
    Step,
    Switch,
)
from infra.local.workflows.source.templates import MapTemplate, Template, is_expression, template
from infra.local.workflows.source.yaml_items import Item


def compile_block(item: Item, place: Place, level: Level, build: Build) -> str:
    """Compile a list of steps under `level.path`; returns that path. Raises WorkflowError."""
    if not item.is_list or not item.value:
        raise build.fault(item.line, "'steps' must be a list with at least one step")
    names: list[str] = []
    for one in item.value:
        if not one.is_map or len(one.value) != 1:
            raise build.fault(one.line, "a step is a name with a map of what it does")
        (name,) = one.value
        step_name(name, one.line, build)
        if name in names:
            raise build.fault(one.line, f"the step '{name}' appears twice")
        names.append(name)
    inner = place.inside(Level(level.path, tuple(names), level.kind))
    build.blocks[level.path] = tuple(
        compile_step(name, one.value[name], one.line_of(name), f"{level.path}/{index}", inner, build)
        for index, (name, one) in enumerate(zip(names, item.value, strict=True))
    )
    return level.path


def compile_body(item: Item, name: str, path: str, kind: str, place: Place, build: Build) -> str:
    """A body that is `steps: [...]`, or one step written in place. Returns its block."""
    if not item.is_map:
        raise build.fault(item.line, f"the body of '{name}' must be a map, such as 'steps'")
    if set(item.value) == {"steps"}:
        return compile_block(item.value["steps"], place, Level(path, (), kind), build)
    inner = place.inside(Level(path, (), kind))
    build.blocks[path] = (compile_step(name, item, item.line, f"{path}/0", inner, build),)
    return path


def compile_step(name: str, item: Item, line: int, path: str, place: Place, build: Build) -> Step:
    """Compile one step. Raises WorkflowError."""
    if not item.is_map:
        raise build.fault(line, f"the step '{name}' must be a map")
    kinds = [key for key in item.value if key in build.kinds]
    if len(kinds) > 1:
        raise build.fault(item.line_of(kinds[1]), f"the step '{name}' cannot have both '{kinds[0]}' and '{kinds[1]}'")
    if not kinds and set(item.value) != {"next"}:
        unknown = next((key for key in item.value if key != "next"), None)
        detail = f"unknown key '{unknown}'" if unknown else "it does nothing"
        raise build.fault(item.line_of(unknown) if unknown else line, f"the step '{name}': {detail}")
    compile_kind, more = build.kinds[kinds[0]] if kinds else (_nothing, ())
    for key in item.value:
        if key not in (*kinds, *more, "next") or (key == "next" and kinds[:1] in (["raise"], ["return"])):
            raise build.fault(item.line_of(key), f"the step '{name}' cannot have '{key}'")
    jump = _jump(item, place, build)
    return Step(name, line, compile_kind(item, path, place, build), jump)


def _jump(item: Item, place: Place, build: Build) -> Jump | None:
    if "next" not in item.value:
        return None
    wanted = item.value["next"]
    if not isinstance(wanted.value, str):
        raise build.fault(wanted.line, "'next' must be the name of a step")
    return place.jump(wanted.value, item.line_of("next"), build)


def noted(item: Item, place: Place, build: Build) -> Template:
    """A template whose calls are remembered for checking."""
    shape = template(item, build.file)
    build.note_calls(shape, place.routine)
    return shape


def _nothing(_item: Item, _path: str, _place: Place, _build: Build) -> Action:
    return Nothing()


def _assign(item: Item, _path: str, place: Place, build: Build) -> Action:
    pairs = item.value["assign"]
    if not pairs.is_list:
        raise build.fault(pairs.line, "'assign' must be a list")
    if len(pairs.value) > ASSIGNMENTS_PER_STEP:
        raise build.fault(pairs.line, f"'assign' has {len(pairs.value)} assignments, more than {ASSIGNMENTS_PER_STEP}")
    compiled = []
    for one in pairs.value:
        if not one.is_map or len(one.value) != 1:
            raise build.fault(one.line, "an assignment is one variable with its value")
        ((name, value),) = one.value.items()
        compiled.append((target(name, one.line, build), noted(value, place, build)))
    return Assign(tuple(compiled))


def _call(item: Item, _path: str, place: Place, build: Build) -> Action:
    function = item.value["call"].value
    line = item.line_of("call")
    if not isinstance(function, str) or is_expression(function):
        raise build.fault(line, "'call' must be the name of a function or subworkflow")
    arguments = noted(item.value["args"], place, build) if "args" in item.value else None
    names = _argument_names(item, arguments, build)
    build.calls.append(CallSite(function, place.routine, line, names, len(names or ()), False))
    result = item.value.get("result")
    variable = variable_name(result.value, result.line, build) if result else None
    return Call(function, arguments, variable)


def _argument_names(item: Item, arguments: Template | None, build: Build) -> frozenset[str] | None:
    if arguments is None:
        return frozenset()
    if isinstance(arguments, MapTemplate):
        return frozenset(name for name, _ in arguments.items)
    if is_expression(item.value["args"].value):
        return None
    raise build.fault(item.line_of("args"), "'args' must be a map")


def _switch(item: Item, path: str, place: Place, build: Build) -> Action:
    cases = item.value["switch"]
    if not cases.is_list or not cases.value:
        raise build.fault(cases.line, "'switch' must be a list of conditions")
    if len(cases.value) > CONDITIONS_PER_SWITCH:
        raise build.fault(cases.line, f"'switch' has {len(cases.value)} conditions, more than {CONDITIONS_PER_SWITCH}")
    return Switch(tuple(_case(one, f"{path}/case{n}", place, build) for n, one in enumerate(cases.value)))


def _case(item: Item, path: str, place: Place, build: Build) -> Case:
    if not item.is_map or "condition" not in item.value:
        raise build.fault(item.line, "a case of 'switch' needs a 'condition'")
    body = Item({k: v for k, v in item.value.items() if k != "condition"}, item.line, item.key_lines)
    if not body.value:
        raise build.fault(item.line, "a case of 'switch' needs 'next', 'steps', 'return' or another action")
    return Case(noted(item.value["condition"], place, build), compile_body(body, "switch", path, "block", place, build))


def _steps(item: Item, path: str, place: Place, build: Build) -> Action:
    return Nested(compile_block(item.value["steps"], place, Level(f"{path}/steps", (), "block"), build))


def _raise(item: Item, _path: str, place: Place, build: Build) -> Action:
    return Raise(noted(item.value["raise"], place, build))


def _return(item: Item, _path: str, place: Place, build: Build) -> Action:
    if place.parallel_depth:
        raise build.fault(item.line_of("return"), "'return' cannot be used in a parallel step")
    return Return(noted(item.value["return"], place, build))


SIMPLE_KINDS: dict[str, Kind] = {
    "assign": (_assign, ()),
    "call": (_call, ("args", "result")),
    "switch": (_switch, ()),
    "steps": (_steps, ()),
    "raise": (_raise, ()),
    "return": (_return, ()),
}
