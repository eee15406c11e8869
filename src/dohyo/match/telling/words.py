"""A clock, the reason of an end, and a state, as text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from dohyo import clean, games
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.i18n import ENGLISH, Catalogue, Speaker, has
from dohyo.i18n.catalogue import of_locale


def clock_name(clock: Clock | Mapping[str, Any] | None, speaker: Speaker) -> str:
    """A clock in words: its preset, the seconds, and what differs from the usual."""
    if not clock:
        return "-"
    limits = Clock(**clock) if isinstance(clock, Mapping) else clock
    again = [speaker.say("fact.clock-moves", turns=limits.moves)] if limits.moves else []
    if limits.is_whole_match:
        words = speaker.say("fact.seconds-a-match", seconds=f"{limits.bank:g}", more=f"{limits.increment:g}")
        facts = [words, *again]
    else:
        facts = [speaker.say("fact.seconds-a-turn", seconds=f"{limits.turn:g}")]
    if limits.mode != "wall":
        facts.append(speaker.say(f"fact.clock-{limits.mode}", wall=f"{limits.behind(limits.turn or limits.bank):g}"))
    if limits.bank and not limits.is_whole_match:
        facts.append(speaker.say("fact.clock-bank", seconds=f"{limits.bank:g}"))
        if limits.increment:
            facts.append(speaker.say("fact.clock-increment", seconds=f"{limits.increment:g}"))
        facts += again
    if limits.grace and limits.strikes:
        facts.append(speaker.say("fact.clock-grace", seconds=f"{limits.grace:g}", strikes=limits.strikes))
    told = speaker.say("fact.and").join(facts)
    return speaker.say("fact.clock", name=limits.preset, facts=told) if limits.preset else told


def reason(key: str, game: str | None, sentences: Catalogue | None) -> str:
    """The sentence of the key of a reason for which a match ended, in the language of the environment.

    `game` is the name of the game whose sentences are looked at, unless they are given. Where none has that key, it
    is the key itself, which may be a stranger's text: cleaned.
    """
    if sentences is None and game is not None:
        with suppress(OperatorError):
            sentences = games.find(game).catalogue
    known = has(key, sentences)
    return Speaker(of_locale(os.environ), sentences or {}).say(key) if known else clean.line(key)


def board_markup(game: Game, state: State, seats: int) -> str:
    """The state as `rich` markup, in English, as a spectator sees it; hidden things are shown."""
    frame = game.frame(state, [None] * seats, (), state)
    names = [f"player {seat}" for seat in range(seats)]
    return game.terminal(frame, names, ENGLISH.knowing(game.catalogue))


def text_board(game: Game, state: State, seats: int) -> str:
    """The state as plain text, in English, as a spectator sees it; hidden things are shown."""
    from rich.text import Text

    return Text.from_markup(board_markup(game, state, seats), emoji=False).plain
