"""What was answered survives SIGKILL, and what is there is whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.unit.local.firestore.harness import Local

WRITER = """
import sys
from pathlib import Path
from tests.unit.local.firestore.harness import Local, update
local = Local(Path(sys.argv[1]))
for n in range(1000):
    local.commit(update("k/left", {"n": n}), update("k/right", {"n": n}), update(f"k/d{n}", {}))
    print(n, flush=True)
"""


def test_a_writer_killed_in_the_middle_of_a_thousand_commits_loses_nothing_it_was_answered(tmp_path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    answered = [int(writer.stdout.readline()) for _ in range(500)]
    writer.kill()
    answered += [int(line) for line in writer.stdout.read().splitlines() if line]
    writer.stdout.close()
    writer.wait(30)
    local = Local(tmp_path)
    left, right = local.get("k/left"), local.get("k/right")
    assert left == right
    assert left is not None
    last = left["n"]
    assert 500 <= len(answered) <= last + 1 < 1000
    assert last >= answered[-1]
    assert all(local.get(f"k/d{n}") is not None for n in answered)
    assert local.get(f"k/d{last + 1}") is None
    assert local.engine.log.last_seq() == 3 * (last + 1)
    local.engine.close()
