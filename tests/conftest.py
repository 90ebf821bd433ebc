"""For all tests: no network beyond loopback, here and in every process a test starts."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

GUARD = Path(__file__).parent / "support" / "netguard"


class _AtOnce:
    """Names a test the moment it fails, not only at the end of them all."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:  # a worker of xdist has none: the first process hears of it too
            terminal.write_line(f"{'FAILED' if report.when == 'call' else 'ERROR'} {report.nodeid}")


def _guard_this_process() -> None:
    spec = importlib.util.spec_from_file_location("netguard", GUARD / "sitecustomize.py")
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_AtOnce(config))
    _guard_this_process()
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{GUARD}{os.pathsep}{inherited}" if inherited else str(GUARD)
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ.pop(name, None)
