"""`dohyo check --puzzles FILE`: how many puzzles a bot solves in its time."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.i18n import Speaker
from dohyo.terminal.screen import NAME, Progress, console, show, side_by_side, table

if TYPE_CHECKING:
    from dohyo.series.puzzles.puzzle import Position
    from dohyo.series.puzzles.ratings import Rating
    from dohyo.series.puzzles.solving import Solved, Verdict

VERDICTS: tuple[Verdict, ...] = ("solved", "wrong", "late", "fault")
SHOWN = 20  # puzzles that were not solved, in the terminal: --json has all
ANSWER = 40  # characters of an answer in the table


def file_of(path: str | None, beside: object) -> str:
    """The file that is asked for. Raises `OperatorError` without one, and for what else is asked for `beside` it."""
    if path is None:
        raise OperatorError("rate-without-puzzles")
    if beside:
        raise OperatorError("puzzles-alone")
    return path


def run(
    game: Game, word: str, options: dict[str, Any], path: str, rates: bool, as_json: bool, speaker: Speaker
) -> None:
    """Put a bot into every puzzle of this game, and tell how many it solves; `options` are those of the check."""
    from dohyo.match.found_bots import find_named
    from dohyo.series.puzzles.file import Attempt, Written, read
    from dohyo.series.puzzles.ratings import PuzzleRatings
    from dohyo.series.puzzles.solving import solve

    held = Written(path) if rates else None
    with held or nullcontext():
        known = held.known if held is not None else read(path)
        positions, refused = positions_of(known.puzzles, game, options["setup"])
        if not positions:
            raise OperatorError("puzzles-none-of-game", path=path, game=game.name)
        (bot,) = find_named(game, [word], options["python"], options["sandbox"], options["debug"], options["setup"])
        found: list[Solved] = []
        with Progress(speaker) as progress:

            def tell(one: Solved) -> None:
                found.append(one)
                solved = sum(each.verdict == "solved" for each in found)
                told = {"done": len(found), "of": len(positions), "solved": solved}
                progress.show(speaker.say("puzzles-progress", **told))
                if held is not None:
                    right = one.verdict == "solved"
                    held.add_attempt(Attempt(one.position.id, clean.line(bot.name, NAME), right, True, one.seconds))

            solve(positions, bot, options["sandbox"], options["clock"], tell)
        ratings = PuzzleRatings(known.attempts)
    rating = ratings.of_solver(clean.line(bot.name, NAME), is_bot=True) if rates else None
    if as_json:
        sys.stdout.write(clean.document(_document(bot.name, found, refused, rating), default=str))
    else:
        _print(bot.name, found, refused, rating, game, speaker)


def positions_of(puzzles: Sequence[Any], game: Game, setup: dict[str, Any]) -> tuple[list[Position], int]:
    """The positions of this game's puzzles, each once, with the operator's setup if there is one; and how many of
    them cannot be set."""
    from dohyo.core.options import resolve
    from dohyo.series.puzzles.puzzle import position_of

    found: dict[str, Position] = {}
    refused = 0
    for puzzle in puzzles:
        if puzzle.game != game.name:
            continue
        try:
            position = position_of(puzzle)
        except OperatorError:
            refused += 1
            continue
        full = resolve(game.options, puzzle.setup, game.catalogue)
        if all(str(full.get(key)) == str(value) for key, value in setup.items()):
            found.setdefault(position.id, position)
    return list(found.values()), refused


def _document(name: str, found: Sequence[Solved], refused: int, rating: Rating | None) -> dict[str, Any]:
    from dohyo.series.puzzles.solving import score_of

    score = score_of(found)
    verdicts = Counter(one.verdict for one in found)
    return {
        "bot": clean.line(name, NAME),
        "score": msgspec.to_builtins(score),
        "verdicts": {each: verdicts[each] for each in VERDICTS},
        "refused": refused,
        "rating": None if rating is None or not rating.is_known else msgspec.to_builtins(rating),
        "puzzles": [
            {
                "id": one.position.id,
                "turn": one.position.puzzle.turn,
                "seat": one.position.puzzle.seat,
                "verdict": one.verdict,
                "solution": one.position.puzzle.solution,
                "answer": clean.line(one.answer),
                "seconds": one.seconds,
                "fault": None if one.fault is None else one.fault.kind.value,
            }
            for one in found
        ],
    }


def _print(
    name: str, found: Sequence[Solved], refused: int, rating: Rating | None, game: Game, speaker: Speaker
) -> None:
    from dohyo.match.telling.fault_words import verdict as fault_in_words
    from dohyo.series.puzzles.solving import score_of
    from dohyo.series.puzzles.telling import rated

    out, score = console(), score_of(found)
    own = speaker.knowing(game.catalogue)
    shares = {"percent": score.solved / max(1, score.of), "low": score.low, "high": score.high}
    told = speaker.say(
        "puzzles-score",
        bot=clean.line(name, NAME),
        solved=score.solved,
        of=score.of,
        **{each: round(100 * share) for each, share in shares.items()},
    )
    out.print(told, style="bold", soft_wrap=True)
    verdicts = Counter(one.verdict for one in found)
    facts = [(speaker.say(f"puzzles-verdict-{each}"), str(verdicts[each])) for each in VERDICTS if verdicts[each]]
    if known := rated(rating, speaker):
        facts.append((speaker.say("puzzles-rating"), known))
    out.print("\n".join(side_by_side(facts, speaker)), soft_wrap=True)
    missed = [one for one in found if one.verdict != "solved"]
    if missed:
        out.print()
        headings = [speaker.say(f"puzzles-column-{each}") for each in ("puzzle", "turn", "answered", "right")]
        rows = [
            [
                one.position.id,
                str(one.position.puzzle.turn),
                fault_in_words(one.fault, speaker)
                if one.fault is not None
                else clean.line(game.action_in_words(one.answer, own), ANSWER),
                clean.line(game.action_in_words(one.position.puzzle.solution, own), ANSWER),
            ]
            for one in missed[:SHOWN]
        ]
        show(table(headings, rows, right=(1,)), out)
        if len(missed) > SHOWN:
            out.print(speaker.say("puzzles-more", more=len(missed) - SHOWN), soft_wrap=True)
    if refused:
        out.print(speaker.say("puzzles-refused", refused=refused), soft_wrap=True)
