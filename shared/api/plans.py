"""The handlers of research that is asked for, and of the plans that wait for a person's word."""

from __future__ import annotations

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.operations import OperationAnswer
from shared.contracts.plans import PlanApproval, PlanChange, PlanEdit, ResearchAsk
from shared.ids import derived
from shared.store.effects import Effect


def research_note(call: Call) -> Response:
    workspace, store = call.principal.workspace, call.store
    wanted = request.body(call.request, ResearchAsk) if call.request.content_length else ResearchAsk()
    key = request.idempotency_key(call.request) or call.app.ids.fresh()
    effect = Effect(store.effects, derived("effect", workspace, "research", call.id, key))
    operation_id = call.app.research.ask(workspace, call.id, effect, plan=wanted.plan)
    return answers.model(OperationAnswer(operation=store.operations.get(operation_id)))


def edit_plan(call: Call) -> Response:
    wanted = request.body(call.request, PlanEdit)
    plans, who = call.app.research.plans, call.principal
    return answers.model(OperationAnswer(operation=plans.edit(who.workspace, call.id, wanted, by=who.name)))


def change_plan(call: Call) -> Response:
    wanted = request.body(call.request, PlanChange)
    plans, who = call.app.research.plans, call.principal
    return answers.model(OperationAnswer(operation=plans.change(who.workspace, call.id, wanted, by=who.name)))


def approve_plan(call: Call) -> Response:
    seen = request.body(call.request, PlanApproval)
    who = call.principal
    return answers.model(call.app.research.plans.approve(who.workspace, call.id, seen, by=who.name))
