"""Fields that several requests and commands have, each said once."""

from functools import partial
from typing import Annotated

from dohyo.core import seeds
from dohyo.core.asked import Values, says
from dohyo.i18n import Message

MAX_SEED = seeds.MOST
MAX_WORKERS = 1024
CLOCK = "PRESET|SECONDS[+INCREMENT][,KEY=VALUE]"
CLOCK_KEYS = (
    "10+0.1: 10 s for the match and 0.1 s for each turn. "
    "Keys: mode=wall|fair|cpu, bank=S, grace=S, strikes=N, wall=S, ready=S (docs/clocks.md)."
)
NO_SETUP: Values = {}
STRICT = "require"  # the usual sandbox of a contest: there strangers' bots meet
SANDBOXES = ("auto", "require", "none")

# Headings of options that many commands have, in the order in which `--help` has them, behind the command's own.
MATCH = "Game, dice and clock"
RUNNING = "How bots run"
MACHINES = "Cores and machines"
OUTPUT = "Output and help"
SHARED = (MATCH, RUNNING, MACHINES, OUTPUT)
_of_match, _of_running, _of_machines, _of_output = (partial(says, group=heading) for heading in SHARED)

# --- who plays what

GameWord = Annotated[str, says("The game, as 'dohyo games' calls it.", "GAME", is_bare=True)]
Setup = Annotated[
    Values,
    _of_match("A setup option of the game. May be repeated.", "KEY=VALUE", takes=Message("takes.game-options")),
]
Seed = Annotated[int | None, _of_match("Decides the dice. Without it: a new one.", "N", at_least=0, at_most=MAX_SEED)]
Seats = Annotated[int | None, _of_match("Seats of a match, where the game lets choose.", "N")]
ReplayWord = Annotated[str, says("A replay ('dohyo play --save'), or the word last.", "FILE", is_bare=True)]

Names = Annotated[
    str | None,
    says(
        "Who handed in what: a CSV or TOML file of hand-ins and names.",
        "FILE",
        takes='"...", a table of hand-ins and names',
    ),
]

# --- how it is played

ClockWord = Annotated[
    str | float | None, _of_match(f"Time for a turn. Without it: the game's usual one. {CLOCK_KEYS}", CLOCK)
]
Interpreter = Annotated[
    str | None, _of_running("The interpreter for bots in Python. Without it: python3.", "PROGRAM")
]
Build = Annotated[
    str | None,
    _of_running("Compile with symbols and sanitizers. Slower: without --clock, more time.", one_of=("debug",)),
]
_PONDERING = _of_match(
    "Whether bots run on, and engines ponder, while they are not to move.", option="--pondering/--no-pondering"
)
Pondering = Annotated[bool, _PONDERING]
PonderingOrNot = Annotated[bool | None, _PONDERING]  # neither: bots run on, and engines do not ponder
Restart = Annotated[bool, _of_running("Start engines anew for each match, in place of 'ucinewgame'.")]
SandboxWord = Annotated[
    str, _of_running("What bots run in. Without it: auto. 'dohyo doctor' explains.", one_of=SANDBOXES)
]
# In a contest bots of strangers meet: a weaker sandbox must be asked for explicitly.
ContestSandbox = Annotated[
    str, _of_running("What bots run in. Without it: require. 'dohyo doctor' explains.", one_of=SANDBOXES)
]
OwnOrStrict = Annotated[
    str | None,
    _of_running(
        "What bots run in. Without it: require, or, for bots named one by one where layer 3 is the strongest, auto."
        " 'dohyo doctor' explains.",
        one_of=SANDBOXES,
    ),
]
Trust = Annotated[bool, _of_running("The bots are my own: run them without a sandbox.")]
Workers = Annotated[
    int | None, _of_machines("Matches at once. Without it: one a core.", "N", at_least=1, at_most=MAX_WORKERS)
]
ClusterAddress = Annotated[
    str | None,
    _of_machines("Play on a cluster, as tls://HOST:PORT (docs/scaling.md).", "ADDRESS", option="--cluster"),
]
Keys = Annotated[
    str | None, _of_machines("The folder with the cluster's keys. Without it: ~/.config/dohyo/cluster.", "FOLDER")
]
PlainTcp = Annotated[bool, _of_machines("No keys and no encryption: whoever reaches the cluster can use it.")]

FaultIsLast = Annotated[bool, _of_match("A bot with a fault has the last place in that match.")]

# --- what is written and printed

Saved = Annotated[str | None, says("Write the replay; compressed when the name ends in .zst.", "FILE")]
Page = Annotated[str | None, says("Write a page to watch in a browser.", "FILE")]
Force = Annotated[bool, _of_output("Overwrite what is neither a replay nor a page of ours.")]
Faults = Annotated[bool, _of_output("Show each fault with the input that caused it.")]
Watch = Annotated[bool, says("Watch the board in the terminal.")]
VerifyMoves = Annotated[bool, says("Play the moves again and compare every state and the result.", option="--verify")]
AsJson = Annotated[bool, _of_output("Print one JSON document and nothing else.", option="--json")]
