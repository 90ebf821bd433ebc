"""The AI platform of the local cloud as one part: a blueprint for the HTTP front, and what tests script and ask."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from flask import Blueprint, Response, g, request

from infra.local.aiplatform.calls import CallLog
from infra.local.aiplatform.control import Control
from infra.local.aiplatform.errors import ApiError
from infra.local.aiplatform.gates import SCHEMA as GATE_SCHEMA
from infra.local.aiplatform.gates import Gates
from infra.local.aiplatform.generating import Generating, Pace, Scripting
from infra.local.aiplatform.grounding import Grounding
from infra.local.aiplatform.interactions import Interactions
from infra.local.aiplatform.json_body import json_body
from infra.local.aiplatform.model_queue import SCHEMA as MODEL_SCHEMA
from infra.local.aiplatform.model_queue import ModelQueue
from infra.local.aiplatform.model_script import ModelScript
from infra.local.aiplatform.models import Models
from infra.local.aiplatform.redirects import Redirects
from infra.local.aiplatform.routing import install_converter
from infra.local.aiplatform.runs import Runs
from infra.local.aiplatform.script import Script
from infra.local.aiplatform.script_queue import ScriptQueue
from infra.local.aiplatform.storage import Storage
from infra.local.aiplatform.store import SCHEMA, InteractionStore
from infra.local.aiplatform.webhooks.outbox import SCHEMA as OUTBOX_SCHEMA
from infra.local.aiplatform.webhooks.outbox import Outbox
from infra.local.aiplatform.webhooks.ports import Outside
from infra.local.aiplatform.webhooks.registry import SCHEMA as REGISTRY_SCHEMA
from infra.local.aiplatform.webhooks.registry import Registry
from infra.local.aiplatform.webhooks.routes import WebhooksApi
from infra.local.clock import Clock
from infra.local.meter import Meter


class AiPlatformPart:
    """Interactions and models under the Gemini and the Vertex paths; state in `data_dir`/aiplatform.sqlite.

    `run_seconds` is how long the emulated research agent takes, `pace_seconds` how long a model pauses between two
    pieces of what it says; `pace` may be changed at any time. `outside` is what webhooks are sent by. Streams end when
    the part closes.
    """

    def __init__(  # noqa: PLR0913 - the part's seams, each with a name
        self,
        data_dir: Path,
        clock: Clock,
        meter: Meter,
        run_seconds: float = 2.0,
        pace_seconds: float = 0.0,
        outside: Outside | None = None,
    ) -> None:
        schema = SCHEMA + MODEL_SCHEMA + GATE_SCHEMA + REGISTRY_SCHEMA + OUTBOX_SCHEMA
        self._db = Storage(data_dir / "aiplatform.sqlite", schema)
        self._clock = clock
        self._runs = Runs(InteractionStore(self._db), clock, meter)
        self._registry = Registry(self._db)
        self.webhooks = Outbox(self._db, self._registry, clock, outside or Outside(), data_dir)
        self._runs.ended = self.webhooks.told
        self._scripts = ScriptQueue(self._db)
        self._redirects = Redirects(self._db, self._runs)
        self.calls = CallLog(self._db)
        self.pace = Pace(pace_seconds)
        self._model_scripts = ModelQueue(self._db)
        self.grounding = Grounding(self._redirects)
        """Its `web` is where the invented pages are; whoever serves them says so."""
        self._gates = Gates(self._db)
        scripting = Scripting(self._model_scripts, self._gates, self.pace)
        generating = Generating(self._runs, scripting, meter, self.grounding)
        self._models = Models(generating, meter)
        self._interactions = Interactions(self._runs, self._scripts, run_seconds)

    def start(self) -> None:
        """Follow the runs that the last process left under way, and send the webhooks that it had not delivered."""
        self._runs.start()
        self.webhooks.start()

    def close(self) -> None:
        """End every open stream, then close the database. Idempotent."""
        self._runs.close()
        self._db.close()

    def wipe(self) -> int:
        """Forget all interactions, scripts, gates, calls, redirects and webhooks; how many interactions there were."""
        with self._db.write() as connection:
            gone = connection.execute("DELETE FROM interactions").rowcount
            forgotten = ("scripts", "model_scripts", "gates", "calls", "redirects", "webhooks", "webhook_deliveries")
            for table in forgotten:
                connection.execute(f"DELETE FROM {table}")
        self._runs.pulse.beat()
        return int(gone)

    def script_interaction(self, script: Script) -> None:
        """Let the next accepted agent run follow `script`; scripts are used in the order they came."""
        self._scripts.add(script)

    def script_model(self, *scripts: ModelScript) -> None:
        """Let the next requests to a model be answered so, each by the first script that is for its kind."""
        for script in scripts:
            self._model_scripts.add(script)

    def open_gate(self, name: str) -> None:
        """Let what stands still at the gate of that name go on, and whatever comes to it later."""
        self._gates.open(name, self._clock.now())
        self._runs.go_on(name)

    def unused_scripts(self) -> list[str]:
        """What was scripted and never happened, a line each; a test that leaves some has failed."""
        return [*self._scripts.unused(), *self._model_scripts.unused()]

    def add_redirect(self, token: str, location: str | None, delay_seconds: float = 0.0) -> None:
        """Let /grounding-api-redirect/{token} lead to `location` (None: 404), after a delay."""
        self._redirects.add(token, location, delay_seconds)

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("aiplatform", __name__)
        install_converter(blueprint)
        self._interactions.register(blueprint)
        self._models.register(blueprint)
        self._redirects.register(blueprint)
        WebhooksApi(self._registry, self.webhooks, self._clock).register(blueprint)
        redirects, pace = self._redirects, self.pace
        control = Control(self._scripts, self._model_scripts, self.calls, redirects, pace, self.open_gate)
        control.register(blueprint)
        blueprint.register_error_handler(ApiError, ApiError.response)
        blueprint.after_request(self._log)
        return blueprint

    def _log(self, response: Response) -> Response:
        if "verb" in g:
            body = json_body()
            with suppress(ApiError):  # the part closes: nobody will ask for its calls
                self.calls.add(self._clock.now(), g.verb, request.path, g.interaction, response.status_code, body)
        return response
