"""Fields that several requests and commands have, each said once."""

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

# --- who plays what

GameWord = Annotated[str, says("The game, as 'dohyo games' calls it.", "GAME", is_bare=True)]
Setup = Annotated[
    Values, says("A setup option of the game. May be repeated.", "KEY=VALUE", takes=Message("takes.game-options"))
]
Seed = Annotated[int | None, says("Decides the dice. Without it: a new one.", "N", at_least=0, at_most=MAX_SEED)]
Seats = Annotated[int | None, says("Seats of a match, where the game lets choose.", "N")]
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
    str | float | None, says(f"Time for a turn. Without it: the game's usual one. {CLOCK_KEYS}", CLOCK)
]
Interpreter = Annotated[str | None, says("The interpreter for bots in Python. Without it: python3.", "PROGRAM")]
Build = Annotated[
    str | None,
    says("Compile with symbols and sanitizers. Slower: without --clock, more time.", one_of=("debug",)),
]
_PONDERING = says(
    "Whether bots run on, and engines ponder, while they are not to move.", option="--pondering/--no-pondering"
)
Pondering = Annotated[bool, _PONDERING]
PonderingOrNot = Annotated[bool | None, _PONDERING]  # neither: bots run on, and engines do not ponder
Restart = Annotated[bool, says("Start engines anew for each match, in place of 'ucinewgame'.")]
SandboxWord = Annotated[str, says("What bots run in. Without it: auto. 'dohyo doctor' explains.", one_of=SANDBOXES)]
# In a contest bots of strangers meet: a weaker sandbox must be asked for explicitly.
ContestSandbox = Annotated[
    str, says("What bots run in. Without it: require. 'dohyo doctor' explains.", one_of=SANDBOXES)
]
OwnOrStrict = Annotated[
    str | None,
    says(
        "What bots run in. Without it: require, or for bots named one by one auto. 'dohyo doctor' explains.",
        one_of=SANDBOXES,
    ),
]
Trust = Annotated[bool, says("The bots are my own: run them without a sandbox.")]
Workers = Annotated[
    int | None, says("Matches at once. Without it: one a core.", "N", at_least=1, at_most=MAX_WORKERS)
]
ClusterAddress = Annotated[
    str | None, says("Play on a cluster, as tls://HOST:PORT (docs/scaling.md).", "ADDRESS", option="--cluster")
]
Keys = Annotated[
    str | None, says("The folder with the cluster's keys. Without it: ~/.config/dohyo/cluster.", "FOLDER")
]
PlainTcp = Annotated[bool, says("No keys and no encryption: whoever reaches the cluster can use it.")]

FaultIsLast = Annotated[bool, says("A bot with a fault has the last place in that match.")]

# --- what is written and printed

Saved = Annotated[str | None, says("Write the replay; compressed when the name ends in .zst.", "FILE")]
Page = Annotated[str | None, says("Write a page to watch in a browser.", "FILE")]
Force = Annotated[bool, says("Overwrite what is neither a replay nor a page of ours.")]
Faults = Annotated[bool, says("Show each fault with the input that caused it.")]
Watch = Annotated[bool, says("Watch the board in the terminal.")]
VerifyMoves = Annotated[bool, says("Play the moves again and compare every state and the result.", option="--verify")]
AsJson = Annotated[bool, says("Print one JSON document and nothing else.", option="--json")]
