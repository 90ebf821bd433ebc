"""The make targets of deployments, and how a message of Pub/Sub reaches a function."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import functions_framework
import pytest
from cloudevents.http import CloudEvent

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "infra" / "terraform" / "run.sh"


def run(*arguments: str, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", str(SCRIPT), *arguments]
    return subprocess.run(command, cwd=ROOT, env={"PATH": path}, capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["deploy"], "make deploy ENV=staging"),
        (["deploy", "moon"], "There is no environment moon"),
        (["plan", "staging"], "needs terraform"),
    ],
)
def test_what_is_missing_is_said(arguments: list[str], told: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2 and told in done.stderr


def test_production_is_not_ended_by_a_slip(tmp_path: Path) -> None:
    copy = tmp_path / "infra" / "terraform" / "environments" / "prod"
    copy.mkdir(parents=True)
    (copy / "terraform.tfvars").touch()
    (tmp_path / "terraform").write_text("#!/bin/sh\necho ended >&2\n")
    (tmp_path / "terraform").chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    command = ["/bin/sh", str(SCRIPT), "destroy", "prod"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "REALLY=prod" in done.stderr and "ended" not in done.stderr
    meant = subprocess.run(
        command, cwd=tmp_path, env={**env, "REALLY": "prod"}, capture_output=True, text=True, timeout=30
    )
    assert meant.returncode == 0 and "ended" in meant.stderr


def test_a_message_pushed_as_terraform_sets_it_up_arrives_as_an_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FUNCTION_TARGET", "FUNCTION_SIGNATURE_TYPE"):
        monkeypatch.setenv(name, "")  # the framework writes them; they are put back
    source = tmp_path / "main.py"
    source.write_text(
        "import functions_framework\nseen = []\n\n"
        "@functions_framework.cloud_event\ndef take(event):\n    seen.append(event)\n    take.seen = seen\n"
    )
    app = functions_framework.create_app("take", str(source), "cloudevent")
    body = {
        "message": {
            "data": "e30=",
            "attributes": {"workspace": "demo"},
            "messageId": "7",
            "publishTime": "2026-11-30T00:00:00Z",
        },
        "subscription": "projects/p/subscriptions/eventarc-usage-meter",
    }
    answer = app.test_client().post("/projects/p/topics/trace-events", json=body)
    assert answer.status_code == 200
    [event] = sys.modules["main"].seen
    assert isinstance(event, CloudEvent) and event["type"].endswith("messagePublished")
    assert event.data["message"]["data"] == "e30=" and event.data["message"]["attributes"] == {"workspace": "demo"}
