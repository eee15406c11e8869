"""A game, for a person: facts, options, clocks, sample bots."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from dohyo.i18n import Speaker, say

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.core.game import Game


def describe(game: Game, out: Console, language: str) -> None:
    """One game, for a person."""
    from rich.padding import Padding
    from rich.text import Text

    from dohyo.bots.samples import sample_bots
    from dohyo.core.descriptions import about_in, option_in
    from dohyo.match.telling.words import clock_name

    fewest, most = game.seats
    seats = str(fewest) if fewest == most else f"{fewest} - {most}"
    facts = [
        say("fact.seats", language, seats=seats),
        say(f"turns.{_key(game.turns)}", language),
        say(f"chance.{_key(game.chance)}", language),
        say(f"information.{_key(game.information)}", language),
    ]
    clocks = say("fact.and", language).join(clock_name(clock, Speaker(language)) for clock in game.clocks.values())
    out.print(Text.assemble((game.name, "bold"), f"   {game.title}: {about_in(game, language)}"))
    for line in (
        say("fact.and", language).join(facts),
        say("fact.clocks", language, clocks=clocks),
        say("fact.bots", language, bots=", ".join(sample_bots(game)) or "-"),
        *(
            say("fact.program", language, name=command.name, about=about_in(command, language))
            for command in game.commands
        ),
        say("fact.options" if game.options else "fact.no-options", language),
    ):
        out.print(Padding.indent(line, 2))
    for declared in game.options:
        option = option_in(game, declared, language)
        named = Text.assemble((f"{option.name}={_shown(option.default)}", "bold"), f"   {option.about}")
        out.print(Padding.indent(named, 4))
        out.print(Padding.indent(say("fact.takes", language, takes=option.takes), 8))


def _shown(value: object) -> str:
    """A default, as it would be written after --setup."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _key(fact: Enum) -> str:
    return fact.name.lower().replace("_", "-")
