"""Errors, arguments, subworkflows, parallel steps."""

from tests.unit.local.workflows.cases import ARGUMENTS, CATCHING, PARALLEL, RAISING, STEPS, SUBWORKFLOWS, Case

CASES = [
    Case(RAISING, "a string is raised as it is", "- a: {raise: went wrong}", error="went wrong"),
    Case(
        RAISING, "a map is raised as it is", "- a: {raise: {code: 55, message: m}}", error={"code": 55, "message": "m"}
    ),
    Case(RAISING, "a number cannot be raised", "- a: {raise: 5}", error="TypeError"),
    Case(
        CATCHING,
        "except gets the error map",
        """
- t:
    try: {assign: [{x: '${1 / 0}'}]}
    except: {as: e, steps: [{h: {return: '${e}'}}]}""",
        {"message": "ZeroDivisionError: division by zero", "tags": ["ZeroDivisionError", "ArithmeticError"]},
    ),
    Case(
        CATCHING,
        "after except the workflow goes on",
        "- t:\n    try: {raise: a}\n    except: {as: e, steps: [{h: {assign: [{x: 1}]}}]}\n- r: {return: after}",
        "after",
    ),
    Case(
        CATCHING,
        "the error can be raised again",
        "- t:\n    try: {raise: {code: 7}}\n    except: {as: e, steps: [{h: {raise: '${e}'}}]}",
        error={"code": 7},
    ),
    Case(
        CATCHING,
        "the error variable exists in except only",
        "- t:\n    try: {raise: a}\n    except: {as: e, steps: [{h: {assign: [{x: 1}]}}]}\n- r: {return: '${e}'}",
        error="KeyError",
    ),
    Case(
        CATCHING,
        "variables from before can be changed in except",
        """
- a: {assign: [{x: 0}]}
- t:
    try: {steps: [{b: {assign: [{x: 1}]}}, {c: {raise: oh}}]}
    except: {as: e, steps: [{h: {assign: [{x: '${x + 10}'}]}}]}
- r: {return: '${x}'}""",
        11,
    ),
    Case(
        CATCHING,
        "an error in except goes outwards",
        """
- t:
    try:
      steps:
        - inner:
            try: {raise: first}
            except: {as: e, steps: [{h: {raise: second}}]}
    except: {as: e, steps: [{h: {return: '${e}'}}]}""",
        "second",
    ),
    Case(
        CATCHING,
        "next leaves try and except",
        """
- t:
    try: {raise: a}
    except: {as: e, steps: [{h: {next: later}}]}
- b: {return: no}
- later: {return: later}""",
        "later",
    ),
    Case(
        CATCHING,
        "an error in a loop leaves the loop",
        """
- t:
    try: {steps: [{l: {for: {value: v, range: [1, 3], steps: [{s: {raise: '${string(v)}'}}]}}}]}
    except: {as: e, steps: [{h: {return: '${e}'}}]}""",
        "1",
    ),
    Case(STEPS, "nested steps run in order", "- a: {steps: [{b: {assign: [{x: 1}]}}, {c: {return: '${x}'}}]}", 1),
    Case(
        ARGUMENTS,
        "the argument reaches main",
        "main: {params: [args], steps: [{r: {return: '${args.a[1]}'}}]}",
        2,
        argument={"a": [1, 2]},
    ),
    Case(ARGUMENTS, "no argument is null", "main: {params: [args], steps: [{r: {return: '${default(args, 5)}'}}]}", 5),
    Case(ARGUMENTS, "main may have no parameter", "main: {steps: [{r: {return: 1}}]}", 1, argument={"a": 1}),
    Case(
        SUBWORKFLOWS,
        "named and default arguments",
        """
main:
  steps:
    - a: {call: greet, args: {name: Ada}, result: one}
    - b: {call: greet, args: {name: Bob, greeting: Bye}, result: two}
    - r: {return: ['${one}', '${two}']}
greet:
  params: [name, greeting: Hi]
  steps: [{r: {return: '${greeting + " " + name}'}}]""",
        ["Hi Ada", "Bye Bob"],
    ),
    Case(
        SUBWORKFLOWS,
        "a call inside an expression",
        """
main: {steps: [{r: {return: '${add(1, add(2)) * 10}'}}]}
add:
  params: [a, b: 5]
  steps:
    - l: {for: {value: v, range: [1, 1], steps: [{s: {assign: [{a: '${a + b}'}]}}]}}
    - r: {return: '${a}'}""",
        80,
    ),
    Case(
        SUBWORKFLOWS,
        "an error raised in an expression's call can be caught",
        """
main:
  steps:
    - t:
        try: {assign: [{x: '${1 + bad()}'}]}
        except: {as: e, steps: [{h: {return: '${e}'}}]}
bad: {steps: [{r: {raise: from inside}}]}""",
        "from inside",
    ),
    Case(
        SUBWORKFLOWS,
        "a call inside an expression may catch its own errors",
        """
main: {steps: [{r: {return: '${safe()}'}}]}
safe:
  steps:
    - t:
        try: {raise: a}
        except: {as: e, steps: [{h: {return: 'caught ${e}'}}]}""",
        "caught ${e}",
    ),
    Case(
        SUBWORKFLOWS,
        "a subworkflow does not see its caller's variables",
        """
main: {steps: [{a: {assign: [{x: 1}]}}, {b: {call: sub}}]}
sub: {steps: [{r: {return: '${x}'}}]}""",
        error="KeyError",
    ),
    Case(
        SUBWORKFLOWS,
        "end in a subworkflow ends that alone",
        """
main: {steps: [{a: {call: sub, result: x}}, {r: {return: ['${x}']}}]}
sub: {steps: [{a: {next: end}}, {b: {return: 1}}]}""",
        [None],
    ),
    Case(
        SUBWORKFLOWS,
        "arguments given as one expression are checked at run time",
        """
main: {steps: [{a: {assign: [{m: {zzz: 1}}]}}, {b: {call: sub, args: '${m}'}}]}
sub: {params: [x: 1], steps: [{r: {return: '${x}'}}]}""",
        error="TypeError",
    ),
    Case(
        SUBWORKFLOWS,
        "a library function can be called in a step",
        "- a: {call: text.split, args: {source: a/b, separator: /}, result: x}\n- r: {return: '${x}'}",
        ["a", "b"],
    ),
    Case(
        PARALLEL,
        "branches write shared variables",
        """
- a: {assign: [{x: 0}, {y: 0}]}
- p:
    parallel:
      shared: [x, y]
      branches:
        - one: {steps: [{s: {assign: [{x: 1}]}}]}
        - two: {steps: [{s: {assign: [{y: 2}]}}]}
- r: {return: ['${x}', '${y}']}""",
        [1, 2],
    ),
    Case(
        PARALLEL,
        "a parallel loop with an index",
        """
- a: {assign: [{n: 0}]}
- p:
    parallel:
      shared: [n]
      for: {value: v, index: i, in: [5, 6, 7], steps: [{s: {assign: [{n: '${n + v * i}'}]}}]}
- r: {return: '${n}'}""",
        20,
    ),
    Case(
        PARALLEL,
        "a variable made in a branch does not exist outside it",
        "- p: {parallel: {branches: [{b: {steps: [{s: {assign: [{x: 1}]}}]}}]}}\n- r: {return: '${x}'}",
        error="KeyError",
    ),
    Case(
        PARALLEL,
        "continue ends an iteration",
        """
- a: {assign: [{n: 0}]}
- p:
    parallel:
      shared: [n]
      for:
        value: v
        range: [1, 4]
        steps:
          - s: {switch: [{condition: '${v == 2}', next: continue}]}
          - t: {assign: [{n: '${n + v}'}]}
- r: {return: '${n}'}""",
        8,
    ),
    Case(
        PARALLEL,
        "the other branches go on when one fails, and the error says which",
        """
- a: {assign: [{x: 0}]}
- t:
    try:
      parallel:
        shared: [x]
        exception_policy: continueAll
        branches:
          - bad: {steps: [{s: {raise: {code: 9}}}]}
          - good: {steps: [{n: {call: sys.sleep, args: {seconds: 5}}}, {s: {assign: [{x: 1}]}}]}
    except:
      as: e
      steps:
        - a: {assign: [{b: '${e.branches[0]}'}, {code: '${json.decode(b.error.payload).code}'}]}
        - h: {return: ['${x}', '${e.tags[0]}', '${len(e.branches)}', '${b.id}', '${code}']}""",
        [1, "UnhandledBranchError", 1, "bad", 9],
    ),
    Case(
        PARALLEL,
        "the limit may be an expression, and must be positive",
        "- p: {parallel: {concurrency_limit: '${1 - 1}', branches: [{b: {steps: [{s: {assign: [{x: 1}]}}]}}]}}",
        error="ValueError",
    ),
    Case(
        PARALLEL,
        "shared variables must exist",
        "- p: {parallel: {shared: [x], branches: [{b: {steps: [{s: {assign: [{x: 1}]}}]}}]}}",
        error="KeyError",
    ),
]
