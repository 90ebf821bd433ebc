"""/_cloud: a person's view of the local cloud, and its health, bill and faults as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from flask import Blueprint, Response, jsonify, request

from infra.local.faults import Faults, UnknownFault

Report = Callable[[], dict[str, Any]]
STYLE = (
    "body{font:14px/20px system-ui;margin:32px;max-width:1100px}table{border-collapse:collapse;margin:8px 0 24px}"
    "td,th{border-bottom:1px solid #ddd9cf;padding:4px 12px 4px 0;text-align:left;vertical-align:top}"
)


def blueprint(reports: Mapping[str, Report], faults: Faults) -> Blueprint:
    """`reports` by name, such as "health" and "bill"; each is GET /_cloud/{name} and a section of the page."""
    pages = Blueprint("cloud", __name__, url_prefix="/_cloud")

    def say(report: Report) -> Response:
        return jsonify(report())

    for name, report in reports.items():
        pages.add_url_rule(f"/{name}", name, lambda report=report: say(report), methods=["GET"])

    @pages.get("")
    def page() -> Response:
        sections = {**{name: report() for name, report in reports.items()}, "faults": faults.active()}
        body = "".join(f"<h2>{escape(name)}</h2>{_table(content)}" for name, content in sections.items())
        answer = Response(f"<!doctype html><title>Local cloud</title><style>{STYLE}</style><h1>Local cloud</h1>{body}")
        answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.get("/faults")
    def active() -> Response:
        return jsonify(faults.active())

    @pages.post("/faults")
    def ask() -> tuple[Response, int]:
        wish = request.get_json()
        try:
            if not isinstance(wish, dict):
                raise UnknownFault('Send an object, such as {"kind": "outage", "service": "workflows", "seconds": 60}.')
            faults.ask(wish)
        except UnknownFault as error:
            return jsonify({"error": {"code": 400, "message": str(error)}}), 400
        return jsonify(faults.active()), 200

    return pages


def _table(content: Any) -> str:
    """Any JSON as nested tables; a list of objects becomes one table with a heading."""
    if isinstance(content, dict):
        rows = "".join(
            f"<tr><th>{escape(str(key))}</th><td>{_table(value)}</td></tr>" for key, value in content.items()
        )
        return f"<table>{rows}</table>"
    if isinstance(content, list):
        return _records(content) if content and isinstance(content[0], dict) else escape(", ".join(map(str, content)))
    return escape("" if content is None else str(content))


def _records(records: list[dict[str, Any]]) -> str:
    heading = "".join(f"<th>{escape(str(name))}</th>" for name in records[0])
    rows = "".join(
        f"<tr>{''.join(f'<td>{_table(value)}</td>' for value in record.values())}</tr>" for record in records
    )
    return f"<table><tr>{heading}</tr>{rows}</table>"
