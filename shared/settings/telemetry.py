"""What is told of the work: logs and spans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class TelemetrySettings:
    """Fields of shared.config.Settings."""

    log_format: str = setting(
        "LOG_FORMAT",
        "How logs are written: json (one object a line, as Cloud Logging reads it) or text. Empty: json on Cloud Run.",
        "",
        parsing.choice("", "json", "text"),
    )
    cloud_run_service: str = setting("K_SERVICE", "The service's name, where Cloud Run runs it and says so.", "")
    otlp_endpoint: str = setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "Where spans of OpenTelemetry are sent to, by OTLP over HTTP (/v1/traces is added). Empty: none are recorded.",
        "",
        parsing.web_address,
    )
    otlp_headers: Mapping[str, str] = setting(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "What the receiver of spans wants as headers, such as its key: name=value;name=value.",
        "",
        parsing.pairs,
        secret=True,
    )
