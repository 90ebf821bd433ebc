"""Telemetry as the settings want it, where a function is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.telemetry import logs, spans

if TYPE_CHECKING:
    from collections.abc import Mapping

EXPORT_SECONDS = 2.0
"""How long sending the spans of a request may keep its answer waiting; then they are dropped."""


def start(*, project: str, service: str, json_logs: bool, otlp_endpoint: str, otlp_headers: Mapping[str, str]) -> None:
    """Logs in JSON, and spans to a collector, each where it is wanted; nothing is loaded for what is not."""
    if json_logs:
        logs.to_json(project)
    if otlp_endpoint:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter = OTLPSpanExporter(
            endpoint=f"{otlp_endpoint.rstrip('/')}/v1/traces", headers=dict(otlp_headers), timeout=EXPORT_SECONDS
        )
        spans.export_to(exporter, service or "memex")
