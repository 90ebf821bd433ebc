"""The documented limits, as the documented errors (cloud.google.com/workflows/quotas)."""

import pytest

from infra.local.workflows.errors import WorkflowError
from tests.unit.local.workflows.support import Cloud


def returning(expression: str) -> str:
    return f"main:\n  steps:\n    - r:\n        return: {expression}\n"


def expression_of(length: int) -> str:
    return "'${len(\"" + "x" * (length - len('${len("")}')) + "\")}'"


def test_an_expression_of_400_characters_is_the_longest(cloud: Cloud) -> None:
    assert cloud.result(returning(expression_of(400))) == 400 - len('${len("")}')
    with pytest.raises(WorkflowError, match="401 characters"):
        cloud.deploy(returning(expression_of(401)))


@pytest.mark.slow
def test_100000_steps_are_the_most_and_cannot_be_caught(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - guarded:
        try:
          steps:
            - spin: {next: spin}
        except:
          steps: [{caught: {return: caught}}]
"""
    error = cloud.error(source)
    assert error["tags"] == ["ResourceLimitError"]


@pytest.mark.parametrize(("kilobytes", "fits"), [(250, True), (260, False)])
def test_a_string_may_take_256_kb(cloud: Cloud, kilobytes: int, fits: bool) -> None:
    source = """
main:
  params: [args]
  steps:
    - begin: {assign: [{x: "0123456789012345678901234567890123456789012345678901234567890123"}, {y: ""}]}
    - four: {assign: [{x: "${x+x+x+x}"}, {x: "${x+x+x+x}"}]}
    - grow:
        for:
          value: v
          range: [1, "${args}"]
          steps: [{more: {assign: [{y: "${y + x}"}]}}]
    - end_: {return: "${len(y)}"}
"""
    if fits:
        assert cloud.result(source, kilobytes) == kilobytes * 1024
    else:
        assert cloud.error(source, kilobytes)["tags"] == ["ResourceLimitError"]


def test_variables_may_take_512_kb_and_the_error_can_be_caught(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - begin: {assign: [{x: "01234567890123456789012345678901"}, {all: []}]}
    - big:
        for: {value: v, range: [1, 10], steps: [{twice: {assign: [{x: "${x + x}"}]}}]}
    - grow:
        try:
          steps:
            - more: {assign: [{all: "${list.concat(all, x)}"}], next: more}
        except:
          as: e
          steps: [{caught: {return: "${e.tags}"}}]
"""
    assert cloud.result(source) == ["ResourceLimitError"]


@pytest.mark.parametrize(("depth", "fits"), [(19, True), (20, False)])
def test_the_call_stack_is_20_deep(cloud: Cloud, depth: int, fits: bool) -> None:
    source = """
main:
  params: [args]
  steps:
    - go: {call: down, args: {n: "${args}"}, result: r}
    - r: {return: "${r}"}
down:
  params: [n]
  steps:
    - check: {switch: [{condition: "${n == 1}", return: bottom}]}
    - deeper: {call: down, args: {n: "${n - 1}"}, result: r}
    - r: {return: "${r}"}
"""
    if fits:
        assert cloud.result(source, depth) == "bottom"
    else:
        assert cloud.error(source, depth)["tags"] == ["RecursionError"]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("assign: [" + ", ".join(f"{{v{n}: 1}}" for n in range(51)) + "]", "51 assignments"),
        ("switch: [" + ", ".join("{condition: true, next: end}" for _ in range(51)) + "]", "51 conditions"),
        (
            "parallel: {branches: ["
            + ", ".join(f"{{b{n}: {{steps: [{{s: {{next: s}}}}]}}}}" for n in range(11))
            + "]}",
            "11 branches",
        ),
    ],
)
def test_a_step_that_is_too_large_is_refused_at_deployment(cloud: Cloud, step: str, message: str) -> None:
    with pytest.raises(WorkflowError, match=f"flow.yaml:4: .*{message}"):
        cloud.deploy(f"main:\n  steps:\n    - s:\n        {step}\n")


def test_twenty_iterations_run_at_once_and_the_others_wait(cloud: Cloud) -> None:
    source = """
main:
  steps:
    - all:
        parallel:
          for: {value: n, range: [1, 45], steps: [{nap: {call: sys.sleep, args: {seconds: 60}}}]}
"""
    execution = cloud.run(source)
    assert round((execution.end_time.ToDatetime() - execution.start_time.ToDatetime()).total_seconds()) == 180


def test_parallel_steps_nest_to_a_depth_of_two(cloud: Cloud) -> None:
    def nested(depth: int) -> str:
        inner = "{leaf: {assign: [{x: 1}]}}"
        for _ in range(depth):
            inner = f"{{p: {{parallel: {{branches: [{{b: {{steps: [{inner}]}}}}]}}}}}}"
        return f"main:\n  steps:\n    - {inner}\n    - r: {{return: done}}\n"

    assert cloud.result(nested(2)) == "done"
    assert "ParallelNestingError" in str(cloud.error(nested(3)))


def test_values_nest_100_levels_deep(cloud: Cloud) -> None:
    source = """
main:
  params: [levels]
  steps:
    - begin: {assign: [{x: []}]}
    - wrap: {for: {value: v, range: [2, "${levels}"], steps: [{s: {assign: [{x: ["${x}"]}]}}]}}
    - nap: {call: sys.sleep, args: {seconds: 1}}
    - r: {return: "${len(x)}"}
"""
    assert cloud.result(source, 100) == 1
    assert cloud.error(source, 200)["tags"] == ["ResourceLimitError"]
    deep = "main: {params: [t], steps: [{r: {return: '${json.decode(t)}'}}]}"
    assert "ValueError" in cloud.error(deep, "[" * 5000 + "]" * 5000)["tags"]
