"""A contest to look at: all that the store has of it, whoever runs it at the moment."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from dohyo.app.contest import opening
from dohyo.app.contest.damage import reporting_damage
from dohyo.app.contest.field import Field
from dohyo.app.contest.loop import Loop
from dohyo.app.contest.opening import Opened
from dohyo.app.contest.orders import Orders
from dohyo.app.contest.spec import Spec, terms_of
from dohyo.app.contest.table import Table, standing
from dohyo.contest.formats import Format
from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.store import Store
from dohyo.store.records import Contest, Progress


class Seen(msgspec.Struct):
    """A contest as it stands: its terms, who takes part, how far it is; `fold` knows the batches that are over."""

    store: Store
    contest: Contest
    game: Game
    spec: Spec
    fold: Format
    entries: list[Entrant]
    progress: list[Progress]

    @classmethod
    def of(cls, opened: Opened) -> Seen:
        """The contest that this process has run."""
        store, contest, loop = opened.store, opened.contest, opened.loop
        return cls(store, contest, opened.game, opened.spec, loop.fold, loop.field.read(), store.progress(contest.id))

    def standing(self) -> Table:
        """The table as it stands."""
        with reporting_damage(self.store):
            return standing(self.store, self.contest, self.fold, self.entries)

    def name(self, entrant: int) -> str:
        """What an entrant is called."""
        return self.entries[entrant].version.name


def state_of(store: Store, contest: Contest) -> str:
    """Running, stopped or over. One that was killed could not write down that it stopped: nobody has its lease."""
    if contest.state != "running":
        return contest.state
    try:
        store.lease(contest.id).close()
    except OperatorError as error:
        return "running" if error.key == "contest-runs" else contest.state
    return "stopped"


def look(store: Store, name: str | None, *, results: bool = True) -> Seen:
    """The contest of this name, or the only one. Raises `OperatorError` when there is none.

    Without `results` the format is not told of any, which takes long where there are many: for whoever needs no
    standing.
    """
    contest = store.contest(name)
    contest = replace(contest, state=state_of(store, contest))
    spec, game = terms_of(contest)
    field = Field(store, contest, game, spec, ())
    fold = opening.fold_of(game, spec, field)
    loop = Loop(store, contest, fold, field, Orders(store, contest, game, spec, field))
    if results:
        loop.take_up()
    return Seen(store, contest, game, spec, fold, field.entries, store.progress(contest.id))
