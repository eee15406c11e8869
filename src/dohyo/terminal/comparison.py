"""A comparison, for a person or a script: while it runs, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo import clean
from dohyo.core.game import title_in
from dohyo.executors.played_again import again_in_words
from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import counted
from dohyo.series.compare import decision, elo_line, labels, percent, same_program, told_elo, told_rounds
from dohyo.series.sequential import pentanomial
from dohyo.system import proc
from dohyo.system.proc import fair_mode
from dohyo.terminal.compare_kept import document as kept_document
from dohyo.terminal.compare_kept import kept_lines, lined_up
from dohyo.terminal.screen import can_draw, console, picture

if TYPE_CHECKING:
    from dohyo.executors.played_again import CountsAgain
    from dohyo.series.compare import Trial
    from dohyo.series.compare_folder import ComparisonFolder
    from dohyo.series.exports.pgn import PgnFile
    from dohyo.series.formats.comparison import Against, Part, SoFar
    from dohyo.series.sequential import Hypotheses, Verdict

PRINTED_COUNTS = (1, 2, 5)  # times a power of ten: after so many pairs a line is printed, without a terminal
FEWEST = 10  # pairs, before an interval alone is taken as evidence


class ComparisonOutput:
    """Prints a comparison, for a person or a script."""

    def __init__(
        self,
        trial: Trial,
        speaker: Speaker,
        as_json: bool,
        folder: ComparisonFolder | None = None,
        words: Sequence[str] = (),
        python: str | None = None,
        pgn: PgnFile | None = None,
    ) -> None:
        """`words` (for the bots) and `python` are what was typed for them, `folder` and `pgn` where matches go."""
        self.trial = trial
        self.speaker = speaker
        self.as_json = as_json
        self.folder = folder
        self.words = words
        self.python = python
        self.pgn = pgn
        self.out = console()
        self.names = [clean.line(name) for name in labels(trial.bots)]
        self.baselines = self.names[1 : len(trial.bots) - trial.others]
        self._draws = can_draw() and not as_json
        self._started = monotonic()
        self.counts_again: CountsAgain | None = None

    def end_early(self, is_told: bool = True) -> None:
        """Write what was played to the file of matches, and print the result so far."""
        try:
            self.trial.write_rest()
        finally:
            if is_told:
                self.print_end(interrupted=True)

    @property
    def _hypotheses(self) -> Hypotheses:
        """What is tested; a comparison without a test is none that this command plays."""
        assert self.trial.terms.hypotheses is not None
        return self.trial.terms.hypotheses

    # --- while it runs

    @contextmanager
    def picture(self) -> Iterator[Any]:
        """What to call with each new state: it redraws a picture in its place, or prints a line from time to time."""
        if not self._draws:
            yield self._print_line
            return

        with picture(self.out, self.speaker, self._lines) as draw:
            yield draw

    def _print_line(self, known: SoFar) -> None:
        rounds = known.verdict.clusters
        power = 10 ** (len(str(rounds)) - 1)
        if not self.as_json and rounds % power == 0 and rounds // power in PRINTED_COUNTS and rounds >= 10:
            self.out.print("  ".join((self._rounds(rounds), self._counts(known), *self._figures(known))))

    # --- before and after

    def print_terms(self) -> None:
        terms, wanted = self.trial.terms, self._hypotheses
        baselines = self.speaker.listed(self.baselines)
        title = self.speaker.say(
            "compare.title",
            game=title_in(self.trial.game, self.speaker),
            candidate=self.names[0],
            baselines=baselines,
        )
        self.out.print(title, style="bold")
        if beside := self.names[1 + len(self.baselines) :]:
            self.out.print(self.speaker.say("compare.beside", names=self.speaker.listed(beside)))
        rates = {"alpha": f"{100 * wanted.alpha:g}", "beta": f"{100 * wanted.beta:g}"}
        key = "compare.test" if wanted.elo0 == 0 else "compare.test-than" if wanted.elo0 > 0 else "compare.test-worse"
        self.out.print(
            self.speaker.say(key, elo0=f"{abs(wanted.elo0):g}", elo1=f"{wanted.elo1:g}", seed=terms.seed, **rates)
        )
        if self.trial.game.referee is not None:
            self.out.print(self.speaker.say("contest.refereed", game=self.trial.game.name))
        elif fair_mode() == "wall" and (terms.clock is None or terms.clock.mode == "wall"):
            self.out.print(self.speaker.say("contest.by-wall", missing=proc.missing("fair")))
        for at in same_program(self.trial.bots[: 1 + len(self.baselines)]):
            self.out.print(self.speaker.say("compare.same-program", name=self.names[at]))
        if self.trial.is_repeated:
            self.out.print(self.speaker.say("compare.one-start"))
        if self.folder is not None and self.trial.stored:
            self.out.print(self.speaker.say("compare.goes-on", path=self.folder.path, matches=self.trial.stored))

    def print_end(self, interrupted: bool = False) -> None:
        """The last state, with the faults seen, and one sentence."""
        known = self.trial.known
        if self.as_json:
            self._print_json(interrupted)
            return
        self.out.print()
        for line in self._lines(known):
            self.out.print(line)
        self.out.print()
        self.out.print(self.sentence(known), style="bold")
        for line in self.exceptions(known):
            self.out.print(line)
        if self.folder is not None:
            words = self.names, self.words, self.speaker, self.python
            for line, is_command in kept_lines(self.trial, self.folder, *words):
                self.out.print(line, soft_wrap=True if is_command else None)
        if self.pgn is not None:
            self.out.print(self.speaker.say("contest.wrote", count=self.pgn.count, path=self.pgn.path))

    def sentence(self, known: SoFar) -> str:
        """The result in one sentence, for a person."""
        verdict, wanted = known.verdict, self._hypotheses
        elo = told_elo(verdict.elo, verdict.elo_low, verdict.elo_high, self.speaker)
        details: dict[str, object] = {"elo": elo, "matches": known.matches}
        if not known.matches:
            return self.speaker.say("compare.nothing-known")
        if verdict.better is None:
            return self.speaker.say(
                "compare.undecided", rounds=self._rounds(verdict.clusters), los=percent(verdict.los), **details
            )
        if verdict.better:
            if wanted.elo0 < 0:
                return self.speaker.say("compare.not-worse", **details)
            # A few pairs can decide between distant hypotheses although the interval is still wide.
            return self.speaker.say("compare.better" if verdict.elo_low > 0 else "compare.better-roughly", **details)
        if verdict.elo_high < 0:
            turned = told_elo(-verdict.elo, -verdict.elo_high, -verdict.elo_low, self.speaker)
            return self.speaker.say("compare.worse", **{**details, "elo": turned.replace("+", "", 1)})
        return self.speaker.say("compare.not-better", elo1=f"{wanted.elo1:g}", **details)

    def exceptions(self, known: SoFar) -> list[str]:
        """What the sentence alone does not say: the tendency while nothing is decided, or against one baseline."""
        return [*self._so_far(known.verdict), *self._against_one(known)]

    def _so_far(self, verdict: Verdict) -> list[str]:
        """If nothing is decided: that the interval is clear all the same; not after only a few matches."""
        if verdict.better is not None or verdict.clusters < FEWEST or verdict.elo_low <= 0 <= verdict.elo_high:
            return []
        return [self.speaker.say("compare.seems-better" if verdict.elo_low > 0 else "compare.seems-worse")]

    def _against_one(self, known: SoFar) -> list[str]:
        """The baselines against which it is worse although it is not worse against all together."""
        if known.verdict.elo_high < 0 or len(known.against) == 1:
            return []
        said = []
        for name, one in zip(self.baselines, known.against, strict=True):
            elo, low, high, _ = one.estimate
            if high < 0:
                turned = told_elo(-elo, -high, -low, self.speaker)
                said.append(self.speaker.say("compare.worse-than", name=name, elo=turned.replace("+", "", 1)))
        return said

    def _lines(self, known: SoFar) -> list[str]:
        """The whole state."""
        seconds = max(monotonic() - self._started, 0.001)
        played = max(0, known.matches - self.trial.stored)
        rate = self.speaker.say("compare.rate", matches=known.matches, rate=f"{played / seconds:.2g}")
        lines = [f"{self._rounds(known.verdict.clusters)}  ({rate})"]
        if not known.matches:  # figures of nothing would look like a result
            return [*lines, *self._left_out(known)]
        lines.append(self._counts(known))
        if known.pairs is not None:
            lines.append(self.speaker.say("compare.pentanomial", counts=" ".join(map(str, known.pairs))))
        figures = "   ".join(self._figures(known))
        more = [] if known.verdict.more is None else [self._rounds(_roughly(known.verdict.more))]
        lines += [figures, *(self.speaker.say("compare.more", rounds=rounds) for rounds in more)]
        return [*lines, *self._by_part(known), *self._faults(known), *self._left_out(known)]

    def _left_out(self, known: SoFar) -> list[str]:
        """How many rounds do not count, and how many matches were played again, if any."""
        left_out = self._rounds(known.left_out)
        said = [self.speaker.say("compare.left-out", rounds=left_out)] if known.left_out else []
        if self.counts_again is not None and self.counts_again.again:
            terms, count = self.trial.terms, self.counts_again.again
            said.append(again_in_words(count, terms.clock, terms.mode, self.speaker))
        return said

    def _by_part(self, known: SoFar) -> list[str]:
        """A table of the results against each baseline, if there are several, and on each seat."""
        key = "compare.column.wdl" if self.trial.terms.seats == 2 else "compare.column.opponents"
        rows = [["", self.speaker.say(key), self.speaker.say("compare.column.score"), "Elo", "LOS"]]
        for name, one in zip(self.baselines, known.against, strict=True):
            elo, low, high, los = one.estimate
            figures = [told_elo(elo, low, high, self.speaker), f"{percent(los)} %"]
            rows.append([self.speaker.say("compare.against", name=name), *self._part(one), *figures])
        if len(known.against) == 1:
            rows = [rows[0][:3]]
        for seat, part in enumerate(known.seats):
            rows.append([self.speaker.say("compare.on-seat", seat=seat), *self._part(part)])
        return lined_up(rows) if known.matches else []

    @staticmethod
    def _part(part: Part) -> list[str]:
        """What all parts have in the table: the counts, and the score with its interval."""
        score, low, high = (f"{100 * share:.0f}" for share in part.share)
        return [f"{part.won}-{part.tied}-{part.lost}", f"{score} % ({low} .. {high})"]

    def _faults(self, known: SoFar) -> list[str]:
        lines = []
        for name, conduct in zip(self.names, known.conduct, strict=True):
            if conduct.matches:
                kinds = counted(dict(sorted(conduct.faults.items())), self.speaker)
                counts = {"matches": conduct.matches, "all": known.matches, "lost": conduct.lost}
                lines.append(self.speaker.say("compare.faults", bot=name, kinds=kinds, **counts))
        if known.conduct[0].matches and self.trial.game.referee is None:
            lines.append(self.speaker.say("compare.check", game=self.trial.game.name))
        return lines

    # --- pieces of lines

    def _rounds(self, number: int) -> str:
        return told_rounds(number, len(self.trial.round), self.speaker)

    def _counts(self, known: SoFar | Against) -> str:
        key = "compare.wdl" if self.trial.terms.seats == 2 else "compare.opponents"
        return self.speaker.say(key, won=known.won, tied=known.tied, lost=known.lost)

    def _figures(self, known: SoFar) -> Sequence[str]:
        verdict = known.verdict
        bounds = {"lower": f"{verdict.lower:.2f}", "upper": f"{verdict.upper:.2f}"}
        return (
            elo_line(verdict, self.speaker),
            self.speaker.say("compare.los", los=percent(verdict.los)),
            self.speaker.say("compare.llr", llr=f"{verdict.llr:.2f}", **bounds),
        )

    def _print_json(self, interrupted: bool) -> None:
        terms, known = self.trial.terms, self.trial.known
        kept: dict[str, Any] = {}
        if self.folder is not None:
            kept = {"folder": str(self.folder.path), "kept": kept_document(self.trial, self.names)}
        verdict = msgspec.to_builtins(known.verdict)
        document = {
            "game": self.trial.game.name,
            "decision": decision(known.verdict),
            "interrupted": interrupted,
            **{("pairs" if name == "clusters" else name): value for name, value in verdict.items()},
            "matches": known.matches,
            "left_out": known.left_out,
            "won": known.won,
            "tied": known.tied,
            "lost": known.lost,
            "pentanomial": known.pairs,
            "baselines": [
                _baseline(name, one, terms.seats) for name, one in zip(self.baselines, known.against, strict=True)
            ],
            "bots": [
                {
                    "name": name,
                    "digest": bot.digest,
                    "language": bot.language,
                    "faults": msgspec.to_builtins(conduct.faults),
                    "faulty": conduct.matches,
                    "faulty_lost": conduct.lost,
                }
                for bot, name, conduct in zip(self.trial.bots, self.names, known.conduct, strict=True)
            ],
            "seats": _seats(known.seats),
            "against": self.names[1 + len(self.baselines) :],
            **kept,
            **({} if self.pgn is None else {"pgn": {"path": self.pgn.path, "matches": self.pgn.count}}),
            "terms": msgspec.to_builtins(terms),
        }
        sys.stdout.write(clean.document(document))


def _seats(parts: Sequence[Part]) -> list[dict[str, Any]]:
    """The results on each seat of the candidate."""
    found = []
    for seat, part in enumerate(parts):
        score, low, high = part.share
        counts = {"matches": part.matches, "won": part.won, "tied": part.tied, "lost": part.lost}
        found.append({"seat": seat, **counts, "score": score, "score_low": low, "score_high": high})
    return found


def _roughly(number: int) -> int:
    """The number with one digit that counts: more of them would be invented."""
    return round(number, 1 - len(str(number)))


def _baseline(name: str, against: Against, seats: int) -> dict[str, Any]:
    elo, low, high, los = against.estimate
    return {
        "name": name,
        "matches": against.matches,
        "won": against.won,
        "tied": against.tied,
        "lost": against.lost,
        "pentanomial": pentanomial(against.counts) if seats == 2 else None,
        "elo": elo,
        "elo_low": low,
        "elo_high": high,
        "los": los,
        "seats": _seats(against.seats),
    }
