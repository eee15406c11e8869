"""What can be asked of a contest (by a contest file, by options, or in Python), and of other series."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from dohyo.core.asked import Request, Values, says
from dohyo.core.clock import Clock
from dohyo.core.contest import MAX_ROUNDS, USUAL_FORMAT
from dohyo.core.request_fields import (
    CLOCK,
    CLOCK_KEYS,
    MATCH,
    MAX_SEED,
    ClockWord,
    FaultIsLast,
    GameWord,
    Interpreter,
    Names,
    OwnOrStrict,
    Pondering,
    Restart,
    SandboxWord,
    Seats,
    Seed,
    Setup,
    Workers,
)
from dohyo.i18n import Message

LONGEST = 200  # characters of a contest's name
NAME = "^[^/\\u0000-\\u001f\\u007f]*$"


def _formats() -> Iterable[str]:
    from dohyo.series.formats import all_formats

    return all_formats()


def text(what: str) -> Message:
    """That a text is taken, and which."""
    return Message(f"takes.{what}", {"text": '"..."'})


class NamedBot(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A bot and its name."""

    name: str = ""
    bot: str


class ContestRequest(Request, kw_only=True):
    """A contest as the operator asks for it, not yet looked at: by a contest file, by options, or in Python.

    `bots` are pairs of a name, which may be empty, and a hand-in, or a word that is still to be read. Without a
    `seed`, the seed of the contest in the store is taken; for a new contest, one is drawn. Without a `sandbox` see
    `own_bots.usual_sandbox`. One that the operator has
    not named (`is_named`) begins in no store that holds another contest.
    """

    name: Annotated[
        str,
        says(
            "The contest's name in its store.",
            "NAME",
            takes=text("without-slash"),
            longest=LONGEST,
            pattern=NAME,
        ),
    ] = "contest"
    store: Annotated[
        str,
        says(
            "Where results are kept. Without it: contest.db, or FILE.db.",
            "URL",
            takes='"FILE" or "postgresql://..."',
        ),
    ] = "contest.db"
    game: Annotated[
        str,
        says("The game, as 'dohyo games' calls it.", "GAME", takes=text("a-game")),
    ]
    format: Annotated[
        str,
        says(
            "Who plays whom. Without it: round-robin.",
            "FORMAT",
            takes=text("a-format"),
            one_of=_formats,
        ),
    ] = USUAL_FORMAT
    rounds: Annotated[int, says("How much is played. Without it: 1.", "N", at_least=1, at_most=MAX_ROUNDS)] = 1
    seed: Annotated[
        int | None, says("Decides all dice. Without it: a new one.", "N", at_least=0, at_most=MAX_SEED, group=MATCH)
    ] = None
    setup: Setup = {}
    options: Annotated[
        Values,
        says(
            "An option of the format. May be repeated.",
            "KEY=VALUE",
            option="--option",
            takes=Message("takes.format-options"),
            group=MATCH,
        ),
    ] = {}
    bots: Annotated[
        list[tuple[str, Any]],  # a `BotSpec`, or a word
        says(
            "Who takes part: sample bots, files, folders or command lines.",
            "BOT",
            is_bare=True,
            takes='["BOT", {name = "...", bot = "BOT"}]',
            written=list[str | NamedBot],
        ),
    ] = []
    folder: Annotated[
        str | None,
        says("Every bot in this folder takes part.", "DIR", takes=text("a-folder")),
    ] = None
    names: Names = None
    clock: Annotated[
        str | int | float | Clock | None,
        says(
            f"Time for a turn. Without it: the game's usual one. {CLOCK_KEYS}",
            CLOCK,
            takes=Message("takes.a-clock"),
            written=str | int | float,
            more={"examples": ["0.1", "online,mode=fair"]},
            group=MATCH,
        ),
    ] = None
    sandbox: OwnOrStrict = None
    pondering: Pondering = False
    fault_is_last: FaultIsLast = False
    python: Interpreter = None
    workers: Workers = None
    is_named: bool = True


class ManyMatchesRequest(Request, kw_only=True):
    """On what terms a series is played until something is known, and how many matches at once."""

    seats: Seats = None
    workers: Workers = None
    seed: Seed = None
    setup: Setup = {}
    clock: ClockWord = None
    pondering: Pondering = False
    python: Interpreter = None
    restart: Restart = False
    sandbox: SandboxWord = "auto"


KNOWN = "When it is known"  # the heading of options


class CompareRequest(ManyMatchesRequest, kw_only=True):
    """Tell whether a bot improved: matches against its older self, or others, until it is known."""

    game: GameWord
    candidate: Annotated[str, says("The bot that may have improved.", "CANDIDATE", is_bare=True)]
    baselines: Annotated[
        list[str], says("What it is compared with: a bot, or git:REV[:PATH].", "BASELINE...", is_bare=True)
    ]
    elo0: Annotated[float, says("Better is what is more than so much better.", "ELO", group=KNOWN)] = 0.0
    elo1: Annotated[float, says("Give up once it is surely not so much better.", "ELO", group=KNOWN)] = 10.0
    alpha: Annotated[float, says("How often it may be called better wrongly.", "RATE", group=KNOWN)] = 0.05
    beta: Annotated[float, says("How often it may be called not better wrongly.", "RATE", group=KNOWN)] = 0.05
    max_pairs: Annotated[
        int | None, says("Stop after so many pairs. Without it: when it is known.", "N", group=KNOWN)
    ] = None
    against: Annotated[
        list[str], says("A bot that all play against, on the seats that are left. May be repeated.", "BOT")
    ] = []
