"""How a library function is described: its parameters by name and order, and what it computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from infra.local.workflows.errors import Raised, failure
from infra.local.workflows.values import Value, is_number, type_name

REQUIRED = object()
ABSENT = object()


@dataclass(frozen=True)
class Function:
    """A function of the standard library; `run` is None for what the machine itself does (blocking calls)."""

    name: str
    parameters: tuple[tuple[str, Any], ...]
    run: Callable[..., Value] | None = None

    @property
    def blocking(self) -> bool:
        return self.run is None

    def fault(self, given: set[str]) -> str | None:
        """What is wrong with these argument names, or None."""
        known = [name for name, _ in self.parameters]
        for name in sorted(given - set(known)):
            return f"{self.name} has no argument '{name}'; it takes {', '.join(known) or 'none'}"
        for name, default in self.parameters:
            if default is REQUIRED and name not in given:
                return f"{self.name} needs the argument '{name}'"
        return None

    def bind(self, given: dict[str, Value]) -> dict[str, Value]:
        """The arguments with defaults filled in. Raises TypeError maps."""
        if fault := self.fault(set(given)):
            raise failure("TypeError", fault)
        return {name: given.get(name, default) for name, default in self.parameters}

    def bind_positional(self, given: list[Value]) -> dict[str, Value]:
        """The same for arguments by position."""
        if len(given) > len(self.parameters):
            raise failure("TypeError", f"{self.name} takes at most {len(self.parameters)} arguments, not {len(given)}")
        return self.bind({name: value for (name, _), value in zip(self.parameters, given, strict=False)})


def function(name: str, run: Callable[..., Value] | None, /, *required: str, **optional: Any) -> Function:
    """A Function from required parameter names and optional ones with their defaults."""
    return Function(name, (*((one, REQUIRED) for one in required), *optional.items()), run)


def wrong_type(name: str, value: Value, wanted: str) -> Raised:
    return failure("TypeError", f"{name}: expected {wanted}, not '{type_name(value)}'")


def string(name: str, value: Value) -> str:
    """The value if it is a string, else a TypeError map; so with the others."""
    if not isinstance(value, str):
        raise wrong_type(name, value, "a string")
    return value


def number(name: str, value: Value) -> int | float:
    if not is_number(value):
        raise wrong_type(name, value, "a number")
    result: int | float = value
    return result


def integer(name: str, value: Value) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(name, value, "an integer")
    return value


def mapping(name: str, value: Value) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise wrong_type(name, value, "a map")
    return value


def sequence(name: str, value: Value) -> list[Value]:
    if not isinstance(value, list):
        raise wrong_type(name, value, "a list")
    return value


def octets(name: str, value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise wrong_type(name, value, "bytes")
    return value
