"""`dohyo games`: every game that was found, and all that can be chosen about it."""

from __future__ import annotations

import sys
from collections.abc import Set
from typing import TYPE_CHECKING, Annotated, Any

from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.i18n import Speaker
from dohyo.terminal.games import describe

if TYPE_CHECKING:
    from dohyo.core.game import Game

app = application()


@asks(app)
def games(
    names: Annotated[list[str] | None, says("Only these; also a classic game.", "[GAME]...", is_bare=True)] = None,
    as_json: Annotated[bool, says("Print one JSON document instead.", option="--json")] = False,
    *,
    speaker: Speaker,
) -> None:
    """List the games: facts, setup options, clocks, sample bots."""
    from dohyo.cli.guests import more
    from dohyo.games import all_games
    from dohyo.match.own_games import find

    chosen = [find(name) for name in names] if names else list(all_games().values())
    known = frozenset(more())
    if as_json:
        from dohyo import clean

        sys.stdout.write(clean.document([facts_of(game, known) for game in chosen]))
        return
    from dohyo.terminal.screen import console

    out = console()
    for number, game in enumerate(chosen):
        if number:
            out.print()
        describe(game, known, out, speaker)
    if not names:
        from dohyo import classics

        out.print()
        out.print(speaker.say("fact.classics", names=speaker.listed(classics.NAMES)))


def facts_of(game: Game, commands: Set[str]) -> dict[str, Any]:
    """A game's facts for scripts; its own programs are those among the `commands`."""
    import msgspec

    from dohyo.bots.samples import sample_bots

    return {
        "name": game.name,
        "title": game.title,
        "about": game.about,
        "rules": game.version,
        "seats": list(game.seats),
        "turns": game.turns.value,
        "chance": game.chance.value,
        "information": game.information.value,
        "setup": [
            {"name": option.name, "default": option.default, "takes": option.takes, "about": option.about}
            for option in game.options
        ],
        "clocks": {name: msgspec.to_builtins(clock) for name, clock in game.clocks.items()},
        "programs": {command.name: command.about for command in game.commands if command.name in commands},
        "bots": {name: str(path) for name, path in sample_bots(game).items()},
    }
