"""`dohyo demo`: what Dohyo does, in one go: bots are built, a match is played and recorded, then a round of them.

Each step prints the command that does the same; the round's is that of its first match.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from dohyo.cli.asking import asks
from dohyo.cli.options import Outputs, application
from dohyo.core.asked import says
from dohyo.core.errors import MachineError, OperatorError
from dohyo.i18n import Speaker
from dohyo.terminal.screen import Progress, bot_names, can_draw, console, show, table

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.core.game import Game
    from dohyo.core.replay import Replay

app = application()

SEED = 7
AT_LEAST = 8  # matches of a round
FILM_SECONDS = 4.0
FILM_RATE = 15  # pictures per second


@asks(app)
def demo(
    folder: Annotated[str, says("Where replays and pages go.", "FOLDER")] = "demo",
    *,
    speaker: Speaker,
) -> None:
    """Show what Dohyo does: build bots, play, write replays to look at."""
    from dohyo.games import all_games

    place = Path(folder)
    chosen = all_games()
    for inner in (place, *(place / name for name in chosen)):
        try:
            inner.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MachineError("cannot-write", path=inner, reason=error) from error
    for game in chosen.values():
        Demonstration(game, place, speaker).run()


class Demonstration:
    """The demonstration of one game."""

    def __init__(self, game: Game, folder: Path, speaker: Speaker) -> None:
        self.game = game
        self.folder = folder
        self.speaker = speaker
        self.out: Console = console()

    def run(self) -> None:
        """Build, play a match, play a round, print where everything is."""
        from dohyo.core.descriptions import about_in
        from dohyo.core.game import title_in

        title = self.speaker.labelled(title_in(self.game, self.speaker), about_in(self.game, self.speaker))
        self.out.print(f"\n{title}\n", style="bold")
        names, lasting = self.build()
        replay, page = self.match(names)
        matches = self.round(lasting)
        self.say("demo.look")
        self.out.print(f"  {page}   ({self.speaker.say('demo.look-page')})", soft_wrap=True)
        self.command("replay", str(replay), "--watch")
        self.say("demo.look-more", matches=matches, folder=replay.with_suffix(""))
        self.out.print()
        self.say("demo.next")
        mine = f"my-{self.game.name}" if self.game.starter is not None else "my_bot.py"
        if self.game.starter is not None:
            self.command("new", "bot", self.game.name, "--lang", "python", mine)
        self.command("play", self.game.name, mine, *self.seated(lasting, 1)[0][1:], "--watch")

    def build(self) -> tuple[list[str], list[str]]:
        """Build the sample bots in parallel; the names of those that this machine can build and run.

        Bots with a build step of their own are omitted: compiling a search takes longer than the rest of the demo.

        Bots with a process for each turn are omitted too: that takes too long for a round.
        """
        from dohyo import bots
        from dohyo.bots.samples import sample_bots

        self.say("demo.builds")
        started = time.monotonic()
        samples = bots.samples_of(self.game)
        names = [name for name, path in sample_bots(self.game).items() if not (Path(path) / "bot.toml").exists()]
        while True:
            try:
                found = bots.resolve(names, samples)
            except OperatorError as error:
                skipped = error.message.values.get("bot")
                if skipped not in names or len(names) == 1:
                    raise
                names.remove(str(skipped))
                self.say("demo.skipped", reason=error.say(self.speaker))
            else:
                self.say(
                    "demo.built",
                    seconds=self.speaker.duration(time.monotonic() - started),
                    bots=self.speaker.listed(names),
                )
                self.out.print()
                return names, [name for name, bot in zip(names, found, strict=True) if bot.lifetime != "turn"]

    def match(self, names: Sequence[str]) -> tuple[Path, Path]:
        """Play one match and write its replay and its page; returns where they are."""
        from dohyo.match.play import play_match
        from dohyo.match.telling.summary import summarise
        from dohyo.system.proc import fair_mode
        from dohyo.terminal.summary import print_summary

        replay_path = self.folder / f"{self.game.name}.replay"
        page_path = self.folder / f"{self.game.name}.html"
        seated = self.seated(names, 1)[0]
        self.say("demo.match")
        options = [*self.setup(), "--seed", str(SEED), "--save", str(replay_path), "--html", str(page_path)]
        self.command("play", self.game.name, *seated, *options)
        with Progress(self.speaker) as progress:
            choices: dict[str, Any] = {"seed": SEED, "setup": self.game.demo, "sandbox": "none", "mode": fair_mode()}
            replay = play_match(self.game, seated, on_progress=progress.on_turn, **choices)
        Outputs(str(replay_path), str(page_path), self.speaker).write(replay)
        self.film(replay)
        print_summary(summarise(replay), self.game, self.out, self.speaker)
        self.out.print()
        return replay_path, page_path

    def round(self, names: Sequence[str]) -> int:
        """Play a round of matches on all cores and print the standings; returns the number of matches."""
        from dohyo import bots
        from dohyo.core import replay_format
        from dohyo.executors.messages import MatchOrder
        from dohyo.executors.pool import Pool
        from dohyo.match.replays.replays import save
        from dohyo.system.proc import fair_mode

        folder = self.folder / self.game.name
        seated = self.seated(names, AT_LEAST)
        found = dict(zip(names, bots.resolve(names, bots.samples_of(self.game)), strict=True))
        terms: dict[str, Any] = {"setup": dict(self.game.demo), "sandbox": "none", "mode": fair_mode()}
        orders = [
            MatchOrder(str(seed), self.game.name, tuple(found[name] for name in match), seed, **terms)
            for seed, match in enumerate(seated, 1)
        ]
        places: dict[int, tuple[int, ...]] = {}  # by seed
        turns, started = 0, time.monotonic()
        with Pool() as pool, Progress(self.speaker) as progress:
            self.say("demo.round", matches=len(seated), cores=pool.workers)
            first = [*seated[0], *self.setup(), "--seed", "1", "--save", str(folder / "1.replay")]
            self.command("play", self.game.name, *first)
            for report in pool.play(orders):
                if report.error:
                    raise RuntimeError(report.error)
                save(replay_format.decode(report.replay), folder / f"{report.key}.replay")
                places[int(report.key)] = report.places
                turns += report.turns
                progress.show(self.speaker.say("demo.progress", done=len(places), matches=len(seated)))
        took = self.speaker.duration(time.monotonic() - started)
        headings = [self.speaker.say(f"column.{name}") for name in ("bot", "matches", "points", "wins", "mean-place")]
        shown = dict(zip(found, bot_names(found.values()), strict=True))  # as the match's own table names them
        rows = [
            (
                shown[each.bot],
                str(each.matches),
                f"{each.points:g}",
                str(each.wins),
                f"{each.places / each.matches:.2f}",
            )
            for each in standings(seated, [reached for _, reached in sorted(places.items())])
        ]
        self.out.print()
        show(table(headings, rows, right=(1, 2, 3, 4)), self.out)
        self.say("demo.round-took", turns=turns, seconds=took)
        self.out.print()
        return len(seated)

    def setup(self) -> list[str]:
        """The words for the setup of a short match; the bots are our own, so they need no sandbox."""
        words = [word for key, value in self.game.demo.items() for word in ("--setup", f"{key}={value}")]
        return [*words, "--trust"]

    def seated(self, names: Sequence[str], at_least: int) -> list[list[str]]:
        """Who has which seat: as many bots as the game takes, but not more than there are, if possible."""
        fewest, most = self.game.seats
        return seatings(names, min(max(len(names), fewest), most), at_least)

    def film(self, replay: Replay) -> None:
        """On a terminal, show the match in a few seconds; then, or without a terminal, its last moment."""
        from rich.live import Live
        from rich.text import Text

        from dohyo.terminal.watch import Scenes

        maker = Scenes(self.game, self.speaker)
        scenes = list(maker.new(replay))
        step = max(1, round(len(scenes) / (FILM_SECONDS * FILM_RATE)))
        self.out.print()
        if can_draw():
            with Live(console=self.out, auto_refresh=False) as live:
                for scene in [*scenes[::step], scenes[-1]]:
                    live.update(Text.from_markup(maker.picture(scene), emoji=False), refresh=True)
                    time.sleep(1 / FILM_RATE)
        else:
            for line in Text.from_markup(maker.picture(scenes[-1]), emoji=False).plain.splitlines():
                self.out.print(line.rstrip())
        self.out.print()

    def command(self, *words: str) -> None:
        """Print a command that the person could type."""
        self.out.print(f"  $ dohyo {shlex.join(words)}", style="cyan", soft_wrap=True)

    def say(self, key: str, **details: object) -> None:
        """Print a sentence in the person's language."""
        self.out.print(self.speaker.say(key, **details))


# --- the round


class Standing(NamedTuple):
    """A bot's result: one point for each opponent placed after it, half a point for each that shared its place.

    `wins` are first places that it shared with nobody.
    """

    bot: str
    matches: int = 0
    points: float = 0.0
    wins: int = 0
    places: int = 0  # the sum of them


def seatings(bots: Sequence[str], seats: int, at_least: int) -> list[list[str]]:
    """Who has which seat in each match: every bot has every seat equally often."""
    matches = -(-at_least // len(bots)) * len(bots)
    return [[bots[(match + seat) % len(bots)] for seat in range(seats)] for match in range(matches)]


def standings(seated: Sequence[Sequence[str]], places: Sequence[Sequence[int]]) -> list[Standing]:
    """The bots, the best first, from who sat where in each match, and the places by seat."""
    found: dict[str, Standing] = {bot: Standing(bot) for match in seated for bot in match}
    for match, reached in zip(seated, places, strict=True):
        for bot, place in zip(match, reached, strict=True):
            behind, beside = sum(other > place for other in reached), reached.count(place) - 1
            one = found[bot]
            found[bot] = one._replace(
                matches=one.matches + 1,
                points=one.points + behind + beside / 2,
                wins=one.wins + (place == 1 and not beside),
                places=one.places + place,
            )
    return sorted(found.values(), key=lambda one: (-one.points / one.matches, one.bot))
