"""For all tests: no network beyond loopback, here and in every process a test starts."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

GUARD = Path(__file__).parent / "support" / "netguard"


def _guard_this_process() -> None:
    spec = importlib.util.spec_from_file_location("netguard", GUARD / "sitecustomize.py")
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def pytest_configure() -> None:
    _guard_this_process()
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{GUARD}{os.pathsep}{inherited}" if inherited else str(GUARD)
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ.pop(name, None)
