"""What one agent run may take."""

from __future__ import annotations

from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class RunsSettings:
    """Fields of shared.config.Settings."""

    allow_agent_runs: bool = setting(
        "ALLOW_AGENT_RUNS",
        "Whether workspaces whose plan has agent runs may start them: on or off.",
        False,
        parsing.switch,
    )
    run_max_steps: int = setting("RUN_MAX_STEPS", "How many steps a run may be planned with.", 8, parsing.count)
    run_lanes: int = setting(
        "RUN_LANES", "How many steps of a run are worked on at once, 10 at most.", 3, parsing.lanes
    )
    run_step_iterations: int = setting(
        "RUN_STEP_ITERATIONS", "How many answers of the model one step of a run may have.", 12, parsing.count
    )
    run_seconds: float = setting(
        "RUN_SECONDS",
        "How long the steps of a run may take; then it answers with what there is.",
        600.0,
        parsing.positive,
    )
    run_max_calls: int = setting("RUN_MAX_CALLS", "How many tool calls one run may make.", 120, parsing.count)
    run_max_tokens: int = setting(
        "RUN_MAX_TOKENS", "How many tokens, in and out, one run may use.", 1_500_000, parsing.count
    )
    run_max_usd: float = setting("RUN_MAX_USD", "What one run may cost in USD, at list price.", 5.0, parsing.positive)
    run_lease_seconds: float = setting(
        "RUN_LEASE_SECONDS",
        "How long a step's worker is taken to live after its last sign; then the step is carried on by another.",
        20.0,
        parsing.positive,
    )
    run_request_seconds: float = setting(
        "RUN_REQUEST_SECONDS",
        "How long one request works on a step of a run before it gives its lane back.",
        420.0,
        parsing.positive,
    )
    run_retry_seconds: float = setting(
        "RUN_RETRY_SECONDS",
        "The first wait before a step that failed in passing is begun again; doubled for the second.",
        5.0,
        parsing.positive,
    )
