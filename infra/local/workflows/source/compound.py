"""The steps that hold other steps apart from switch: for, parallel, try."""

from __future__ import annotations

from infra.local.workflows.limits import BRANCHES_PER_STEP
from infra.local.workflows.source.context import Build, Kind, Level, Place
from infra.local.workflows.source.names import step_name, variable_name
from infra.local.workflows.source.program import Action, For, Parallel, Try
from infra.local.workflows.source.references import with_references
from infra.local.workflows.source.steps import compile_block, compile_body, noted
from infra.local.workflows.source.templates import Template
from infra.local.workflows.source.yaml_items import Item


def compile_for(item: Item, path: str, place: Place, build: Build) -> Action:
    return _loop(item.value["for"], path, "loop", place, build)


def _loop(item: Item, path: str, kind: str, place: Place, build: Build) -> For:
    _only(item, "for", ("value", "index", "in", "range", "steps"), build)
    if "value" not in item.value or "steps" not in item.value:
        raise build.fault(item.line, "'for' needs 'value' and 'steps'")
    if ("in" in item.value) == ("range" in item.value):
        raise build.fault(item.line, "'for' needs either 'in' or 'range'")
    if "range" in item.value and "index" in item.value:
        raise build.fault(item.line_of("index"), "'index' goes with 'in', not with 'range'")
    value = variable_name(item.value["value"].value, item.value["value"].line, build)
    index = item.value.get("index")
    items = noted(item.value["in"], place, build) if "in" in item.value else None
    bounds = _bounds(item.value["range"], place, build) if "range" in item.value else None
    block = compile_block(item.value["steps"], place, Level(f"{path}/for", (), kind), build)
    return For(value, variable_name(index.value, index.line, build) if index else None, items, bounds, block)


def _bounds(item: Item, place: Place, build: Build) -> tuple[Template, Template]:
    if not item.is_list or len(item.value) != 2:
        raise build.fault(item.line, "'range' must be a list of the first and the last number")
    first, last = item.value
    return noted(first, place, build), noted(last, place, build)


def compile_parallel(item: Item, path: str, place: Place, build: Build) -> Action:
    body = item.value["parallel"]
    _only(body, "parallel", ("shared", "concurrency_limit", "exception_policy", "branches", "for"), build)
    if ("branches" in body.value) == ("for" in body.value):
        raise build.fault(body.line, "'parallel' needs either 'branches' or 'for'")
    policy = body.value.get("exception_policy")
    if policy is not None and policy.value != "continueAll":
        raise build.fault(policy.line, "'exception_policy' can only be 'continueAll'")
    build.waiting.setdefault(place.routine, body.line)
    limit = noted(body.value["concurrency_limit"], place, build) if "concurrency_limit" in body.value else None
    shared = _shared(body.value.get("shared"), build)
    if "for" in body.value:
        return Parallel(shared, limit, (), _loop(body.value["for"], path, "iteration", place, build))
    return Parallel(shared, limit, _branches(body.value["branches"], path, place, build), None)


def _shared(item: Item | None, build: Build) -> tuple[str, ...]:
    if item is None:
        return ()
    if not item.is_list:
        raise build.fault(item.line, "'shared' must be a list of variables")
    return tuple(variable_name(one.value, one.line, build) for one in item.value)


def _branches(item: Item, path: str, place: Place, build: Build) -> tuple[tuple[str, str], ...]:
    if not item.is_list or not item.value:
        raise build.fault(item.line, "'branches' must be a list of branches")
    if len(item.value) > BRANCHES_PER_STEP:
        raise build.fault(item.line, f"'parallel' has {len(item.value)} branches, more than {BRANCHES_PER_STEP}")
    compiled: list[tuple[str, str]] = []
    for number, one in enumerate(item.value):
        if not one.is_map or len(one.value) != 1:
            raise build.fault(one.line, "a branch is a name with its steps")
        ((name, body),) = one.value.items()
        step_name(name, one.line, build)
        compiled.append((name, compile_body(body, name, f"{path}/branch{number}", "branch", place, build)))
    return tuple(compiled)


def compile_try(item: Item, path: str, place: Place, build: Build) -> Action:
    if "retry" not in item.value and "except" not in item.value:
        raise build.fault(item.line_of("try"), "'try' needs 'retry', 'except' or both")
    block = compile_body(item.value["try"], "try", f"{path}/try", "block", place, build)
    retry = _retry(item.value["retry"], place, build) if "retry" in item.value else None
    if "except" not in item.value:
        return Try(block, retry, None, None)
    handler = item.value["except"]
    _only(handler, "except", ("as", "steps"), build)
    if "steps" not in handler.value:
        raise build.fault(handler.line, "'except' needs 'steps'")
    name = handler.value.get("as")
    variable = variable_name(name.value, name.line, build) if name else None
    inner = compile_block(handler.value["steps"], place, Level(f"{path}/except", (), "block"), build)
    return Try(block, retry, variable, inner)


def _retry(item: Item, place: Place, build: Build) -> Template:
    build.waiting.setdefault(place.routine, item.line)
    if item.is_map:
        _only(item, "retry", ("predicate", "max_retries", "backoff"), build)
        if "backoff" in item.value and item.value["backoff"].is_map:
            _only(item.value["backoff"], "backoff", ("initial_delay", "max_delay", "multiplier"), build)
    return with_references(noted(item, place, build), build.routines)


def _only(item: Item, what: str, allowed: tuple[str, ...], build: Build) -> None:
    if not item.is_map:
        raise build.fault(item.line, f"'{what}' must be a map")
    for key in item.value:
        if key not in allowed:
            raise build.fault(item.line_of(key), f"'{what}' cannot have '{key}'")


COMPOUND_KINDS: dict[str, Kind] = {
    "for": (compile_for, ()),
    "parallel": (compile_parallel, ()),
    "try": (compile_try, ("retry", "except")),
}
