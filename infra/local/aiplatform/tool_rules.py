"""From a plain request to function calls: a function whose name's words the user says is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from infra.local.aiplatform.terms import fold, terms

_QUOTED = re.compile(r"[\"“„«]([^\"”“»]+)[\"”“»]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def calls_for(text: str, declarations: Iterable[Mapping[str, Any]], *, forced: bool) -> list[dict[str, Any]]:
    """[{name, args}] for each declaration whose name's words all occur in `text`, in the order declared.

    `forced` (mode ANY) calls the first declaration when none fits.
    """
    offered = list(declarations)
    fitting = [declaration for declaration in offered if _is_named(text, str(declaration.get("name", "")))]
    if forced and not fitting:
        fitting = offered[:1]
    return [{"name": declaration["name"], "args": _arguments(text, declaration)} for declaration in fitting]


def _is_named(text: str, name: str) -> bool:
    words = [word for word in re.split(r"[\W_]+", _CAMEL.sub("_", name)) if word]
    spoken = terms(text) | set(re.findall(r"\w+", fold(text)))
    return bool(words) and all(fold(word) in spoken or (terms(word) and terms(word) <= spoken) for word in words)


def _arguments(text: str, declaration: Mapping[str, Any]) -> dict[str, Any]:
    """Required parameters out of the text, and optional ones that it names ("limit: 5")."""
    schema = declaration.get("parametersJsonSchema") or declaration.get("parameters") or {}
    required = schema.get("required") or ()
    quoted = iter(_QUOTED.findall(text))
    numbers = iter(_NUMBER.findall(text))
    arguments: dict[str, Any] = {}
    for name, form in (schema.get("properties") or {}).items():
        named = re.search(rf"\b{re.escape(name)}\s*[:=]\s*(\"[^\"]*\"|[^\s,;]+)", text, re.IGNORECASE)
        if named:
            arguments[name] = _typed(form, named[1].strip('"'), text)
        elif name in required:
            kind = _kind(form)
            found = next(numbers, "0") if kind in ("integer", "number") else next(quoted, None)
            arguments[name] = _typed(form, found, text)
    return arguments


def _typed(form: Mapping[str, Any], found: str | None, text: str) -> Any:
    """The value found, in the type that the schema asks for; the whole request where nothing else was found."""
    kind = _kind(form)
    if form.get("enum"):
        said = [option for option in form["enum"] if option == found or fold(str(option)) in fold(text)]
        return (said or form["enum"])[0]
    if kind in ("integer", "number"):
        number = float(match[0]) if (match := _NUMBER.search(found or "")) else 0.0
        return int(number) if kind == "integer" else number
    if kind == "boolean":
        return fold(found or "true") not in ("false", "no", "off")
    if kind == "array":
        return [_typed(form.get("items") or {"type": "string"}, found, text)]
    if kind == "object":
        return {}
    return (found or text).strip()


def _kind(form: Mapping[str, Any]) -> str:
    return str(form.get("type", "string")).lower()
