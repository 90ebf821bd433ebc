"""The emulated model: plain rules that answer from the text they are given, and say so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from infra.local.aiplatform.prompt import Note, Prompt, parse_prompt
from infra.local.aiplatform.selection import choose
from infra.local.aiplatform.sentences import split_sentences
from infra.local.aiplatform.signatures import sign_call
from infra.local.aiplatform.tool_rules import calls_for

LABEL = "(Emulated model of the local cloud: rules and extraction, no language model.)"
_MOST = 5


def answer_text(question: str, context: str = "") -> str:
    """An answer to `question` out of the notes, or the plain text, that came with it; labelled as emulated."""
    found = extract(question, context)
    if not found:
        return f"I found nothing in the given text that answers this. {LABEL}"
    return f"{' '.join(found)}\n\n{LABEL}"


def extract(question: str, context: str = "") -> list[str]:
    """The sentences of the given text that bear on the question, best first."""
    return [chosen.sentence.text for chosen in choose(_as_prompt(question, context)).chosen[:_MOST]]


def respond(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts that answer a generateContent request (camelCase): function calls, JSON or text."""
    contents = request.get("contents") or []
    question, earlier = _split(contents)
    results = _results(contents[-1]) if contents else []
    if not results:
        calls = _calls(request, question, len(contents))
        if calls:
            return calls
    context = "\n\n".join([_system(request), *earlier, *results])
    config = request.get("generationConfig") or {}
    if "json" in str(config.get("responseMimeType", "")):
        return [{"text": json.dumps(_as_json(config, question, context), ensure_ascii=False)}]
    if results:
        return [{"text": f"{_told(extract(question, context), results)}\n\n{LABEL}"}]
    return [{"text": answer_text(question, context)}]


def _told(found: list[str], results: list[str]) -> str:
    return " ".join(found) if found else "The tools answered: " + " ".join(results)


def _as_prompt(question: str, context: str) -> Prompt:
    """Marked notes if there are any; else the last paragraph asks and what stands before it is the text."""
    prompt = parse_prompt(f"{question}\n\n{context}")
    if prompt.notes:
        return prompt
    head, _gap, last = question.strip().rpartition("\n\n")
    if not head and "?" in last:
        asked = [sentence for sentence in split_sentences(last) if sentence.endswith("?")]
        rest = [sentence for sentence in split_sentences(last) if not sentence.endswith("?")]
        head, last = " ".join(rest), " ".join(asked) or last
    return Prompt("", last, (Note("text", "", f"{context}\n\n{head}"),))


def _split(contents: list[Mapping[str, Any]]) -> tuple[str, list[str]]:
    """The user's last text, and the texts of everything said before it."""
    spoken = [(content.get("role", "user"), _text(content)) for content in contents]
    places = [index for index, (role, text) in enumerate(spoken) if role == "user" and text]
    last = places[-1] if places else 0
    question = spoken[last][1] if spoken else ""
    return question, [text for _role, text in spoken[:last] if text and LABEL not in text]


def _text(content: Mapping[str, Any]) -> str:
    return "\n\n".join(str(part["text"]) for part in content.get("parts", ()) if part.get("text"))


def _system(request: Mapping[str, Any]) -> str:
    instruction = request.get("systemInstruction") or {}
    notes = parse_prompt(_text(instruction)).notes
    return "\n\n".join(note.text for note in notes)  # instructions are no source; notes marked as such are


def _results(content: Mapping[str, Any]) -> list[str]:
    """What the functions answered, as text."""
    answers = [
        part["functionResponse"].get("response") for part in content.get("parts", ()) if "functionResponse" in part
    ]
    return [_plain(answer) for answer in answers]


def _plain(answer: Any) -> str:
    if isinstance(answer, Mapping) and len(answer) == 1:
        answer = next(iter(answer.values()))
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _calls(request: Mapping[str, Any], question: str, turn: int) -> list[dict[str, Any]]:
    """Function call parts; ids are unique within the conversation, the first part carries the signature."""
    choice = (request.get("toolConfig") or {}).get("functionCallingConfig") or {}
    mode = choice.get("mode", "AUTO")
    allowed = choice.get("allowedFunctionNames")
    tools = request.get("tools") or ()
    declared = [declaration for tool in tools for declaration in tool.get("functionDeclarations") or ()]
    offered = [declaration for declaration in declared if not allowed or declaration.get("name") in allowed]
    if mode == "NONE" or not offered:
        return []
    parts: list[dict[str, Any]] = []
    for n, call in enumerate(calls_for(question, offered, forced=mode == "ANY")):
        part: dict[str, Any] = {"functionCall": {"id": f"fc-{turn}-{n}", **call}}
        if not n:
            part["thoughtSignature"] = sign_call(call)
        parts.append(part)
    return parts


def _as_json(config: Mapping[str, Any], question: str, context: str) -> Any:
    """A value of the schema asked for, with extracted sentences where it wants text; an object without a schema."""
    found = extract(question, context)
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    if not schema:
        return {"answer": " ".join(found), "emulated": True}
    return _filled(schema, found or [LABEL])


def _filled(schema: Mapping[str, Any], texts: list[str]) -> Any:
    kind = str(schema.get("type", "object")).lower()
    if schema.get("enum"):
        return schema["enum"][0]
    if kind == "object":
        return {name: _filled(form, texts) for name, form in (schema.get("properties") or {}).items()}
    if kind == "array":
        return [_filled(schema.get("items") or {"type": "string"}, [text]) for text in texts]
    if kind in ("integer", "number"):
        return 0
    return False if kind == "boolean" else " ".join(texts)
