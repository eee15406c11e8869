"""`dohyo play` with people among the bots: in this terminal, or at a page in the browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import typer

from dohyo.cli.options import Outputs
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.bots.typed_words import Named
    from dohyo.core.bot_spec import BotSpec
    from dohyo.core.game import Game, State
    from dohyo.core.replay import Replay

Bots = Sequence["Named | BotSpec | str"]


def person_among(words: Sequence[str], others: Mapping[str, object], browser: bool) -> str:
    """The kind of person among the words for bots; empty where programs alone play.

    Raises the `OperatorError` for options that do not go together with people, or that need them.
    """
    from dohyo.match.people.desk import person_in

    person = person_in(words)
    if browser and not person:
        raise OperatorError("browser-without-me")
    for option, given in others.items():
        if person and given:
            raise OperatorError("me-alone", option=option)
    return person


def play_otherwise(
    game: Game,
    bots: Bots,
    options: dict[str, Any],
    outputs: Outputs,
    person: str,
    browser: bool,
    watch: bool,
    until: str | None,
    most: int | None,
    play_one: Callable[..., tuple[Replay, State, OperatorError | None]],
) -> tuple[Replay, State | None, OperatorError | None]:
    """Play with a person, or until something happens; what `play_one` returns, which plays one match of programs."""
    if browser:
        return play_in_browser(game, bots, options, outputs)
    if person:
        return play_here(game, bots, person, options, outputs)
    from dohyo.cli.play_until import play_until

    assert until is not None
    return play_until(until, most, watch, game, bots, options, outputs, play_one)


def play_here(
    game: Game, bots: Bots, person: str, options: dict[str, Any], outputs: Outputs
) -> tuple[Replay, State, OperatorError | None]:
    """Play in the terminal; as `dohyo.cli.play._play`, which this stands for."""
    from dohyo.match.people.desk import LeftError, at, terminal_desk
    from dohyo.match.people.turns_back import Played, play_with_people
    from dohyo.match.play import Interrupted

    ends: list[State] = []
    played = Played(game)
    try:
        with at(desk := terminal_desk(person, game, outputs.speaker)):
            replay = play_with_people(game, bots, played=played, on_end=ends.append, **options)
            desk.ended()
    except Interrupted as interrupt:
        raise Ended(exit_status(interrupt), _kept_unfinished(played, interrupt.replay, bots, outputs)) from interrupt
    except LeftError as left:
        raise Ended(1, _kept_unfinished(played, None, bots, outputs)) from left
    sys.stdout.write("\n")
    return replay, ends[-1], _write(replay, bots, outputs)


def play_in_browser(
    game: Game, bots: Bots, options: dict[str, Any], outputs: Outputs
) -> tuple[Replay, None, OperatorError | None]:
    """Play at a page, until the match is over and the page is no longer wanted (Ctrl-C)."""
    from dohyo.match.people.desk import person_in
    from dohyo.match.replays import last
    from dohyo.web.served.play_server import PlayServer

    people = [seat for seat, word in enumerate(bots) if person_in([word])]
    failures: list[OperatorError | None] = []
    kept: list[Replay] = []

    def keep(replay: Replay) -> None:
        kept.append(replay)
        failures.append(_write(replay, bots, outputs))

    with closing(PlayServer(game, bots, people, outputs.speaker, on_end=keep, keep=last.keep, **options)) as server:
        typer.echo(outputs.speaker.say("play-at"))
        typer.echo(f"  {server.address}")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt as stop:
            server.close()
            if not kept or kept[-1].result.unfinished:
                raise Ended(exit_status(stop), _unfinished(kept[-1] if kept else None, outputs)) from stop
    return kept[-1], None, failures[-1]


def _write(replay: Replay, bots: Bots, outputs: Outputs) -> OperatorError | None:
    """Keep the match, and write its files; why one could not be written."""
    from dohyo.match.replays.last import keep

    outputs.kept = keep(replay, bots)
    try:
        outputs.write(replay)
    except OperatorError as error:
        return error
    return None


def _kept_unfinished(played: Any, last: Replay | None, bots: Bots, outputs: Outputs) -> str:
    """Keep what was played of a match that is not over; the sentence for whoever ended it."""
    whole = played.whole() or last
    if whole is None or not whole.turns:
        return ""
    if (failed := _write(whole, bots, outputs)) is not None:
        raise failed
    return _unfinished(whole, outputs)


def _unfinished(replay: Replay | None, outputs: Outputs) -> str:
    if replay is None or not replay.turns:
        return ""
    paths = ", ".join(outputs.written) or outputs.kept
    return outputs.speaker.say("interrupted-saved", turns=replay.played, paths=paths) if paths else ""
