"""`dohyo referee`: one match for another arena's runner, told as that arena reads it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from dohyo.cli.asking import asks
from dohyo.cli.options import application, find_game, read_clock_terms, sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import (
    MATCH,
    NO_SETUP,
    ClockWord,
    FaultIsLast,
    Force,
    GameWord,
    Interpreter,
    SandboxWord,
    Setup,
    Trust,
)
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.executors.messages import MatchOrder, MatchReport
    from dohyo.guests.arenas.match_contracts import Contract

app = application()

THEIRS = "As brutaltester types it"  # the heading of options

SEEDS = 1 << 63  # how many seeds there are; other arenas' may be below zero
SEED_WORD = "seed="  # of brutaltester's -d

EXAMPLES = """\b
Examples:
  dohyo referee drop-block --for psyleague bots/a bots/b bots/c bots/d
  dohyo referee wondev-woman --for cgarena --seed 7 --save m.replay bots/1/a bots/2/a
  dohyo referee wondev-woman --for brutaltester -p1 mine.py -p2 ./old -d seed=7

Nothing else is on the output; what is wrong is on standard error, with exit status 2. A bot's faults are told as the
arena reads them, and the exit status is 0. 'dohyo help docs/other-arenas.md' has whole configurations."""

BotWords = Annotated[list[str] | None, says("One bot a seat.", "BOT", is_bare=True)]
For = Annotated[str, says("Whose runner reads the result.", "psyleague|cgarena|brutaltester")]
SeedWord = Annotated[int | None, says("Decides the dice. Without it: a new one.", "N", group=MATCH)]
Saved = Annotated[
    str | None,
    says("Write the replay; compressed when the name ends in .zst.", "FILE", option="--save -l"),
]


def _player(number: int) -> Any:
    """The option for one player, as brutaltester names it; the help shows the first of eight."""
    about = "The first player, as brutaltester says it; up to -p8."
    return says(about, "BOT", option=f"-p{number}", is_hidden=number > 1, group=THEIRS)


Player1 = Annotated[str | None, _player(1)]
Player2 = Annotated[str | None, _player(2)]
Player3 = Annotated[str | None, _player(3)]
Player4 = Annotated[str | None, _player(4)]
Player5 = Annotated[str | None, _player(5)]
Player6 = Annotated[str | None, _player(6)]
Player7 = Annotated[str | None, _player(7)]
Player8 = Annotated[str | None, _player(8)]
Data = Annotated[str | None, says("As brutaltester gives the seed.", "seed=N", option="-d", group=THEIRS)]


@asks(app, epilog=EXAMPLES, usual="for_ save")
def referee(
    game: GameWord,
    bots: BotWords = None,
    for_: For = "psyleague",
    seed: SeedWord = None,
    setup: Setup = NO_SETUP,
    clock: ClockWord = None,
    python: Interpreter = None,
    fault_is_last: FaultIsLast = False,
    save: Saved = None,
    force: Force = False,
    p1: Player1 = None,
    p2: Player2 = None,
    p3: Player3 = None,
    p4: Player4 = None,
    p5: Player5 = None,
    p6: Player6 = None,
    p7: Player7 = None,
    p8: Player8 = None,
    data: Data = None,
    sandbox: SandboxWord = "auto",
    trust: Trust = False,
    *,
    speaker: Speaker,
) -> None:
    """Referee one match for another arena's runner.

    The result is told as that arena reads it.
    """
    from dohyo.executors.messages import MatchOrder
    from dohyo.executors.one_match import play_order
    from dohyo.match.found_bots import find_named

    contract = _contract(for_)
    words = _words(bots or [], (p1, p2, p3, p4, p5, p6, p7, p8))
    chosen = find_game("referee", game, words)
    _check_seats(chosen.name, chosen.seats, len(words))
    _check_place(save, force)
    box = sandbox_for(sandbox, trust, speaker)
    order = MatchOrder(
        "0",
        chosen.name,
        tuple(find_named(chosen, words, python, box, setup=setup)),
        _seed(seed, data),
        setup=setup,
        **read_clock_terms(chosen, clock),
        sandbox="none" if trust else sandbox or "auto",
        referee=chosen.referee,
    )
    report = play_order(order)
    if report.error:
        raise OperatorError("referee-not-played", error=report.error)
    _save(report, save)
    _tell(contract, report, order, fault_is_last)


def _contract(word: str) -> Contract:
    from dohyo.guests.arenas.match_contracts import CONTRACTS

    for contract in CONTRACTS:
        if word == contract:
            return contract
    raise OperatorError("referee-value", key="--for", value=word, takes=", ".join(CONTRACTS))


def _words(bots: list[str], players: Sequence[str | None]) -> list[str]:
    """The words for the bots, by seat: as brutaltester gives them or one after the other."""
    named = [word for word in players if word is not None]
    if bots and named:
        raise OperatorError("referee-both", word=bots[0])
    if any(word is None for word in players[: len(named)]):
        raise OperatorError("referee-gap", count=len(named))
    return bots or named


def _check_seats(game: str, seats: tuple[int, int], given: int) -> None:
    fewest, most = seats
    if not fewest <= given <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} - {most}"
        raise OperatorError("wrong-number-of-bots", game=game, wanted=wanted, given=given)


def _seed(typed: int | None, data: str | None) -> int:
    """The seed of the match: any whole number is one, those outside ours modulo 2**63."""
    from dohyo.match.play import new_seed

    if data is not None and typed is None:
        with suppress(ValueError):
            typed = int(data.removeprefix(SEED_WORD)) if data.startswith(SEED_WORD) else None
        if typed is None:
            raise OperatorError("referee-value", key="-d", value=data, takes="seed=N")
    return new_seed() if typed is None else typed % SEEDS


def _check_place(save: str | None, force: bool) -> None:
    """Raise `OperatorError` now for a file that could not be written later, or that is something else."""
    if save is not None:
        from dohyo.cli.overwriting import check_outputs

        check_outputs((("--save", save),), force)


def _save(report: MatchReport, path: str | None) -> None:
    """Write the replay; of a game that another program referees, what that one wrote."""
    if path is None:
        return
    from dohyo.core import replay_format
    from dohyo.match.files import write_whole

    content = report.replay
    if report.turns and not path.endswith(".zst"):
        content = replay_format.encode(replay_format.decode(content), compressed=False)
    write_whole(path, content)


def _tell(contract: Contract, report: MatchReport, order: MatchOrder, fault_is_last: bool) -> None:
    from dohyo.core.contest import faults_last
    from dohyo.guests.arenas.match_contracts import PlayedOutcome, written

    faulty = tuple(map(bool, report.faults)) or (False,) * len(report.places)
    places = faults_last(report.places, report.faults) if fault_is_last else report.places
    turns = report.turns if order.referee is None else None  # what another program's record holds, nobody here reads
    played = PlayedOutcome(places, faulty, report.scores, report.longest, turns, order.seed)
    sys.stdout.write(written(contract, played))
