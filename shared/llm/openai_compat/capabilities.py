"""What a model can do, asked of the servers that tell: Ollama, llama.cpp, vLLM; each by its own endpoint."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.gateway.transport import Cut
from shared.llm.openai_compat.service import Service
from shared.llm.port import Capabilities

_SECONDS = 3.0
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


def ask(service: Service, model: str, cut: Cut) -> Capabilities:
    """Asked of /api/show, /props and /v1/models in turn. Raises TransportError when the server does not answer."""
    shown = service.ask("POST", f"{service.root}/api/show", cut, _SECONDS, {"model": model})
    if isinstance(shown, dict) and isinstance(shown.get("capabilities"), list):
        return _of_ollama(shown)
    props = service.ask("GET", f"{service.root}/props", cut, _SECONDS)
    if isinstance(props, dict) and isinstance(props.get("default_generation_settings"), dict):
        return _of_llama_cpp(props)
    listed = service.ask("GET", f"{service.base_url.rstrip('/')}/models", cut, _SECONDS)
    return Capabilities(context_tokens=_listed_context(listed, model))


def _of_ollama(shown: Mapping[str, Any]) -> Capabilities:
    able = shown["capabilities"]
    about = shown.get("model_info") or {}
    own = next((value for key, value in about.items() if key.endswith(".context_length")), 0)
    chosen = _NUM_CTX.search(str(shown.get("parameters") or ""))
    return Capabilities(
        tools="tools" in able,
        thinking="thinking" in able,
        context_tokens=int(chosen[1]) if chosen else _count(own),
    )


def _of_llama_cpp(props: Mapping[str, Any]) -> Capabilities:
    able = props.get("chat_template_caps") or {}
    return Capabilities(
        tools=bool(able.get("supports_tools", True)),
        parallel_calls=bool(able.get("supports_parallel_tool_calls", True)),
        thinking=bool(able.get("supports_thinking") or able.get("supports_preserve_reasoning")),
        context_tokens=_count(props["default_generation_settings"].get("n_ctx")),
    )


def _listed_context(listed: Any, model: str) -> int:
    """vLLM says max_model_len; llama.cpp's list says what the model was trained with."""
    rows = listed.get("data") if isinstance(listed, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("id") == model:
            return _count(row.get("max_model_len") or (row.get("meta") or {}).get("n_ctx_train"))
    return 0


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0
