"""`python -m bench.memory`: how well a month of notes and chats is remembered.

With --model rules, emulated or local nothing leaves the machine; with --model ollama it is the server at
127.0.0.1:11434; without --model the environment decides, as it does for `memex up`: GEMINI_API_KEY=… means Gemini.
The roles of the settings play their part as in the product (see shared/brain/models.py); rules asks no model at all.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from bench.memory.living import Calendar, Life
from bench.memory.month import MONTH
from bench.memory.questions import QUESTIONS, Question
from bench.memory.scoring import Scored, scored, shares
from bench.memory.unseen import DAYS
from bench.memory.unseen import QUESTIONS as UNSEEN
from infra.cli.models import CHOICES, described, playing
from infra.local.cloud import CloudConfig, LocalCloud
from shared.bootstrap import App
from shared.brain.agents.relevance_judge.annotating import annotated
from shared.brain.models import Roles
from shared.config import Settings
from shared.gateway.transport import Cut
from shared.memory.recall import Recall
from shared.store.database import Database

ROOT = Path(__file__).resolve().parents[2]
RULES = "rules"
WORKSPACE = "memory"


def main(given: Sequence[str] | None = None) -> int:
    arguments = _arguments(given)
    with _life(arguments.model, dict(pair.split("=", 1) for pair in arguments.set)) as (life, who):
        entries, questions = (DAYS, UNSEEN) if arguments.unseen else (MONTH, QUESTIONS)
        print(f"{who}: {len(entries)} notes and chats, {len(questions)} questions\n", flush=True)
        for number, entry in enumerate(entries):
            life.live(number, entry)
        for failure in life.failures:
            print(f"  failed: {failure}")
        results = list(asked(life, questions))
        for one in results:
            if not one.right and arguments.verbose:
                print(f"  wrong: {one.question.text} → {' | '.join(one.said) or 'nothing'}")
        print(table(results))
        print(f"\n{', '.join(f'{name}: {number}' for name, number in sorted(life.counts.items()))}")
        if arguments.json is not None:
            _write(arguments.json, who, results)
    share = shares(results)[-1][1]
    return 1 if arguments.fail_under is not None and share.value < arguments.fail_under else 0


def asked(life: Life, questions: Sequence[Question]) -> Iterator[Scored]:
    """Each question, on the last day: recalled, judged, scored."""
    recall = Recall(life.store, life.roles.embedder)
    for question in questions:
        found = recall.recall(question.text, as_of=question.as_of)
        yield scored(question, annotated(question.text, found, life.roles.model("judge"), Cut()))


def table(results: Sequence[Scored]) -> str:
    """The score as a table in Markdown, with intervals of 95 percent."""
    lines = ["| asked for | right | of | share | 95 % | among the found |", "|---|--:|--:|--:|--:|--:|"]
    for words, share, found in shares(results):
        low, high = share.interval
        lines.append(
            f"| {words} | {share.good} | {share.all} | {share.value:.2f} | {low:.2f} to {high:.2f} | {found.good} |"
        )
    return "\n".join(lines)


@contextmanager
def _life(choice: str | None, wanted: Mapping[str, str]) -> Iterator[tuple[Life, str]]:
    """A workspace on a local cloud of its own, and who plays the models."""
    by_rule = choice == RULES
    with playing(None if by_rule else choice, threading.Event()) as played:
        cloud = LocalCloud(CloudConfig(ROOT, functions="none", env={**played, **wanted}))
        cloud.start()
        try:
            calendar = Calendar(MONTH[0].at(0))
            app = App(Settings.from_env(cloud.settings), clock=calendar, randomness=random.Random(6))
            with mock.patch.dict(os.environ, FIRESTORE_EMULATOR_HOST=cloud.settings["FIRESTORE_EMULATOR_HOST"]):
                client = app.firestore
            rules = by_rule or app.settings.brain_models == RULES
            database = Database(client, f"workspaces/{WORKSPACE}", calendar, app.randomness)
            roles = Roles(lambda: app.models, by_rule=rules)
            life = Life(app.store(WORKSPACE), database, client, calendar, app.ids, roles)
            yield life, "by rule" if rules else described({**cloud.settings, **played, **wanted}, os.environ)
        finally:
            cloud.close()


def _write(path: Path, who: str, results: Sequence[Scored]) -> None:
    answers = [
        {"kind": one.question.kind, "question": one.question.text, "right": one.right, "said": one.said}
        for one in results
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    made = {"model": who, "score": {words: (share.good, share.all) for words, share, _ in shares(results)}}
    path.write_text(json.dumps(made | {"answers": answers}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--model", choices=(RULES, *CHOICES), help="rules, or as of memex up")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting; repeatable")
    parser.add_argument("--unseen", action="store_true", help="twenty questions on days that no rule was written by")
    parser.add_argument("--verbose", action="store_true", help="show each wrong answer")
    parser.add_argument("--fail-under", type=float, help="exit with 1 when fewer are right in all, such as 0.8")
    parser.add_argument("--json", type=Path, help="where the score and each answer go")
    return parser.parse_args(given)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that a server that was started ends with us
    sys.exit(main())
