"""What `dohyo tune` prints: a live picture, the values found, the final comparison, how to play with them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from dohyo import clean
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.errors import OperatorError
from dohyo.core.game import title_in
from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import counted
from dohyo.terminal.screen import can_draw, console, picture, show, table

if TYPE_CHECKING:
    from dohyo.executors import MatchOrder
    from dohyo.executors.choice import Elsewhere
    from dohyo.executors.played_again import CountsAgain
    from dohyo.guests.tune.begin import Prepared
    from dohyo.guests.tune.final import Outcome
    from dohyo.guests.tune.tuning import Best, Tuning
    from dohyo.series.compare import Trial
    from dohyo.series.formats.comparison import SoFar

PRINTED = 5  # without a terminal, a line is printed after every fifth generation
VALUES = 5  # along a parameter, in the table
CLEAR = 0.05  # a change of the expected score below which a parameter is said to matter little


class TuningOutput:
    """Plays a tuning and its final comparison of `final` rounds, and prints them, for a person or a script."""

    def __init__(self, ready: Prepared, final: int, html: str | None, speaker: Speaker, as_json: bool) -> None:
        self.ready, self.tuning = ready, ready.tuning
        self.rounds = final
        self.html = html
        self.speaker = speaker
        self.as_json = as_json
        self.python: str | None = None
        self.out = console()
        self.comparison: Trial | None = None
        self.without_effect: tuple[str, ...] = ()
        self._counts: CountsAgain | None = None
        self._draws = can_draw() and not as_json
        self._started, self._played_before = monotonic(), self.tuning.record.played

    def run(self, workers: int | None, place: Elsewhere | None, python: str | None) -> int:
        """Play until all is played, and print the result; the exit status."""
        from dohyo.executors.choice import executor_for
        from dohyo.executors.played_again import CountsAgain
        from dohyo.guests.tune.faults import ManyFaultsError
        from dohyo.guests.tune.waiting import SaysWhatWaits

        self.python = python
        if not self.as_json:
            self._print_begin()
        try:
            with executor_for(workers, place, self.ready.archive_of, python) as players:
                self._counts = CountsAgain(players)
                executor = SaysWhatWaits(self._counts, self._say_waits)
                self._look_for_effects(executor)
                with self._picture() as draw:
                    for _ in self.tuning.play(executor):
                        draw()
                    self._compare(executor, draw)
        except KeyboardInterrupt as interrupt:
            self.finish(interrupted=True)
            key = "tune.interrupted-anew" if self.tuning.record.is_anew else "tune.interrupted"
            sentence = self.say(key, store=clean.line(str(self.tuning.record.path)))
            raise Ended(exit_status(interrupt), sentence) from interrupt
        except Exception as error:
            if self.tuning.found is not None:
                self.finish(interrupted=True)
            if isinstance(error, ManyFaultsError):
                alone = self.ready.alone(error.bots, error.seed, python)
                raise OperatorError(error.key, **{**error.message.values, "command": alone}) from error
            raise
        self.finish()
        return 0

    def _look_for_effects(self, executor: Any) -> None:
        """Find the parameters that seem to change nothing, and name them."""
        from dohyo.core.parameters import variable
        from dohyo.guests.tune.effects import TRIES, is_open, values_tried, without_effect

        if is_open(self.tuning) and not self.as_json:
            self.out.print(self.say("tune.looking"))
        self.without_effect = without_effect(self.tuning, executor)
        for one in self.tuning.space:
            if one.name in self.without_effect and not self.as_json:
                known = {"name": one.name, "values": ", ".join(values_tried(one)), "matches": TRIES}
                self.out.print(self.say("tune.unread", variable=variable(one.name), **known), style="yellow")

    def _compare(self, executor: Any, draw: Any) -> None:
        """The final comparison, if there is anything to compare."""
        from dohyo.guests.tune.final import final_comparison, is_default

        values = self.tuning.found
        assert values is not None
        if self.rounds and not is_default(self.tuning):
            self.comparison = final_comparison(self.tuning, values, self.ready.default, self.rounds)
            for _ in self.comparison.play(executor):
                draw()

    @property
    def _outcome(self) -> Outcome:
        from dohyo.guests.tune.final import outcome_of

        return outcome_of(self.tuning, self.comparison, self.rounds)

    # --- while it runs

    @contextmanager
    def _picture(self) -> Iterator[Any]:
        """What to call after each match: it redraws a picture in its place, or prints a line from time to time."""
        if not self._draws:
            said = 0

            def line() -> None:
                nonlocal said
                at = self.tuning.generations
                if not self.as_json and at > said and at % PRINTED == 0:
                    said = at
                    self.out.print("  ".join(self._progress()))

            yield line
            return
        with picture(self.out, self.speaker, self._progress) as draw:
            yield draw

    def _progress(self) -> list[str]:
        """How far it is, and what is best now."""
        tuning = self.tuning
        final = 0 if self.comparison is None else self.comparison.known.matches
        played = max(0, tuning.matches + final - self._played_before)
        rate = f"{played / max(monotonic() - self._started, 0.001):.2g}"
        lines = [self.say("tune.progress", played=tuning.matches, all=tuning.rounds * len(tuning.round), rate=rate)]
        if tuning.found is not None:
            values = "  ".join(f"{name}={value}" for name, value in tuning.found.items())
            lines.append(self.say("tune.best-now", values=values))
        if self.comparison is not None:
            known = self.comparison.known
            lines.append(self.say("tune.final-now", figures="   ".join(self._figures(known))))
        return lines

    # --- before and after

    def _print_begin(self) -> None:
        tuning = self.tuning
        names = [clean.line(one.name) for one in tuning.opponents]
        own = tuning.opponents == [self.ready.default]
        against = self.say("tune.defaults") if own else ", ".join(names)
        title = self.say(
            "tune.title", game=title_in(tuning.game, self.speaker), bot=clean.line(tuning.bot.name), against=against
        )
        self.out.print(title, style="bold")
        ranges = "  ".join(f"{one.name}={one.range}" for one in tuning.space)
        self.out.print(self.say("tune.terms", ranges=ranges, seed=tuning.terms.seed))
        if self._played_before:
            self.out.print(self.say("tune.resumed", matches=self._played_before, store=str(tuning.record.path)))

    def finish(self, interrupted: bool = False) -> None:
        """Print what came of it, and write the page."""
        page = self.html if self.tuning.found is not None else None
        try:
            if self.as_json:
                self._print_json(interrupted)
            elif self.tuning.found is not None:
                self._print_found()
                self._print_final()
                self._print_words(self.tuning.found)
                self._print_again()
        finally:
            if page is not None:
                self._write_page(page)

    def _print_again(self) -> None:
        """How many matches were played again, if any, and what would help."""
        from dohyo.executors.played_again import again_in_words

        if self._counts is not None and self._counts.again:
            terms = self.tuning.terms
            self.out.print(again_in_words(self._counts.again, terms.clock, terms.mode, self.speaker))

    def _print_found(self) -> None:
        """The table of parameters, and the expected score."""
        from dohyo.guests.tune.final import EXPECTED
        from dohyo.guests.tune.tuning import curve, reach

        tuning, best = self.tuning, self.tuning.best
        assert best is not None
        headings = [self.say(f"tune.column.{name}") for name in ("name", "range", "default", "best", "curve")]
        rows = []
        for axis, one in enumerate(tuning.space):
            points = curve(tuning, axis, VALUES)
            if one.name in self.without_effect:
                shown = self.say("tune.same-answers")
            elif reach(tuning, axis) < CLEAR:
                shown = self.say("tune.no-effect")
            else:
                shown = "  ".join(f"{point.value}: {100 * point.score:.0f}" for point in points[:8])
            rows.append([one.name, one.range, one.default or "-", best.values[one.name], shown])
        self.out.print()
        show(table(headings, rows), self.out)
        self.out.print()
        if self._outcome in EXPECTED:
            self.out.print(self.say("tune.expected", matches=tuning.matches, score=self._score(best)))
        for key, faults in (("tune.faults", tuning.faults), ("tune.faults-of-others", tuning.opponents_faults)):
            if faults:
                kinds = counted(dict(sorted(faults.items())), self.speaker)
                self.out.print(self.say(key, kinds=kinds))

    def _print_final(self) -> None:
        """The final comparison, and what it means in one sentence."""
        from dohyo.series.compare import told_rounds

        if self.comparison is not None and self.comparison.known.matches:
            known = self.comparison.known
            rounds = told_rounds(known.verdict.clusters, self.tuning.terms.seats, self.speaker)
            self.out.print(self.say("tune.final", rounds=rounds, figures="   ".join(self._figures(known))))
        self.out.print(self.say(f"tune.{self._outcome}"), style="bold")

    def _print_words(self, values: dict[str, str]) -> None:
        """What to type, and to write into a `bot.toml`, to play with these values, if they are worth it."""
        from dohyo.guests.tune.final import RECOMMENDED
        from dohyo.guests.tune.space import toml

        if self._outcome not in RECOMMENDED:
            return
        self.out.print()
        if line := self._to_play(values):
            self.out.print(self.say("tune.to-play"))
            self.out.print(f"  {line}", soft_wrap=True)  # it can be copied as one line
        self.out.print(self.say("tune.in-toml"))
        self.out.print(f"  {toml(self.tuning.space, values)}", soft_wrap=True)

    def _to_play(self, values: dict[str, str]) -> str:
        """What plays with these values; empty for a bot at a revision, which takes no values on the command line."""
        from dohyo.match.command_lines import with_values

        word = with_values(self.ready.words[0], values)
        return "" if word is None else self.ready.line(word, "...", python=self.python)

    def _say_waits(self, order: MatchOrder, seconds: float) -> None:
        """No match has ended for some time: say so, and which one to look at; another thread may call this."""
        alone = self.ready.alone(order.bots, order.seed, self.python)
        sentence = self.say("tune.waits", minutes=f"{seconds / 60:.0f}", command=alone)
        if self.as_json:
            print(sentence, file=sys.stderr, flush=True)
        else:
            self.out.print(sentence, style="yellow", soft_wrap=True)

    def _write_page(self, path: str) -> None:
        from dohyo.guests.tune.page import html
        from dohyo.match.files import write_whole

        known = None if self.comparison is None else self.comparison.known
        line = self._to_play(self.tuning.found) if self.tuning.found else ""
        write_whole(path, html(self.tuning, known, line, self._outcome, self.speaker).encode())
        if not self.as_json:
            self.out.print(self.say("tune.page", path=clean.line(path)))

    # --- pieces of lines

    def _score(self, best: Best) -> str:
        return self.say("tune.score", percent=f"{100 * best.score:.0f}", wide=f"{100 * best.wide:.0f}")

    def _figures(self, known: SoFar) -> list[str]:
        from dohyo.series.compare import elo_line

        key = "compare.wdl" if self.tuning.terms.seats == 2 else "compare.opponents"
        return [
            self.say(key, won=known.won, tied=known.tied, lost=known.lost),
            elo_line(known.verdict, self.speaker),
        ]

    def say(self, key: str, **details: object) -> str:
        """A sentence in the person's language."""
        return self.speaker.say(key, **details)

    def _print_json(self, interrupted: bool) -> None:
        known = document(self.tuning, self.comparison, self._outcome, interrupted)
        sys.stdout.write(clean.document({**known, "without_effect": list(self.without_effect)}))


def document(tuning: Tuning, comparison: Trial | None, outcome: Outcome, interrupted: bool) -> dict[str, Any]:
    """All that is known, for a script."""
    import msgspec

    final = None
    if comparison is not None:
        known = comparison.known
        verdict = known.verdict
        final = {
            "pairs": verdict.clusters,
            "matches": known.matches,
            "won": known.won,
            "tied": known.tied,
            "lost": known.lost,
            **{name: getattr(verdict, name) for name in ("elo", "elo_low", "elo_high", "los")},
        }
    return {
        "game": tuning.game.name,
        "interrupted": interrupted,
        "seed": tuning.terms.seed,
        "matches": tuning.matches,
        "parameters": msgspec.to_builtins(tuning.space),
        "best": None if tuning.best is None else msgspec.to_builtins(tuning.best),
        "outcome": outcome,
        "final": final,
        "tried": msgspec.to_builtins(tuning.tried),
        "faults": dict(tuning.faults),
        "opponents_faults": dict(tuning.opponents_faults),
        "terms": msgspec.to_builtins(tuning.terms),
    }
