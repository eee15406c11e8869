"""A contest and its standings as one JSON document (docs/contests.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dohyo.i18n import ENGLISH

if TYPE_CHECKING:
    from dohyo.series.session import ContestView


def document(view: ContestView, state: str) -> dict[str, Any]:
    """The contest, in this state, and its standings."""
    import msgspec

    from dohyo.series.fault_reasons import fault_reasons

    table = view.standings()
    asides, missed = view.asides()
    return {
        "contest": view.contest.name,
        "store": view.store.database.address.shown,
        "game": view.game.name,
        "format": view.spec.format,
        "rounds": view.spec.rounds,
        "seed": view.spec.seed,
        "state": state,
        "scheduled": sum(batch.size for batch in view.progress),
        "played": view.played,
        "set_aside": [
            {"match": each.fixture.number, "attempts": each.attempts, "error": each.error} for each in asides
        ],
        "passed_over": [each.fixture.number for each in missed],
        "voided": view.store.voided(view.contest.id),
        "rulings": [msgspec.to_builtins(each) for each in view.store.rulings(view.contest.id)],
        "left_out": [{"name": each.name, "why": each.reason(ENGLISH)} for each in view.spec.left_out],
        "alike": view.spec.alike,
        "rated": table.rated,
        "groups": table.groups,
        "placed_by": table.placed_by,
        "fault_is_last": view.spec.fault_is_last,
        "standings": [
            msgspec.to_builtins(row) | {"low": row.told_low, "high": row.told_high, "fails": row.fails}
            for row in table.rows
        ],
        "reasons": [
            {
                "bot": view.name(each.entrant),
                "entrant": each.entrant,
                "match": each.match,
                "fault": each.fault.kind,
                "reason": each.say(view.game, ENGLISH),
            }
            for each in fault_reasons(view)
        ],
    }
