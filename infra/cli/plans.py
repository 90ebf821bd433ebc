"""Research plans on the terminal: the plan, what its run may cost, and what can be said to it."""

from __future__ import annotations

from typing import Any

import click

from infra.cli.terminal import one_line, printable, styled

Operation = dict[str, Any]


def show_plan(operation: Operation) -> None:
    """Print the plan of an operation and what it comes to."""
    plan = operation["plan"]
    click.echo(styled(one_line(operation["title"] or operation["source_note_id"], 70), bold=True))
    click.echo(f"\n{printable(plan['text']).rstrip()}\n")
    edited = ", edited" if plan["edited_by_person"] else ""
    click.echo(f"Revision {plan['revision']}{edited}. {estimate_of(plan)}")
    click.echo(styled(one_line(plan["estimate_basis"]), dim=True))
    if plan["approved_at"]:
        click.echo(f"Approved by {one_line(plan['approved_by'])} at {one_line(plan['approved_at'])[:16]} (UTC).")
    elif operation["status"] == "awaiting_approval":
        click.echo(f"Waits until {one_line(plan['expires_at'])[:16]} (UTC). {hint(operation['id'])}")
    else:
        click.echo(f"It does not wait any more: the operation is {one_line(operation['status'])}.")


def estimate_of(plan: dict[str, Any]) -> str:
    """In one sentence, what the run may cost and take, and what planning has cost."""
    usd = f"{plan['estimate_low_usd']:.2f} to {plan['estimate_high_usd']:.2f} USD"
    minutes = f"{plan['estimate_low_minutes']:.0f} to {plan['estimate_high_minutes']:.0f} minutes"
    return f"The run may cost {usd} and take {minutes}; planning has cost {plan['planning_usd']:.2f} USD."


def hint(operation_id: str) -> str:
    named = one_line(operation_id)
    return f"memex plan approve {named} has it carried out, memex plan drop {named} does not."
