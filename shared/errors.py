"""The error tree. Adapters translate what SDKs raise into it, with `from`; the edges translate it into answers.

| class | HTTP | event function | workflow |
|---|---|---|---|
| InputError | 400 | record, acknowledge | fail |
| Unauthorized, PaymentRequired, Forbidden | 401, 402, 403 | record, acknowledge | fail |
| NotFound, Conflict | 404, 409 | record, acknowledge | fail, re-read |
| WorkspaceClosed | 410 | acknowledge | fail |
| Unprocessable | 422 | record, acknowledge | fail |
| Transient | 503 with Retry-After | raise, so it is delivered again | the named retry policy |
| SpendingPaused | 503 with Retry-After | raise, so it is delivered again | end, the sweep goes on later |
| BudgetExceeded | 429 | record, acknowledge | stop with what there is |
| ModelOutputError | 422 | record, acknowledge | fail after bounded re-prompts |
"""

from __future__ import annotations

from typing import Any

from shared.contracts.errors import ErrorAnswer, ErrorDetail
from shared.printable import printable
from shared.redaction import redacted


class MemexError(Exception):
    """`message` says what to do, and is printable whatever it quotes; what is secret in it is taken out.

    `details` are for programs (`field` names the field of bad input).
    """

    status = 500
    code = "internal"

    def __init__(self, message: str, **details: Any) -> None:
        self.message = redacted(printable(message))
        self.details = {name: redacted(one) if isinstance(one, str) else one for name, one in details.items()}
        super().__init__(self.message)

    def answer(self) -> ErrorAnswer:
        return ErrorAnswer(error=ErrorDetail(code=self.code, message=self.message, details=self.details))


class InputError(MemexError):
    status, code = 400, "invalid_input"


class Unauthorized(MemexError):
    status, code = 401, "unauthorized"


class PaymentRequired(MemexError):
    """The workspace's plan does not have what was asked for."""

    status, code = 402, "plan"


class Forbidden(MemexError):
    status, code = 403, "forbidden"


class NotFound(MemexError):
    status, code = 404, "not_found"


class Conflict(MemexError):
    status, code = 409, "conflict"


class WorkspaceClosed(MemexError):
    """The workspace is being deleted, or is gone: nothing is written into it."""

    status, code = 410, "workspace_closed"


class Unprocessable(MemexError):
    status, code = 422, "unprocessable"


class BudgetExceeded(MemexError):
    status, code = 429, "budget_exceeded"


class ModelOutputError(MemexError):
    status, code = 422, "model_output"


class Transient(MemexError):
    """May succeed later; `retry_after_seconds` is when to try again."""

    status, code = 503, "unavailable"

    def __init__(self, message: str, *, retry_after_seconds: float = 1.0, **details: Any) -> None:
        super().__init__(message, **details)
        self.retry_after_seconds = retry_after_seconds


class SpendingPaused(Transient):
    """A person has paused all spending: it may succeed once they resume it, and nothing is wrong until then."""

    code = "spending_paused"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message, retry_after_seconds=60.0, **details)


class Unexpected(MemexError):
    """What nobody foresaw, and whoever asked need not know: it was logged."""

    def __init__(self) -> None:
        super().__init__("Something went wrong on our side. It was logged; trying again may help.")


class SettingsError(MemexError):
    """A missing or malformed setting; raised at start, with a sentence that says what to set."""

    code = "settings"
