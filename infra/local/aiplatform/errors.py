"""Refusals in the shape that Google's REST services answer them in."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class ApiError(Exception):
    """An answer that is a refusal; `retry_after` is in seconds, `field` names what was wrong with the request.

    `status` is the name of the refusal, where it is not the usual one of the code.
    """

    def __init__(
        self, code: int, message: str, *, retry_after: float | None = None, field: str = "", status: str = ""
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.retry_after, self.field = code, message, retry_after, field
        self.status = status or STATUS_NAMES.get(code, "UNKNOWN")

    def response(self) -> Response:
        error: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "status": self.status,
        }
        if self.field:
            violation = {"field": self.field, "description": self.message}
            error["details"] = [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}]
        answer = jsonify({"error": error})
        answer.status_code = self.code
        if self.retry_after is not None:
            answer.headers["Retry-After"] = f"{self.retry_after:g}"
        return answer


def invalid(message: str, field: str = "") -> ApiError:
    return ApiError(400, message, field=field)
