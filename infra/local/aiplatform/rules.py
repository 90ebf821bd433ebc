"""The emulated model: plain rules that answer from the text they are given, and say so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from infra.local.aiplatform.agent.turn import agent_parts
from infra.local.aiplatform.digesting import summary_of, tags_of
from infra.local.aiplatform.everyday.turn import is_everyday, next_step
from infra.local.aiplatform.prompt import Note, Prompt, parse_prompt
from infra.local.aiplatform.selection import choose
from infra.local.aiplatform.sentences import split_sentences
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


def respond(request: Mapping[str, Any], today: date) -> list[dict[str, Any]]:
    """The parts that answer a generateContent request (camelCase): thoughts, function calls, JSON or text.

    Ids and signatures of calls are not among them. `today` is the day where the instructions name none.
    """
    contents = request.get("contents") or []
    offered = _offered(request)
    if (parts := agent_parts(request, [str(one.get("name")) for one in offered], LABEL)) is not None:
        return parts
    if is_everyday(names := [str(one.get("name")) for one in offered]):
        return _everyday(request, names, today)
    question, earlier = _split(contents)
    results = _results(contents[-1]) if contents else []
    if not results:
        calls = _calls(request, offered, question)
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


def _everyday(request: Mapping[str, Any], names: list[str], today: date) -> list[dict[str, Any]]:
    """A chat about notes and tasks: what its rules call next, with a thought before the first calls, or say."""
    contents = request["contents"]
    step = next_step(contents, names, _text(request.get("systemInstruction") or {}), today)
    if not step.calls:
        return [{"text": f"{step.text}\n\n{LABEL}"}]
    parts: list[dict[str, Any]] = []
    if _wants_thoughts(request) and not _results(contents[-1]):
        parts.append({"text": _thought([call.name for call in step.calls]), "thought": True})
    return [*parts, *({"functionCall": {"name": call.name, "args": dict(call.args)}} for call in step.calls)]


def _wants_thoughts(request: Mapping[str, Any]) -> bool:
    thinking = (request.get("generationConfig") or {}).get("thinkingConfig") or {}
    return bool(thinking.get("includeThoughts"))


def _thought(names: list[str]) -> str:
    what = " and ".join(dict.fromkeys(name.replace("_", " ") for name in names))
    return f"**Choosing tools**\n\nThe message fits a rule of the emulated model; it needs: {what}."


def _offered(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The functions that may be called."""
    choice = (request.get("toolConfig") or {}).get("functionCallingConfig") or {}
    allowed = choice.get("allowedFunctionNames")
    if choice.get("mode") == "NONE":
        return []
    declared = [one for tool in request.get("tools") or () for one in tool.get("functionDeclarations") or ()]
    return [one for one in declared if not allowed or one.get("name") in allowed]


def _calls(request: Mapping[str, Any], offered: list[Mapping[str, Any]], question: str) -> list[dict[str, Any]]:
    """Function call parts by the names of the functions."""
    choice = (request.get("toolConfig") or {}).get("functionCallingConfig") or {}
    if not offered:
        return []
    return [{"functionCall": call} for call in calls_for(question, offered, forced=choice.get("mode") == "ANY")]


def _as_json(config: Mapping[str, Any], question: str, context: str) -> Any:
    """A value of the schema asked for; an object without a schema."""
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    found = extract(question, context)
    if not schema:
        return {"answer": " ".join(found), "emulated": True}
    return _filled(schema, found or [LABEL], _given(question))


def _given(question: str) -> Note:
    """The text that a value is to be made of: the first marked note, or all of it."""
    notes = parse_prompt(question).notes
    return notes[0] if notes else Note("text", "", question)


def _filled(schema: Mapping[str, Any], texts: list[str], given: Note, name: str = "") -> Any:
    """Sentences where the schema wants text; a summary, a title and tags where a field is called so."""
    kind = str(schema.get("type", "object")).lower()
    if schema.get("enum"):
        return schema["enum"][0]
    if kind == "object":
        return {key: _filled(form, texts, given, key) for key, form in (schema.get("properties") or {}).items()}
    if kind == "array":
        if "tag" in name:
            return tags_of(given.title, given.text)
        return [_filled(schema.get("items") or {"type": "string"}, [text], given) for text in texts]
    if kind in ("integer", "number"):
        return 0
    if kind == "boolean":
        return False
    if "summary" in name:
        return summary_of(given.text)
    return given.title if name == "title" and given.title else " ".join(texts)
