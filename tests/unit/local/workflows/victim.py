"""A process with a workflow under way, to be killed: `python -m tests.unit.local.workflows.victim DATA_DIR`.

Every call is appended to DATA_DIR/calls; when the execution has ended, its result is printed.
"""

import sys
import time
from pathlib import Path

from infra.local.clock import RealClock
from infra.local.meter import Meter
from infra.local.workflows.api import Listing
from infra.local.workflows.ports import HttpRequest, HttpResponse
from infra.local.workflows.service import WorkflowsPart
from tests.unit.local.workflows.support import PARENT, FakeTokens

FLOW = """
main:
  steps:
    - begin: {assign: [{sum: 0}, {seen: []}]}
    - loop:
        for:
          value: n
          range: [1, 12]
          steps:
            - ask:
                try: {call: http.post, args: {url: "http://127.0.0.1:9/", body: "${n}"}, result: answer}
                retry: ${http.default_retry}
            - keep: {assign: [{sum: "${sum + answer.body}"}, {seen: "${list.concat(seen, n)}"}]}
            - nap: {call: sys.sleep, args: {seconds: 0.01}}
    - both:
        parallel:
          shared: [sum]
          for:
            value: n
            range: [100, 103]
            steps:
              - ask: {call: http.post, args: {url: "http://127.0.0.1:9/", body: "${n}"}, result: answer}
              - add: {assign: [{sum: "${sum + answer.body}"}]}
    - r: {return: ["${sum}", "${seen}"]}
"""


def main(data_dir: Path) -> None:
    def http(request: HttpRequest) -> HttpResponse:
        with (data_dir / "calls").open("a") as calls:
            calls.write(request.body.decode() + "\n")
        time.sleep(0.01)
        return HttpResponse(200, {"content-type": "application/json"}, request.body)

    clock = RealClock()
    part = WorkflowsPart(data_dir, clock, Meter(), "memex-local", "us-central1", FakeTokens(), http=http)
    (data_dir / "flow.yaml").write_text(FLOW)
    part.deploy("flow", data_dir / "flow.yaml", {}, "runner@example.com")
    part.start()
    begun, _ = part.api.executions(f"{PARENT}/flow", Listing())
    name = (begun or [part.api.create(f"{PARENT}/flow", "", {}, 0)])[0].name
    deadline = time.monotonic() + 30
    while (execution := part.api.get(name)).state == 1 and time.monotonic() < deadline:
        time.sleep(0.005)
    sys.stdout.write(execution.result)
    part.close()
    clock.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
