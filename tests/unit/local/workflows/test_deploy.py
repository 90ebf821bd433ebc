"""What deployment refuses, with file and line."""

import pytest

from infra.local.workflows.errors import WorkflowError
from tests.unit.local.workflows.support import Cloud

S = "main:\n  steps:\n    - s:\n        "
BOMB = "\n".join(["a:", "  - &a0 [x, x]", *[f"  - &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]])


def branch(step: str, shared: str = "") -> str:
    return f"main:\n  steps:\n    - p:\n        parallel: {{{shared}branches: [{{b: {{steps: [{{s: {step}}}]}}}}]}}\n"


FAULTS = [
    ("", 1, "empty"),
    ("a: [", 1, "not YAML"),
    ("main: {steps: [{a: {return: 1}}]}\nmain: {}", 2, "'main' appears twice"),
    ("other: {steps: []}", 1, "needs a 'main' block"),
    ("main: {params: [a, b], steps: [{s: {return: 1}}]}", 1, "'main' takes at most one"),
    ("main:\n  step: []", 2, "cannot have 'step'"),
    ("main: {steps: []}", 1, "at least one step"),
    ("main:\n  steps:\n    - a: {return: 1}\n    - a: {return: 2}", 4, "step 'a' appears twice"),
    ("main:\n  steps:\n    - a b: {return: 1}", 3, "not a step name"),
    (S + "retrun: 1", 4, "unknown key 'retrun'"),
    (S + "return: 1\n        raise: 2", 5, "both 'return' and 'raise'"),
    (S + "return: 1\n        next: s", 5, "cannot have 'next'"),
    (S + "call: sys.now\n        arg: {}", 5, "cannot have 'arg'"),
    (S + "next: nowhere", 4, "no such step"),
    (S + "next: break", 4, "only possible in a for loop"),
    (S + "assign: {x: 1}", 4, "must be a list"),
    (S + "assign: [{'x + 1': 1}]", 4, "cannot assign to 'x \\+ 1'"),
    (S + "assign: [{and: 1}]", 4, "cannot assign"),
    (S + "return: ${1 +}", 4, "cannot parse the expression"),
    (S + "return:\n          a: 1\n          b: ${x ! y}", 6, "unexpected character '!'"),
    (S + "return: 99999999999999999999", 4, "64 bits"),
    (S + "call: sys.slep\n        args: {seconds: 1}", 4, "no function or subworkflow 'sys.slep'"),
    (S + "call: googleapis.firestore.v1.projects.databases.documents.get", 4, "connector 'googleapis.firestore"),
    (S + "call: sys.sleep\n        args: {secs: 1}", 4, "no argument 'secs'"),
    (S + "call: sys.sleep", 4, "needs the argument 'seconds'"),
    (S + "call: main", 4, "'main' cannot be called"),
    (S + "call: ${x}", 4, "must be the name of a function"),
    (S + "call: sys.now\n        result: a.b", 5, "not a variable name"),
    (S + "return: ${sys.sleep(1)}", 4, "blocking call"),
    (S + "return: ${len()}", 4, "needs the argument"),
    (S + "return: ${len(1, 2)}", 4, "at most 1 arguments"),
    (S + "call: sub\n        args: {a: 1}\nsub: {params: [b], steps: [{r: {return: 1}}]}", 4, "no parameter 'a'"),
    (S + "call: sub\nsub: {params: [b], steps: [{r: {return: 1}}]}", 4, "needs the parameter 'b'"),
    (
        S + "return: ${sub(1)}\nsub: {params: [b], steps: [{r: {call: sys.sleep, args: {seconds: 1}}}]}",
        4,
        "blocking calls",
    ),
    (S + "call: x\nx: {params: [a, a], steps: [{r: {return: 1}}]}", 5, "parameter 'a' appears twice"),
    (S + "switch: []", 4, "list of conditions"),
    (S + "switch: [{next: s}]", 4, "needs a 'condition'"),
    (S + "switch: [{condition: true}]", 4, "needs 'next', 'steps', 'return'"),
    (S + "for: {value: v, steps: [{a: {return: 1}}]}", 4, "either 'in' or 'range'"),
    (S + "for: {value: v, range: [1], steps: [{a: {return: 1}}]}", 4, "first and the last"),
    (S + "for: {value: v, range: [1, 2], index: i, steps: [{a: {return: 1}}]}", 4, "'index' goes with 'in'"),
    (S + "for: {value: v, in: [], steps: [{a: {next: s}}]}", 4, "no such step in this scope"),
    (S + "try: {return: 1}", 4, "needs 'retry', 'except' or both"),
    (S + "try: {return: 1}\n        except: {as: e}", 5, "'except' needs 'steps'"),
    (S + "try: {return: 1}\n        retry: {max_retry: 1}", 5, "cannot have 'max_retry'"),
    (S + "parallel: {shared: [x]}", 4, "either 'branches' or 'for'"),
    (S + "parallel: {exception_policy: unhandled, branches: [{b: {steps: [{a: {raise: 1}}]}}]}", 4, "continueAll"),
    (branch("{return: 1}"), 4, "'return' cannot be used in a parallel step"),
    (branch("{next: end}"), 4, "'next: end' cannot be used in a parallel step"),
    (branch("{next: break}"), 4, "cannot leave a parallel"),
    (branch("{next: p}"), 4, "no such step in this scope"),
    (
        "main:\n  params: [x]\n  steps:\n    - p:\n        parallel:\n          branches:\n            - b:\n"
        "                steps:\n                  - s: {assign: [{x: 1}]}\n",
        9,
        "list it in 'shared'",
    ),
    ("x: &a [*a]", 1, "alias"),
    (BOMB, 3, "aliases stand for more than 10000 items"),
    ("a: &a [" + "x, " * 5000 + "]\nmain: {steps: [{s: {return: [*a, *a, *a]}}]}", 1, "aliases stand for more than"),
    (S + "return: " + "[" * 2000 + "]" * 2000, 1, "nested too deeply"),
    ("#" * 131_073, 1, "larger than 128 KB"),
]


@pytest.mark.parametrize(("source", "line", "message"), FAULTS, ids=[message for _, _, message in FAULTS])
def test_a_fault_is_named_with_its_file_and_line(cloud: Cloud, source: str, line: int, message: str) -> None:
    with pytest.raises(WorkflowError, match=message) as caught:
        cloud.deploy(source)
    assert str(caught.value).startswith(f"{cloud.data_dir}/flow.yaml:{line}: ")


def test_a_refused_source_leaves_the_deployed_one(cloud: Cloud) -> None:
    cloud.deploy("main: {steps: [{s: {return: 1}}]}")
    with pytest.raises(WorkflowError):
        cloud.deploy("main: {steps: [{s: {return: '${'}}, {s: {}}]}")
    assert cloud.settle(cloud.begin()).result == "1"


@pytest.mark.parametrize(
    "env", [{"GOOGLE_X": "1"}, {"WORKFLOWS_X": "1"}, {"a-b": "1"}, {"A": "x" * 4097}, {f"V{n}": "" for n in range(21)}]
)
def test_environment_variables_are_held_to_the_rules(cloud: Cloud, env: dict[str, str]) -> None:
    with pytest.raises(WorkflowError, match="environment variable"):
        cloud.deploy("main: {steps: [{s: {return: 1}}]}", env=env)


@pytest.mark.parametrize(
    "source",
    [
        "main: {steps: [{s: {assign: [{m: &a {x: 1}}, {n: *a}]}}, {r: {return: '${n.x}'}}]}",
        "# a comment\nmain:\n  steps:\n  - s:\n      return: 1\n",
        "main: {steps: [{s: {return: '${map.get(sub(), \"a\")}'}}]}\nsub: {steps: [{r: {return: {a: 1}}}]}",
    ],
)
def test_what_yaml_allows_is_allowed(cloud: Cloud, source: str) -> None:
    assert cloud.result(source) == 1
