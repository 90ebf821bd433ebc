"""A process with a workflow under way, to be killed: `python -m tests.unit.local.workflows.victim DATA_DIR KILL_AFTER`.

Every call is appended to DATA_DIR/calls; when the execution has ended, its result is printed. The process
kills itself as it makes the call of the number KILL_AFTER in all, so that it dies there however slow
the machine is; 0 lets it live.
"""

import os
import signal
import sys
import threading
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


def main(data_dir: Path, kill_after: int) -> None:
    calling = threading.Lock()

    def http(request: HttpRequest) -> HttpResponse:
        with calling:
            with (data_dir / "calls").open("a") as calls:
                calls.write(request.body.decode() + "\n")
            if len((data_dir / "calls").read_text().splitlines()) == kill_after:
                os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return HttpResponse(200, {"content-type": "application/json"}, request.body)

    clock = RealClock()
    part = WorkflowsPart(data_dir, clock, Meter(), "memex-local", "us-central1", FakeTokens(), http=http)
    (data_dir / "flow.yaml").write_text(FLOW)
    part.deploy("flow", data_dir / "flow.yaml", {}, "runner@example.com")
    part.start()
    begun, _ = part.api.executions(f"{PARENT}/flow", Listing())
    name = (begun or [part.api.create(f"{PARENT}/flow", "", {}, 0)])[0].name
    deadline = time.monotonic() + 300
    while (execution := part.api.get(name)).state == 1 and time.monotonic() < deadline:
        time.sleep(0.005)
    sys.stdout.write(execution.result)
    part.close()
    clock.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
