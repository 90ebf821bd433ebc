"""How the checkout becomes a command, without a build."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from infra.docs import ROOT


def test_the_command_is_written_and_works_from_anywhere(tmp_path: Path) -> None:
    venv = tmp_path / "a venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", str(venv)], check=True)
    subprocess.run(["sh", str(ROOT / "infra/setup/command.sh"), str(venv)], cwd=ROOT, check=True, timeout=60)
    (library,) = venv.glob("lib/python*/site-packages")
    assert (library / "memex.pth").read_text() == f"{ROOT}\n"
    packages = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    done = subprocess.run(
        [venv / "bin" / "memex", "--version"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": packages},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.startswith("memex ") and done.stderr == ""
