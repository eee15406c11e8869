"""`dohyo puzzles`: positions of recorded matches in which one action holds a win; found, listed, solved."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson
from dohyo.i18n import Speaker
from dohyo.terminal.screen import NAME, Progress, console, show, table

if TYPE_CHECKING:
    from dohyo.guests.puzzles.searching import Count
    from dohyo.series.puzzles.file import PuzzleFile
    from dohyo.series.puzzles.ratings import Rating

app = application()

MOST = 100_000
EXAMPLES = """\b
Examples:
  dohyo puzzles contest.db
  dohyo puzzles replays/ --game chess --seconds 600 --out chess.jsonl
  dohyo puzzles chess.jsonl
  dohyo puzzles chess.jsonl --browser

'dohyo help docs/puzzles.md' says what counts as a puzzle, and what the file holds."""

Words = Annotated[
    list[str],
    says(
        "Contests' stores, or replays and folders of them; or a file of puzzles.",
        "STORE|REPLAY...|FILE",
        is_bare=True,
    ),
]


@asks(app, epilog=EXAMPLES)
def puzzles(
    words: Words,
    game: Annotated[str | None, says("Only matches, or puzzles, of this game.", "GAME")] = None,
    most: Annotated[int, says("How many new puzzles are enough.", "N", at_least=1, at_most=MOST)] = 100,
    seconds: Annotated[float, says("How long to search.", "S", at_least=1, at_most=1e7)] = 300.0,
    out: Annotated[str, says("The file of puzzles that is written, or added to.", "FILE")] = "puzzles.jsonl",
    browser: Annotated[bool, says("Until Ctrl-C, give browsers of this machine a page to solve them.")] = False,
    name: Annotated[str, says("With --browser: who solves them, for the rating.", "NAME", longest=60)] = "me",
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Find puzzles in recorded matches, and solve them in a browser.

    A puzzle is a position in which one action holds a win that all others give away. What is found is written at
    once, and the same command goes on where it stopped.
    """
    from dohyo.series.puzzles.file import is_puzzle_file, read

    if any(is_puzzle_file(word) for word in words):
        if len(words) > 1:
            raise OperatorError("puzzles-one-file", file=words[0])
        if browser:
            _serve(words[0], game, name, speaker)
        else:
            _tell_file(read(words[0]), game, as_json, speaker)
        return
    if browser:
        raise OperatorError("puzzles-browser-file")
    _find(words, game, most, seconds, out, as_json, speaker)


def _find(
    words: list[str], game: str | None, most: int, seconds: float, out: str, as_json: bool, speaker: Speaker
) -> None:
    """Search, and say what was found; also where it is interrupted."""
    from dohyo.guests.puzzles.matches import gathered
    from dohyo.guests.puzzles.searching import Finder
    from dohyo.match import own_games
    from dohyo.series.puzzles.file import Written

    if game is not None:
        game = own_games.find(game).name
    is_new = not os.path.lexists(out)
    with closing(gathered(words, game)) as found, Written(out) as written, Progress(speaker) as progress:
        compiled = find_spec("numba") is not None

        def tell(count: Count) -> None:
            values = {"done": count.matches, "of": count.of, "positions": count.positions, "found": count.puzzles}
            progress.show(speaker.say("puzzles.progress", **values))

        with Finder(written, most=most, seconds=seconds, compiled=compiled, on_progress=tell) as finder:
            try:
                finder.look(found.matches, game)
            except OperatorError as error:  # nothing was looked at, and an empty file would be in the way
                if is_new and error.key in own_games.NOT_FOUND:
                    os.unlink(out)
                raise
            except KeyboardInterrupt:
                progress.show("")
                _tell_found(finder.count, out, as_json, compiled, speaker)
                raise
    _tell_found(finder.count, out, as_json, compiled, speaker)


def _tell_found(count: Count, out: str, as_json: bool, compiled: bool, speaker: Speaker) -> None:
    if as_json:
        document = {
            "file": out,
            "found": dict(count.found),
            "matches": count.matches,
            "of": count.of,
            "positions": count.positions,
            "unread": count.unread,
            "silent": sorted(count.silent),
        }
        sys.stdout.write(clean.document(document))
        return
    by_game = ", ".join(f"{game} {number}" for game, number in sorted(count.found.items()))
    told = {"found": count.puzzles, "games": by_game, "file": clean.line(out)}
    typer.echo(speaker.say("puzzles.found", **told) if by_game else speaker.say("puzzles.found-none"))
    typer.echo(speaker.say("puzzles.looked", done=count.matches, of=count.of, positions=count.positions))
    if count.matches < count.of:
        typer.echo(speaker.say("puzzles.goes-on"))
    if count.unread:
        typer.echo(speaker.say("puzzles.unread", unread=count.unread))
    for game in sorted(count.silent):
        typer.echo(speaker.say("puzzles.silent", game=game))
    if not compiled:
        typer.echo(speaker.say("analysis.plain"))


def _tell_file(found: PuzzleFile, game: str | None, as_json: bool, speaker: Speaker) -> None:
    """How many puzzles of which games there are, and who has tried them, with the ratings that are known."""
    from dohyo.series.puzzles.ratings import PuzzleRatings

    chosen = [one for one in found.puzzles if game in (None, one.game)]
    ratings = PuzzleRatings(found.attempts)
    by_game = Counter(one.game for one in chosen)
    proven = Counter(one.game for one in chosen if one.how == "proven")
    if as_json:
        told = {
            "games": {each: {"puzzles": by_game[each], "proven": proven[each]} for each in sorted(by_game)},
            "puzzles": [
                {"id": one.id, "game": one.game, "rating": _plain(ratings.of_puzzle(one.id))} for one in chosen
            ],
            "solvers": [
                {"name": clean.line(who, NAME), "is_bot": is_bot, "rating": _plain(rating)}
                for who, is_bot, rating in ratings.solvers()
            ],
            "left_out": found.left_out,
        }
        sys.stdout.write(clean.document(told))
        return
    out = console()
    headings = [speaker.say(f"puzzles.column-{each}") for each in ("game", "puzzles", "proven")]
    rows = [[clean.line(each, NAME), str(by_game[each]), str(proven[each])] for each in sorted(by_game)]
    show(table(headings, rows, right=(1, 2), named=0), out)
    solvers = ratings.solvers()
    if solvers:
        out.print()
        headings = [speaker.say(f"puzzles.column-{each}") for each in ("solver", "tries", "rating")]
        rows = [[clean.line(who, NAME), str(one.tries), rating_in_words(one, speaker)] for who, _, one in solvers]
        show(table(headings, rows, right=(1,), named=0), out)
    if found.left_out:
        out.print(speaker.say("puzzles.left-out", lines=found.left_out), soft_wrap=True)


def _plain(rating: Rating | None) -> object:
    return None if rating is None or not rating.is_known else msgspec.to_builtins(rating)


def rating_in_words(rating: Rating | None, speaker: Speaker) -> str:
    """A rating with how sure it is; that it is not known yet, where the interval is too wide to say anything."""
    from dohyo.series.puzzles.telling import rated

    return rated(rating, speaker) or speaker.say("puzzles.rating-unknown")


def _serve(path: str, game: str | None, name: str, speaker: Speaker) -> None:
    """Serve the page until a signal comes."""
    from dohyo.guests.puzzles.serving import PuzzleServer

    with closing(PuzzleServer(path, game, name, speaker)) as server:
        typer.echo(speaker.say("puzzles.served-at"))
        typer.echo(f"  {server.address}")  # alone on its line, where a terminal makes it a link
        server.serve_forever()
