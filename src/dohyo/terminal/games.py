"""A game, for a person: facts, options, clocks, sample bots."""

from __future__ import annotations

from collections.abc import Set
from enum import Enum
from typing import TYPE_CHECKING

from dohyo.core.game import title_in
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.core.game import Game


def describe(game: Game, commands: Set[str], out: Console, speaker: Speaker) -> None:
    """One game, for a person; its own programs are those among the `commands` of `dohyo`."""
    from rich.padding import Padding
    from rich.text import Text

    from dohyo.bots.samples import sample_bots
    from dohyo.core.descriptions import about_in, option_in
    from dohyo.match.telling.words import clock_name

    fewest, most = game.seats
    seats = str(fewest) if fewest == most else f"{fewest} - {most}"
    facts = [
        speaker.say("fact.seats", seats=seats),
        speaker.say(f"turns.{_key(game.turns)}"),
        speaker.say(f"chance.{_key(game.chance)}"),
        speaker.say(f"information.{_key(game.information)}"),
    ]
    clocks = speaker.say("fact.and").join(clock_name(clock, speaker) for clock in game.clocks.values())
    out.print(Text.assemble((game.name, "bold"), f"   {title_in(game, speaker)}: {about_in(game, speaker)}"))
    for line in (
        speaker.say("fact.and").join(facts),
        speaker.say("fact.clocks", clocks=clocks),
        speaker.say("fact.bots", bots=speaker.listed(sample_bots(game)) or "-"),
        *(
            speaker.say("fact.program", name=command.name, about=about_in(command, speaker))
            for command in game.commands
            if command.name in commands
        ),
        speaker.say("fact.options" if game.options else "fact.no-options"),
    ):
        out.print(Padding.indent(line, 2))
    for declared in game.options:
        option = option_in(game, declared, speaker)
        named = Text.assemble((f"{option.name}={_shown(option.default)}", "bold"), f"   {option.about}")
        out.print(Padding.indent(named, 4))
        out.print(Padding.indent(speaker.say("fact.takes", takes=option.takes), 8))


def _shown(value: object) -> str:
    """A default, as it would be written after --setup."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _key(fact: Enum) -> str:
    return fact.name.lower().replace("_", "-")
