"""Variables, jumps, conditions, loops."""

from tests.unit.local.workflows.cases import COMPLETING, CONDITIONS, ITERATION, JUMPS, VARIABLES, Case

CASES = [
    Case(
        VARIABLES, "assignments happen in order", "- a: {assign: [{x: 1}, {y: '${x + 1}'}]}\n- r: {return: '${y}'}", 2
    ),
    Case(
        VARIABLES,
        "places in maps and lists are assigned",
        """
- a:
    assign:
      - m: {list: [1, 2], inner: {}}
      - k: list
      - m.inner.x: 5
      - m["new key"]: 6
      - m[k][1]: 7
      - m[k + "2"]: 8
- r: {return: '${m}'}""",
        {"list": [1, 7], "inner": {"x": 5}, "new key": 6, "list2": 8},
    ),
    Case(
        VARIABLES,
        "a copy does not change with its original",
        "- a: {assign: [{x: [1]}, {y: '${x}'}, {'x[0]': 2}]}\n- r: {return: ['${x}', '${y}']}",
        [[2], [1]],
    ),
    Case(VARIABLES, "a list does not grow by index", "- a: {assign: [{x: []}, {'x[0]': 2}]}", error="IndexError"),
    Case(VARIABLES, "a missing map on the way is an error", "- a: {assign: [{x: {}}, {x.y.z: 2}]}", error="KeyError"),
    Case(VARIABLES, "a key of a number is an error", "- a: {assign: [{x: 1}, {x.y: 2}]}", error="TypeError"),
    Case(VARIABLES, "an unknown variable is an error", "- a: {assign: [{'x.y': 2}]}", error="KeyError"),
    Case(
        JUMPS,
        "next skips steps",
        "- a: {assign: [{x: 1}], next: c}\n- b: {assign: [{x: 2}]}\n- c: {return: '${x}'}",
        1,
    ),
    Case(
        JUMPS,
        "next goes back",
        """
- a: {assign: [{x: 0}]}
- b: {assign: [{x: '${x + 1}'}]}
- c: {switch: [{condition: '${x < 5}', next: b}]}
- d: {return: '${x}'}""",
        5,
    ),
    Case(
        JUMPS,
        "next leaves nested steps for a step around them",
        """
- outer:
    steps:
      - inner: {steps: [{deep: {next: last}}]}
      - skipped: {return: skipped}
- also_skipped: {return: also skipped}
- last: {return: last}""",
        "last",
    ),
    Case(COMPLETING, "end returns null", "- a: {next: end}\n- b: {return: 1}", None),
    Case(COMPLETING, "falling off the end returns null", "- a: {assign: [{x: 1}]}", None),
    Case(
        COMPLETING,
        "return stops everything",
        "- a: {steps: [{b: {return: {x: [1, null]}}}]}\n- c: {return: 2}",
        {"x": [1, None]},
    ),
    Case(
        CONDITIONS,
        "the first true condition wins",
        """
- s:
    switch:
      - {condition: '${1 > 2}', return: first}
      - {condition: true, return: second}
      - {condition: true, return: third}""",
        "second",
    ),
    Case(
        CONDITIONS,
        "without a true condition the step's next counts",
        "- s: {switch: [{condition: false, return: 1}], next: c}\n- b: {return: 2}\n- c: {return: 3}",
        3,
    ),
    Case(
        CONDITIONS,
        "a case may hold steps, after which the switch's next counts",
        """
- s:
    switch:
      - condition: true
        steps: [{a: {assign: [{x: 4}]}}]
    next: c
- b: {return: b}
- c: {return: '${x}'}""",
        4,
    ),
    Case(CONDITIONS, "a case may assign or raise", "- s: {switch: [{condition: true, raise: no}]}", error="no"),
    Case(CONDITIONS, "a condition must be a boolean", "- s: {switch: [{condition: 1, return: 1}]}", error="TypeError"),
    Case(
        ITERATION,
        "a list with its index",
        """
- a: {assign: [{out: []}]}
- l:
    for:
      value: v
      index: i
      in: [a, b]
      steps: [{s: {assign: [{out: '${list.concat(out, v + string(i))}'}]}}]
- r: {return: '${out}'}""",
        ["a0", "b1"],
    ),
    Case(
        ITERATION,
        "a range includes both ends",
        """
- a: {assign: [{n: 0}]}
- l: {for: {value: v, range: ['${1 + 0}', 4], steps: [{s: {assign: [{n: '${n + v}'}]}}]}}
- r: {return: '${n}'}""",
        10,
    ),
    Case(
        ITERATION,
        "a range of doubles steps by one",
        """
- a: {assign: [{out: []}]}
- l: {for: {value: v, range: [0.5, 2.6], steps: [{s: {assign: [{out: '${list.concat(out, v)}'}]}}]}}
- r: {return: '${out}'}""",
        [0.5, 1.5, 2.5],
    ),
    Case(
        ITERATION,
        "an empty range and an empty list do nothing",
        """
- l: {for: {value: v, range: [2, 1], steps: [{s: {return: never}}]}}
- m: {for: {value: v, in: [], steps: [{s: {return: never}}]}}
- r: {return: done}""",
        "done",
    ),
    Case(
        ITERATION,
        "the keys of a map",
        """
- a: {assign: [{m: {x: 1, y: 2}}, {n: 0}]}
- l: {for: {value: k, in: '${keys(m)}', steps: [{s: {assign: [{n: '${n + m[k]}'}]}}]}}
- r: {return: '${n}'}""",
        3,
    ),
    Case(
        ITERATION,
        "only lists are looped over",
        "- l: {for: {value: v, in: abc, steps: [{s: {return: 1}}]}}",
        error="TypeError",
    ),
    Case(
        ITERATION,
        "break and continue",
        """
- a: {assign: [{out: []}]}
- l:
    for:
      value: v
      range: [1, 9]
      steps:
        - s:
            switch:
              - {condition: '${v == 2}', next: continue}
              - {condition: '${v == 4}', next: break}
        - t: {assign: [{out: '${list.concat(out, v)}'}]}
- r: {return: '${out}'}""",
        [1, 3],
    ),
    Case(
        ITERATION,
        "break leaves the inner loop only",
        """
- a: {assign: [{n: 0}]}
- l:
    for:
      value: v
      range: [1, 3]
      steps:
        - m: {for: {value: w, range: [1, 3], steps: [{s: {assign: [{n: '${n + 1}'}], next: break}}]}}
- r: {return: '${n}'}""",
        3,
    ),
    Case(
        "samples/workflows-loop-scope",
        "what a loop makes does not exist outside it",
        "- l: {for: {value: v, in: [1], steps: [{s: {assign: [{made: 1}]}}]}}\n- r: {return: '${made}'}",
        error="KeyError",
    ),
    Case(
        "samples/workflows-loop-scope",
        "the loop's own variable does not exist outside it",
        "- l: {for: {value: v, in: [1], steps: [{s: {assign: [{x: 1}]}}]}}\n- r: {return: '${v}'}",
        error="KeyError",
    ),
    Case(
        ITERATION,
        "a loop list is evaluated once",
        """
- a: {assign: [{x: [1, 2]}, {n: 0}]}
- l: {for: {value: v, in: '${x}', steps: [{s: {assign: [{x: '${list.concat(x, 3)}'}, {n: '${n + 1}'}]}}]}}
- r: {return: '${n}'}""",
        2,
    ),
]
