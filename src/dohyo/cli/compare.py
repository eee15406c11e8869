"""`dohyo compare`: did a bot improve? Matches against its baselines, until a test knows."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Annotated

from dohyo.cli.asking import asks
from dohyo.cli.options import application, find_game, sandbox_for, terms_of
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson, Trust
from dohyo.i18n import Speaker
from dohyo.series.request import CompareRequest

if TYPE_CHECKING:
    from dohyo.core.game import Game
    from dohyo.series.compare_folder import ComparisonFolder
    from dohyo.series.exports.pgn import PgnFile
    from dohyo.terminal.comparison import ComparisonOutput

app = application()

CHESS = "For chess programs"  # the heading of options

STATUS = {"better": 0, "not-better": 1, "undecided": 3}

EXAMPLES = """\b
Examples:
  dohyo compare wondev-woman mybot.py git:HEAD
  dohyo compare drop-block mybot.cpp git:v1.2:bots/mybot.cpp --against hunter --max-pairs 500
  dohyo compare wondev-woman mybot.py climber --save evening
  dohyo compare wondev-woman mybot.py climber --elo1 30 --json

A baseline git:REV[:PATH] is the bot at that revision; PATH counts from the repository's root, and is the
candidate's own without it. With --save, the same command goes on where it was stopped.
Exit status: 0 better, 1 not better, 3 cannot tell yet, 2 a mistake."""


Saved = Annotated[
    str | None,
    says("Keep lost and faulty matches there, and go on where it was stopped.", "DIR"),
]
Anew = Annotated[bool, says("With --save: begin again, in place of what is there.")]
Itself = Annotated[bool, says("Compare a bot with the same program all the same: it shows what chance does.")]
Pgn = Annotated[
    str | None,
    says("Add the matches to this file, as chess programs do.", "FILE", group=CHESS),
]
Event = Annotated[str | None, says("With --pgn: the event of the matches.", "NAME", group=CHESS)]
Site = Annotated[str | None, says("With --pgn: where they are played.", "NAME", group=CHESS)]
Bare = Annotated[bool, says("With --pgn: moves without scores and times.", group=CHESS)]


@asks(app, CompareRequest, epilog=EXAMPLES, usual="against save force workers max_pairs itself")
def compare(
    asked: CompareRequest,
    save: Saved = None,
    force: Anew = False,
    itself: Itself = False,
    pgn: Pgn = None,
    event: Event = None,
    site: Site = None,
    no_comments: Bare = False,
    as_json: AsJson = False,
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> int:
    """Tell whether a bot improved: it plays until that is known.

    It meets its older self, or others.
    """
    from msgspec.structs import replace

    from dohyo.match.found_bots import find_named
    from dohyo.series.compare import Terms, Trial, check_differs, older_version, seats_of
    from dohyo.series.compare_folder import ComparisonFolder
    from dohyo.series.sequential import Hypotheses
    from dohyo.terminal.comparison import ComparisonOutput

    baselines, beside = asked.baselines, asked.against
    words = [asked.candidate, *baselines, *beside]
    chosen = find_game("compare", asked.game, words)
    terms = Terms(
        seats=seats_of(chosen, len(baselines), asked.seats, len(beside)),
        **terms_of(asked, chosen),
        hypotheses=Hypotheses(asked.elo0, asked.elo1, asked.alpha, asked.beta),
        rounds=asked.max_pairs,
    )
    with ExitStack() as opened:
        folder = None if save is None else opened.enter_context(ComparisonFolder(save, force))
        terms = replace(terms, seed=_seed(asked.seed, folder))
        terms.check(chosen)
        file = _pgn_file(pgn, chosen, event, site, no_comments)
        if file is not None:
            opened.enter_context(file)
        box = sandbox_for(asked.sandbox, trust, speaker)
        found = find_named(chosen, words, asked.python, box, setup=terms.setup)
        if not itself:
            check_differs(found[: 1 + len(baselines)], "--itself")
        trial = Trial(chosen, found, terms, folder, older_version(baselines), len(beside), file)
        shown = ComparisonOutput(trial, speaker, as_json, folder, words, asked.python, file)
        return _run(shown, asked.workers)


def _run(shown: ComparisonOutput, workers: int | None) -> int:
    """Play until the result is known, and print it; the exit status."""
    from dohyo.executors.played_again import CountsAgain
    from dohyo.executors.pool import Pool
    from dohyo.series.compare import decision

    trial = shown.trial
    if not shown.as_json:
        shown.print_terms()
    try:
        with Pool(workers) as pool, shown.picture() as draw:
            shown.counts_again = CountsAgain(pool)
            with closing(trial.play(shown.counts_again)) as states:
                for known in states:
                    draw(known)
    except KeyboardInterrupt as interrupt:
        shown.end_early()
        kept = "compare.interrupted-anew" if shown.folder and shown.folder.is_anew else "compare.interrupted-kept"
        key = "compare.interrupted" if shown.folder is None else kept
        raise Ended(exit_status(interrupt), shown.speaker.say(key, seed=trial.terms.seed)) from interrupt
    except Exception:
        shown.end_early(trial.known.matches > 0)  # whatever ended it, the result so far is printed
        raise
    shown.print_end()
    return STATUS[decision(trial.known.verdict)]


def _pgn_file(path: str | None, game: Game, event: str | None, site: str | None, bare: bool) -> PgnFile | None:
    """The file of matches, if one is asked for. Raises `OperatorError` for an option that needs it."""
    if path is None:
        if wrong := [name for name, given in (("event", event), ("site", site), ("no-comments", bare)) if given]:
            raise OperatorError("compare-pgn-alone", word=f"--{wrong[0]}")
        return None
    from dohyo.series.exports.pgn import PgnFile

    return PgnFile(path, game, event, site, not bare)


def _seed(typed: int | None, folder: ComparisonFolder | None) -> int:
    """The seed as it was typed, otherwise that of the comparison in the folder, otherwise a new one."""
    from dohyo.match.play import new_seed

    if typed is not None:
        return typed
    stored = None if folder is None else folder.seed
    return new_seed() if stored is None else stored
