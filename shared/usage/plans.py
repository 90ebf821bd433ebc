"""What each plan allows, and what of it holds for one workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shared.contracts.workspaces import Feature, Plan, Quotas, Workspace
from shared.errors import Forbidden, PaymentRequired


@dataclass(frozen=True)
class Terms:
    """A plan: its features, and the quotas where a workspace has none of its own."""

    features: frozenset[Feature]
    quotas: Quotas


PLANS: Mapping[Plan, Terms] = {
    Plan.FREE: Terms(frozenset({Feature.BRAIN}), Quotas()),
    Plan.PRO: Terms(frozenset({Feature.AGENT_RUNS, Feature.BRAIN}), Quotas(runs=200, tokens=50_000_000, usd=100.0)),
}


@dataclass(frozen=True)
class Allowance:
    """What one workspace may use: its document, seen with its plan and the settings."""

    name: str
    workspace: Workspace
    agent_runs: bool
    """Whether agent runs are switched on at all (ALLOW_AGENT_RUNS)."""
    monthly_usd: float
    """The cap where neither the workspace nor its plan has one; 0 is none."""

    @property
    def quotas(self) -> Quotas:
        """The quotas that hold."""
        own, plan = self.workspace.quotas, PLANS[self.workspace.plan].quotas
        return Quotas(
            runs=plan.runs if own.runs is None else own.runs,
            tokens=plan.tokens if own.tokens is None else own.tokens,
            usd=(plan.usd if plan.usd is not None else self.monthly_usd or None) if own.usd is None else own.usd,
        )

    @property
    def features(self) -> dict[str, bool]:
        """Every feature, and whether it can be used."""
        return {feature.value: self._refusal(feature) is None for feature in Feature}

    def require(self, feature: Feature) -> None:
        """Raises Forbidden where it is switched off, PaymentRequired where the plan does not have it."""
        if (refusal := self._refusal(feature)) is not None:
            raise refusal

    def _refusal(self, feature: Feature) -> Forbidden | PaymentRequired | None:
        what, document = _NAMES[feature], f"the document workspaces/{self.name}"
        if feature is Feature.AGENT_RUNS and not self.agent_runs:
            return Forbidden(f"{what} are switched off here: set ALLOW_AGENT_RUNS=on.", feature=feature.value)
        if feature not in PLANS[self.workspace.plan].features:
            plans = " or ".join(plan.value for plan, terms in PLANS.items() if feature in terms.features)
            return PaymentRequired(
                f"{what} are not part of the plan {self.workspace.plan.value}: set plan to {plans} in {document}.",
                feature=feature.value,
                plan=self.workspace.plan.value,
            )
        if not self.workspace.features.get(feature.value, True):
            return Forbidden(
                f"{what} are switched off in this workspace: set features.{feature.value} to true in {document}.",
                feature=feature.value,
            )
        return None


_NAMES = {Feature.AGENT_RUNS: "Agent runs", Feature.BRAIN: "Memory and its agents"}
