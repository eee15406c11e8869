"""Who has entered a contest leaves, pauses, and takes part again.

A change takes effect with the first batch that is not scheduled yet. If another batch was scheduled while the change
was being decided, the store refuses the change and it is decided again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, some_of
from dohyo.core.rulings_in_force import InForce
from dohyo.series.formats import find
from dohyo.series.replaced import annul_replaced
from dohyo.series.spec import of_stored
from dohyo.series.store.records import Contest, StaleError

if TYPE_CHECKING:
    from dohyo.series.store import Store

Decision = Callable[[Sequence[Entrant], int], list[Entrant]]
MAX_TRIES = 100  # a batch is rarely scheduled in between; so many times in a row means an error


def choose_version(store: Store, contest: Contest, name: str, digest: str) -> int:
    """Let a version of a bot that took part before take part again, in the place of the one that does, or after none.

    It goes on with its own results. Where all have the same matches, those of a version that was replaced count for
    nobody: there it enters as a new one. Returns the batch with which it is back.

    Raises `OperatorError` for a version that was never there, or that takes part already.
    """
    if name in InForce(store.rulings_of_bots(contest.id)).disqualified:
        raise OperatorError("contest-is-disqualified", bot=name, name=contest.name)
    if contest.state == "over":
        raise OperatorError("contest-over", name=contest.name, bot=name)
    is_anew = find(of_stored(contest.spec).format).info.passes_over

    def decide(entrants: Sequence[Entrant], batch: int) -> list[Entrant]:
        own = [entrant for entrant in entrants if entrant.version.name == name]
        wanted = next((each for each in reversed(own) if each.version.digest == digest), None)
        if wanted is None:
            raise OperatorError("contest-bot-lost", bot=name, spec=digest[:12])
        here = [each for each in own if each.until is None]
        if wanted in here:
            raise OperatorError("contest-takes-part", bot=name, name=contest.name)
        if is_anew and wanted is not own[-1]:
            follows = (here or own)[-1].number
            back = Entrant(len(entrants), wanted.version, since=batch, follows=follows)
        else:
            back = come_back(wanted, batch)
        return [*(replace(each, until=batch) for each in here), back]

    batch = decide_entrants(store, contest, decide)
    annul_replaced(store, contest)
    return batch


def come_back(entrant: Entrant, batch: int) -> Entrant:
    """An entrant who had left, and plays again from `batch` on."""
    left = entrant.until
    gap = ((left, batch),) if left is not None and left < batch else ()
    return replace(entrant, until=None, absences=(*entrant.absences, *gap))


def leave(store: Store, contest: Contest, name: str) -> int:
    """Let a bot leave; the batch with which it leaves."""
    return _change(store, contest, name, lambda entrant, batch: replace(entrant, until=batch))


def pause(store: Store, contest: Contest, name: str) -> int:
    """Let a bot pause; the batch from which it pauses. Raises `OperatorError` if it pauses already."""

    def decide(entrant: Entrant, batch: int) -> Entrant:
        if _pauses(entrant):
            raise OperatorError("contest-paused-already", bot=name)
        return replace(entrant, absences=(*entrant.absences, (batch, None)))

    return _change(store, contest, name, decide)


def resume(store: Store, contest: Contest, name: str) -> int:
    """Let a paused bot play again; the batch from which it plays. Raises `OperatorError` if it does not pause."""

    def decide(entrant: Entrant, batch: int) -> Entrant:
        if not _pauses(entrant):
            raise OperatorError("contest-not-paused", bot=name)
        *before, (start, _) = entrant.absences
        return replace(entrant, absences=tuple(before) if start >= batch else (*before, (start, batch)))

    return _change(store, contest, name, decide)


def _pauses(entrant: Entrant) -> bool:
    return bool(entrant.absences) and entrant.absences[-1][1] is None


def _change(store: Store, contest: Contest, name: str, change: Callable[[Entrant, int], Entrant]) -> int:
    if contest.state == "over":
        raise OperatorError("contest-over", name=contest.name, bot=name)

    def decide(entrants: Sequence[Entrant], batch: int) -> list[Entrant]:
        here = {entrant.version.name: entrant for entrant in entrants if entrant.until is None}
        if name not in here and any(entrant.version.name == name for entrant in entrants):
            key = (
                "contest-has-left" if find(of_stored(contest.spec).format).info.joins else "contest-has-left-for-good"
            )
            raise OperatorError(key, bot=name, name=contest.name)
        if name not in here:
            known = some_of(list(here))
            raise OperatorError(
                "contest-no-entrant", bot=name, name=contest.name, nearest=nearest(name, here), known=known or "-"
            )
        return [change(here[name], batch)]

    return decide_entrants(store, contest, decide)


def decide_entrants(store: Store, contest: Contest, decide: Decision) -> int:
    """Change the entrants as `decide` says, whoever else changes them meanwhile; the batch from which it holds."""
    for _ in range(MAX_TRIES):
        scheduled = store.count_batches(contest.id)
        batch = max(1, scheduled)  # batch 0 belongs to those who began the contest
        changed = decide(store.entrants(contest.id), batch)
        # If two bots join at the same moment, the second finds its number taken: a `ValueError`.
        with suppress(StaleError, ValueError):
            store.enter(contest.id, changed, time(), scheduled)
            return batch
    raise RuntimeError("the contest changes faster than one can join it")
