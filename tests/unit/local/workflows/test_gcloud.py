"""gcloud, where it is installed, with the endpoint overrides set."""

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from infra.local.clock import RealClock
from infra.local.meter import Meter
from infra.local.workflows.service import WorkflowsPart
from tests.unit.local.workflows.support import FakeTokens

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("gcloud") is None, reason="gcloud is not installed"),
]
FLOW = """
main:
  params: [args]
  steps:
    - nap: {call: sys.sleep, args: {seconds: "${args.seconds}"}}
    - r: {return: "${args}"}
"""
Gcloud = Callable[..., Any]
COMMAND_SECONDS = 600
"""Starting gcloud takes a second on a quiet machine, and a minute on one that is slow and busy."""


@pytest.fixture
def gcloud(tmp_path: Path) -> Iterator[Gcloud]:
    """Runs `gcloud workflows ...` against a part on the real clock; gives its JSON, or the error text."""
    clock = RealClock()
    part = WorkflowsPart(tmp_path, clock, Meter(), "memex-local", "us-central1", FakeTokens())
    (tmp_path / "flow.yaml").write_text(FLOW)
    part.deploy("flow", tmp_path / "flow.yaml", {}, "runner@example.com")
    app = Flask("front")
    app.register_blueprint(part.blueprint())
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/"
    settings = {
        "CLOUDSDK_CONFIG": str(tmp_path / "gcloud"),
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_WORKFLOWS": address,
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_WORKFLOWEXECUTIONS": address,
        "CLOUDSDK_CORE_PROJECT": "memex-local",
        "CLOUDSDK_WORKFLOWS_LOCATION": "us-central1",
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
    }

    def run(*words: str) -> Any:
        command = ["gcloud", "workflows", *words, "--format=json"]
        done = subprocess.run(
            command, env=os.environ | settings, capture_output=True, text=True, timeout=COMMAND_SECONDS
        )
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr

    yield run
    server.shutdown()
    thread.join()
    server.server_close()
    part.close()
    clock.close()


def test_gcloud_lists_runs_cancels_and_waits(gcloud: Gcloud) -> None:
    assert [one["state"] for one in gcloud("list")] == ["ACTIVE"]
    assert gcloud("describe", "flow")["sourceContents"] == FLOW
    ran = gcloud("run", "flow", '--data={"seconds": 0}')
    assert (ran["state"], json.loads(ran["result"])) == ("SUCCEEDED", {"seconds": 0})
    name = gcloud("execute", "flow", '--data={"seconds": 86400}')["name"]
    assert {one["state"] for one in gcloud("executions", "list", "flow")} == {"ACTIVE", "SUCCEEDED"}
    assert gcloud("executions", "cancel", name)["state"] == "CANCELLED"
    assert "FAILED_PRECONDITION" in gcloud("executions", "cancel", name)
    assert gcloud("executions", "wait", name)["state"] == "CANCELLED"
    assert gcloud("executions", "describe", name)["name"] == name
    assert "NOT_FOUND" in gcloud("execute", "none")
