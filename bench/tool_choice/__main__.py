"""`python -m bench.tool_choice`: how well a model chooses tools.

With --model emulated or local nothing leaves the machine; with --model ollama it is the server at 127.0.0.1:11434;
without --model the environment decides, as it does for `memex up`: GEMINI_API_KEY=… means Gemini.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.tool_choice.asking import SECONDS, all_asked
from bench.tool_choice.cases import CASES
from bench.tool_choice.scoring import Score, Scored, Share, score
from infra.cli.models import CHOICES, described, playing
from infra.local.cloud import CloudConfig, LocalCloud
from shared.clock import SystemClock
from shared.config import Settings
from shared.llm.assembly import ROLES, models
from shared.llm.port import Model

ROOT = Path(__file__).resolve().parents[2]
_PARTS = (
    ("tools", "the right tools, and no other"),
    ("arguments", "with the right arguments, where the tools were right"),
    ("abstention", "no tool where none is wanted"),
    ("whole", "everything right"),
)


def main(given: Sequence[str] | None = None) -> int:
    arguments = _arguments(given)
    cases = [case for case in CASES if not arguments.only or any(word in case.name for word in arguments.only)]
    with _model(arguments.model, dict(pair.split("=", 1) for pair in arguments.set), arguments.role) as (model, who):
        print(f"{model.name} ({who}), role {arguments.role}, {len(cases)} prompts, each {arguments.repeat} times\n")
        results = []
        for one in all_asked(model, cases, arguments.repeat, arguments.seconds):
            results.append(one)
            if not one.right:
                print(f"  wrong: {one.case.name}: {_said(one)}", flush=True)
        found = score(results)
        print(table(found))
        if arguments.json is not None:
            _write(arguments.json, model.name, arguments.role, found, results)
    return _verdict(found, arguments.fail_under)


@contextmanager
def _model(choice: str | None, wanted: Mapping[str, str], role: str) -> Iterator[tuple[Model, str]]:
    """The model of the role, with a local cloud for the emulated one; and who answers for it."""
    with playing(choice, threading.Event()) as played:
        cloud = LocalCloud(CloudConfig(ROOT, functions="none", env={**played, **wanted}))
        cloud.start()
        try:
            # Asked as they are: this spends for no workspace, so nobody has paused it.
            found = getattr(models(Settings.from_env(cloud.settings), SystemClock(), lambda: None), role)
            if found is None:
                sys.exit("No model is set for this role: see --model, and docs/settings.md for --set.")
            yield found, described({**cloud.settings, **played, **wanted}, os.environ)
        finally:
            cloud.close()


def table(found: Score) -> str:
    """The score as a table in Markdown, with intervals of 95 percent."""
    lines = ["| | right | of | share | 95 % |", "|---|--:|--:|--:|--:|"]
    for name, words in _PARTS:
        share: Share = getattr(found, name)
        low, high = share.interval
        lines.append(f"| {words} | {share.good} | {share.all} | {share.value:.2f} | {low:.2f} to {high:.2f} |")
    return "\n".join(lines)


def _said(one: Scored) -> str:
    if one.failure:
        return one.failure
    calls = ", ".join(f"{made.tool}({json.dumps(made.arguments, ensure_ascii=False)})" for made in one.made)
    return f"{calls or 'no call'}; wanted {' or '.join(_wanted(way) for way in one.case.wanted)}"


def _wanted(way: Sequence[Any]) -> str:
    return " and ".join(f"{want.tool}({', '.join(want.arguments)})" for want in way) or "no call"


def _verdict(found: Score, least: float | None) -> int:
    """1 when a part of the score is below; one that no case was about is none."""
    if least is None:
        return 0
    shares = [(words, getattr(found, name)) for name, words in _PARTS]
    below = [words for words, share in shares if share.all and share.value < least]
    for words in below:
        print(f"below {least:g}: {words}")
    return 1 if below else 0


def _write(path: Path, name: str, role: str, found: Score, results: Sequence[Scored]) -> None:
    shares = {part: (getattr(found, part).good, getattr(found, part).all) for part, _ in _PARTS}
    answers = [
        {"case": one.case.name, "right": one.right, "calls": [[made.tool, made.arguments] for made in one.made]}
        for one in results
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    made = {"model": name, "role": role, "score": shares, "answers": answers}
    path.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.tool_choice", description=__doc__)
    parser.add_argument("--model", choices=CHOICES, help="as of memex up; without it the environment decides")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting; repeatable")
    parser.add_argument("--role", choices=ROLES, default="plan", help="whose model is asked")
    parser.add_argument("--repeat", type=int, default=1, help="how often each prompt is put")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long an answer may take")
    parser.add_argument("--only", action="append", help="only prompts whose name has this word; repeatable")
    parser.add_argument("--fail-under", type=float, help="exit with 1 when a part of the score is below, such as 0.9")
    parser.add_argument("--json", type=Path, help="where the score and each answer go")
    return parser.parse_args(given)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that a server that was started ends with us
    sys.exit(main())
