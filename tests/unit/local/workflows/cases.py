"""The shape of a case, and the documentation pages that cases name."""

from dataclasses import dataclass
from typing import Any

VARIABLES = "reference/syntax/variables"
JUMPS = "reference/syntax/jumps"
CONDITIONS = "reference/syntax/conditions"
ITERATION = "reference/syntax/iteration"
SUBWORKFLOWS = "reference/syntax/subworkflows"
COMPLETING = "reference/syntax/completing"
RAISING = "reference/syntax/raising-errors"
CATCHING = "reference/syntax/catching-errors"
STEPS = "reference/syntax/steps"
ARGUMENTS = "passing-runtime-arguments"
PARALLEL = "reference/syntax/parallel-steps"


@dataclass(frozen=True)
class Case:
    source: str
    name: str
    workflow: str
    result: Any = None
    error: Any = None
    argument: Any = None
