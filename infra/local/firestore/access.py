"""How each alternative of a plan is read from one index table: its shape, and the range of keys."""

from __future__ import annotations

from dataclasses import dataclass

from infra.local.firestore.encoding import invert
from infra.local.firestore.entries import ASCENDING, CONTAINS, DESCENDING, Component, Shape
from infra.local.firestore.fieldpath import FieldPath
from infra.local.firestore.plan import Conjunction, Cut, Order, Plan


@dataclass(frozen=True)
class Access:
    """One range of one index. Keys are `prefix`, then the plan's sort key; `low` and `high` include the prefix."""

    conjunction: Conjunction
    shape: Shape
    name_descending: bool
    prefix: bytes
    low: Cut
    high: Cut
    needs_filter: bool
    needs_index: bool


def accesses_of(plan: Plan) -> list[Access]:
    """One access for each alternative; alternatives that nothing can satisfy are left out."""
    return [_access(plan, each) for each in plan.disjuncts if _is_satisfiable(each)]


def _is_satisfiable(conjunction: Conjunction) -> bool:
    paths = [path for path, _ in conjunction.equals]
    return len(set(paths)) == len(paths)


def _access(plan: Plan, conjunction: Conjunction) -> Access:
    ordered = {order.path for order in plan.orders}
    fixed = sorted((path, key) for path, key in conjunction.equals if path not in ordered)
    shape = (
        *(Component(path, CONTAINS) for path, _ in conjunction.contains),
        *(Component(path, ASCENDING) for path, _ in fixed),
        *(Component(order.path, DESCENDING if order.descending else ASCENDING) for order in plan.orders[:-1]),
    )
    prefix = b"".join([key for _, key in conjunction.contains] + [key for _, key in fixed])
    low, high, exact = _range(plan.orders, conjunction)
    if plan.start is not None:
        low = max(low, plan.start, key=lambda cut: cut.bound)
    if plan.end is not None:
        high = min(high, plan.end, key=lambda cut: cut.bound)
    below_parent = plan.all_descendants and bool(plan.parent.segments)
    return Access(
        conjunction,
        shape,
        plan.orders[-1].descending,
        prefix,
        Cut(prefix + low.key, low.after),
        Cut(prefix + high.key, high.after),
        needs_filter=not exact or below_parent or bool(plan.present),
        needs_index=bool(shape) or plan.all_descendants,
    )


def _range(orders: tuple[Order, ...], conjunction: Conjunction) -> tuple[Cut, Cut, bool]:
    """The cuts of the sort key, and whether everything between them satisfies the conjunction."""
    equals = dict(conjunction.equals)
    pending = {each.path for each in conjunction.ranges} | {order.path for order in orders if order.path in equals}
    low, high = Cut(b"", after=False), Cut(b"", after=True)
    head = b""
    for path, descending in orders:
        low, high = Cut(head, after=False), Cut(head, after=True)
        if path in equals:
            if any(each.path == path for each in conjunction.ranges):
                break
            head += invert(equals[path]) if descending else equals[path]
            pending.discard(path)
            low, high = Cut(head, after=False), Cut(head, after=True)
            continue
        if path in pending:
            low, high = _cuts(conjunction, path, descending)
            low, high = Cut(head + low.key, low.after), Cut(head + high.key, high.after)
            pending.discard(path)
        break
    return low, high, not pending and not conjunction.excluded


def _cuts(conjunction: Conjunction, path: FieldPath, descending: bool) -> tuple[Cut, Cut]:
    lows = [each.low for each in conjunction.ranges if each.path == path]
    highs = [each.high for each in conjunction.ranges if each.path == path]
    low = max(lows, key=lambda cut: cut.bound)
    high = min(highs, key=lambda cut: cut.bound)
    return (high.inverted(), low.inverted()) if descending else (low, high)
