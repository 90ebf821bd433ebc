"""Everything that can be called by name; what is not here is refused at deployment."""

from __future__ import annotations

from infra.local.workflows.limits import CALLBACK_DEFAULT_TIMEOUT_SECONDS
from infra.local.workflows.stdlib import collections, encoding, helpers, text
from infra.local.workflows.stdlib.functions import ABSENT, Function, function

_HTTP_OPTIONS = {"headers": None, "query": None, "body": None, "auth": None, "timeout": None}
_VERBS = ("get", "post", "put", "patch", "delete")

# Done by the machine, since they wait, reach out, or need to know the execution.
BLOCKING: tuple[Function, ...] = (
    *(function(f"http.{verb}", None, "url", **_HTTP_OPTIONS) for verb in _VERBS),
    function("http.request", None, "url", method="GET", **_HTTP_OPTIONS),
    function("sys.sleep", None, "seconds"),
    function("sys.sleep_until", None, "time"),
    function("sys.log", None, data=None, text=None, json=None, severity="DEFAULT", timeout=None),
    function("events.create_callback_endpoint", None, "http_callback_method"),
    function("events.await_callback", None, "callback", timeout=CALLBACK_DEFAULT_TIMEOUT_SECONDS),
)
# Non-blocking, but answered by the execution: clock, ids and environment.
CONTEXTUAL: tuple[Function, ...] = (
    function("sys.now", None),
    function("sys.get_env", None, "name", default=ABSENT),
    function("uuid.generate", None),
)
FUNCTIONS: dict[str, Function] = {
    one.name: one
    for one in (
        *BLOCKING,
        *CONTEXTUAL,
        *helpers.FUNCTIONS,
        *collections.FUNCTIONS,
        *text.FUNCTIONS,
        *encoding.FUNCTIONS,
    )
}
BLOCKING_NAMES = frozenset(one.name for one in BLOCKING)
