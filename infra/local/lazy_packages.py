"""Google's message types without Google's clients: half a second of every start.

The packages google.pubsub_v1 and so on import their clients, and with them google.api_core, google.auth and
requests, before anybody can have google.pubsub_v1.types. The local cloud wants only the types. So such a package
is put into sys.modules unexecuted, its types are imported, and whoever asks it for anything else later, a
submodule included, executes it then, in place. A process that uses both the local cloud and the clients sees no
difference.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, cast

MESSAGES = {
    "google.cloud.firestore_v1": "types",
    "google.pubsub_v1": "types",
    "google.cloud.workflows": "executions_v1",
    "google.cloud.workflows.executions_v1": "types",
    "google.cloud.workflows_v1": "types",
}
"""Packages, and the submodule of each that is wanted; a package stands before what lies in it."""

_executing = threading.RLock()


class _Unexecuted(ModuleType):
    """A package that executes itself when it is asked for what it does not have yet.

    While its types are imported it has a __path__; without one, which is how it stays, the import of any other
    submodule asks for it, so that the package is executed before its submodules, as Python promises.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__path__", "__all__", "__version__"):
            raise AttributeError(name)
        with _executing:
            _execute(self)
        return ModuleType.__getattribute__(self, name)


@contextmanager
def only_messages() -> Iterator[None]:
    """While inside, modules that want message types can be imported cheaply; what is imported already stays."""
    put = [_put(package) for package in MESSAGES if package not in sys.modules]
    try:
        for package, wanted in MESSAGES.items():
            importlib.import_module(f"{package}.{wanted}")
        yield
    finally:
        for module in put:
            if type(module) is _Unexecuted and "_begun" not in vars(module):
                del module.__path__


def _put(name: str) -> _Unexecuted:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"No package named {name!r}", name=name)
    module = _Unexecuted(name)
    module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
    module.__path__, module.__package__ = spec.submodule_search_locations, name
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    setattr(sys.modules[parent], child, module)
    return module


def _execute(module: _Unexecuted) -> None:
    """Run the package's own code, once. A miss while it runs is an ordinary miss, as in any circular import."""
    spec = module.__spec__
    if spec is None or spec.loader is None or "_begun" in vars(module):
        return
    vars(module)["_begun"] = True
    module.__path__ = spec.submodule_search_locations or []
    spec.loader.exec_module(module)
    cast(Any, module).__class__ = ModuleType
