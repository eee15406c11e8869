"""What a game is: declared facts, rules over a flat state, a protocol, a drawing.

A game is a folder with a `GAME` of this type; `dohyo.games` finds it. Its rules and its protocol are plain modules
(`rules.py`, `protocol.py`), which define only what the game has: for every hook that a module omits, `Game` uses the
default that is defined here. So all other code uses `game.rules` and `game.protocol`, which have every hook.
"""

from __future__ import annotations

import enum
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePath
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

import msgspec

from dohyo.core import flat
from dohyo.core.clock import Clock
from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind
from dohyo.core.options import Option, Value, is_whole, resolve
from dohyo.i18n import Catalogue, Message, Speaker, all_keys
from dohyo.i18n.catalogue import know

if TYPE_CHECKING:
    from dohyo.core.adjudication import Adjudicator
    from dohyo.core.dialogue import Command
    from dohyo.core.external_referee import ExternalReferee
    from dohyo.core.http_messages import HttpProtocol
    from dohyo.core.judge import Judge
    from dohyo.core.observation import Reading
    from dohyo.core.starter import Starter
else:  # for `help(type(game))`
    Adjudicator = Command = ExternalReferee = HttpProtocol = Judge = Reading = Starter = Any

GAMES_GROUP = "dohyo.games"  # the entry points of packages that bring games along
GAMES_VARIABLE = "DOHYO_GAMES"  # of the environment: folders of games that need not be installed

State = Any  # a plain object made by the game's Layout
Frame = dict[str, Any]  # values that JSON can hold: everything that a view needs to draw one moment
Event = tuple[int, int, int, int]


class Turns(enum.Enum):
    """Who moves in a turn."""

    ALTERNATING = "alternating"
    SIMULTANEOUS = "simultaneous"


class Chance(enum.Enum):
    """When the dice move."""

    NEVER = "never"
    AT_START = "at the start"
    EVERY_TURN = "every turn"


class Information(enum.Enum):
    """What a seat sees of the state."""

    PERFECT = "perfect"
    IMPERFECT = "imperfect"


class Rules(Protocol):
    """What a `rules.py` has, all functions in the common language of `dohyo.core.flat`.

    Every game must define what is above the line; the hooks below it have defaults, see `RULES`.
    """

    LAYOUT: flat.Layout
    ACTIONS: int  # how many different actions there are; `legal` fills at most so many
    REASONS: Mapping[int, str]  # why a match ended -> key in the game's catalogue

    def acts(self, s: State, seat: int) -> bool:
        """Whether the seat must answer now."""

    def legal(self, s: State, seat: int, out: Any) -> int:
        """Fill `out` with the seat's legal actions; returns how many."""

    def is_legal(self, s: State, seat: int, action: int) -> bool:
        """Whether `legal` would list this number, which may be any number."""

    def step(self, s: State, actions: Any, events: Any) -> None:
        """Play one turn; `actions` holds one number for each seat; only those of the acting seats are read."""

    def over(self, s: State) -> bool:
        """Whether the match has ended."""

    def winner(self, s: State) -> int:
        """The seat that has won, -1 for none."""

    def places(self, s: State, out: Any) -> int:
        """Fill `out` with each seat's place (1 is the best); returns the reason of the end."""

    # --- with a default ---
    def count_legal(self, s: State, seat: int, notes: Any) -> int:
        """How many actions `legal` would list; by default it lists them.

        `notes`, a row that is as long as `legal` needs, may be left with whatever helps `kth_legal`.
        """

    def kth_legal(self, s: State, seat: int, k: int, notes: Any) -> int:
        """The action that `legal` would list at place `k`, from 0; `notes` are as `count_legal` has left them."""

    CONCESSIONS: Sequence[int]  # actions that are always accepted and never offered: to give up, to have no move
    EVENTS_A_TURN: int  # how many events a turn and its dice emit at most; more are dropped
    DICE: int  # how many numbers a roll has at most
    MAX_DIE: int  # no number of a roll is greater than this, or less than its negative
    SOURCE: flat.Layout  # of the game's random numbers; has the fields `turn` and `draw`

    def needs_dice(self, s: State) -> bool:
        """Whether the dice move next."""

    def roll(self, s: State, source: Any, dice: Any) -> int:
        """Draw the numbers of the dice's move into `dice`; returns how many."""

    def deal(self, s: State, dice: Any, events: Any) -> None:
        """Apply the dice's move."""

    def reseed(self, source: Any, seed: int) -> None:
        """Make it a source of random numbers from this seed, 0 to 2**63 - 1."""

    scores: Callable[[State, Any], None] | None  # scores(s, out): fill `out` with each seat's points, after the end


@flat.flat
def no_dice(s: State) -> bool:
    """Whether the dice move next, in a game without dice."""
    return False


@flat.flat
def no_roll(s: State, source: Any, dice: Any) -> int:
    """Draw nothing."""
    return 0


@flat.flat
def no_deal(s: State, dice: Any, events: Any) -> None:
    """Change nothing."""


@flat.flat
def listed_legal(s: State, seat: int, k: int, notes: Any) -> int:
    """The action at place `k`, where `legal` itself has counted."""
    return notes[k]  # type: ignore[no-any-return]


# The defaults for what a `rules.py` omits.
RULES: Mapping[str, Any] = {
    "count_legal": None,  # then `legal` counts, see `Game`
    "kth_legal": listed_legal,
    "CONCESSIONS": (),
    "EVENTS_A_TURN": 32,
    "DICE": 0,
    "MAX_DIE": 65_535,  # small enough for rules that shift by it, or count up to it
    "SOURCE": flat.SOURCE,
    "needs_dice": no_dice,
    "roll": no_roll,
    "deal": no_deal,
    "reseed": flat.reseed,
    "scores": None,  # a match gives places, and no points
}


class TextProtocol(Protocol):
    """What a `protocol.py` has: values to text and back. No pipes.

    Every game must define what is above the line; the hooks below it have defaults, see `protocol_defaults`.
    """

    PROMPT_BYTES: int  # the longest prompt

    def prompt(self, s: State, seat: int, buffer: Any) -> int:
        """Write what the seat is sent into `buffer`; returns how many bytes."""

    # --- with a default ---

    READY: str  # the line a program prints before the first turn; empty when the protocol has none
    COMMENT: str  # the beginning of comment lines, which are no answers and may come at any time; empty: no comments
    CLOSING: bytes  # sent after each prompt to a program that lives for the match, if a prompt does not show its end

    def forced(self, s: State, seat: int) -> int:
        """The legal action that `parse` finds in every line of a seat without a choice; -1 where the line counts."""

    def text(self, action: int) -> str:
        """An action as canonical text, for replays; by default its number."""

    def read(self, word: str) -> int | None:
        """The action whose `text` this is; none if it is no action's."""

    def parse(self, reply: str, s: State, seat: int) -> int | Fault:
        """The action in a reply, or MALFORMED; by default `read`, with spaces around the word."""

    def answer(self, s: State, seat: int, fault: Fault) -> int:
        """The action that replaces the answer after a fault; by default the first concession, or legal action."""

    def stops(self, fault: Fault) -> bool:
        """Whether the fault ends the player's part in the match; by default each does."""

    def message(self, reply: str) -> str:
        """The text that a player wrote after its action, for spectators; empty if none."""

    def farewell(self, s: State, seat: int, buffer: Any) -> int:
        """Write what a running program is sent when the match is over into `buffer`; returns how many bytes."""


@flat.flat
def unforced(s: State, seat: int) -> int:
    """No action: each line counts."""
    return -1


def protocol_defaults(rules: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults for what a `protocol.py`, which has the names `given`, omits."""
    text: Callable[[int], str] = given.get("text", str)

    @cache
    def actions() -> dict[str, int]:
        return {text(action): action for action in (*range(rules.ACTIONS), *rules.CONCESSIONS)}

    def read(word: str) -> int | None:
        return actions().get(word)

    read = given.get("read", read)

    def parse(reply: str, s: State, seat: int) -> int | Fault:
        word = reply.strip()
        action: int | None = read(word)
        if action is not None:
            return action
        if not word:
            return Fault(FaultKind.MALFORMED, FaultCode.EMPTY_LINE)
        return Fault(FaultKind.MALFORMED, FaultCode.NO_ACTION, {"written": word[:KEPT]})

    def answer(s: State, seat: int, fault: Fault) -> int:
        choices = rules.CONCESSIONS or LegalActions(rules, s, seat)
        first: int = choices[0]
        return first

    return {
        "READY": "",
        "COMMENT": "",
        "CLOSING": b"",
        "forced": unforced,
        "text": text,
        "read": read,
        "parse": parse,
        "answer": answer,
        "stops": lambda fault: True,
        "message": lambda reply: "",
        "farewell": lambda s, seat, buffer: 0,
    }


class Completed:
    """A module's names, with the defaults of the hooks that it omits."""

    def __init__(self, given: Any, defaults: Mapping[str, Any]) -> None:
        vars(self).update({**defaults, **_names(given)})


def _names(given: Any) -> dict[str, Any]:
    """The names in a module, or in a class or object used instead of one."""
    return {name: getattr(given, name) for name in dir(given) if not name.startswith("__")}


def _completed(game: str, given: Any, protocol: type, defaults: Mapping[str, Any]) -> Any:
    """The module completed by the defaults. Raises `TypeError` if it omits something that has none."""
    found = Completed(given, defaults)
    wanted = {*protocol.__annotations__, *(name for name in vars(protocol) if not name.startswith("_"))}
    if missing := sorted(wanted - set(vars(found))):
        raise TypeError(f"the game {game} omits {', '.join(missing)}, see dohyo.core.game.{protocol.__name__}")
    return found


class Plane(msgspec.Struct, frozen=True):
    """One plane of an observation: its name, the least and the greatest number in it, and what they mean."""

    name: str
    low: float
    high: float
    meaning: str


class ObservationSpace(Protocol):
    """The facts and the function of an `observation_space.py`: what a learner on a seat sees, as numbers."""

    KIND: str  # of the numbers: "i1", "i2" or "f4", as in a Layout
    PLANES: Sequence[Plane]
    SHAPE: tuple[int, ...]  # of one plane; () where it is a single number

    def observe(self, s: State, seat: int, out: Any) -> None:
        """Fill `out`, a row of planes one after the other, each row by row, with what the seat may see.

        Its own things come first; every number is written. In the common language of `dohyo.core.flat`.
        """


class Drawing(Protocol):
    """How a turn becomes a frame."""

    def __call__(
        self,
        before: State,
        actions: Sequence[int | None],
        events: Sequence[Event],
        after: State,
        seat: int | None = None,
    ) -> Frame:
        """What to draw after a turn, as `seat` sees it (everything when none)."""


CLOCKS = {"standard": Clock(turn=1.0, preset="standard")}
PLACES = ("first", "second", "third")  # of the words behind an action's first, in its sentence
MAX_WORDS = 8  # of an action's text that are said
TAG = re.compile(r"(\\*)(\[[a-z#/@])")  # what rich would take for markup


def plain_frame(
    before: State, actions: Sequence[int | None], events: Sequence[Event], after: State, seat: int | None = None
) -> Frame:
    """The drawing of a game that defines none: the state's fields, and the actions before it, one for each seat."""
    fields = {name: getattr(after, name) for name in type(after).__slots__}
    state = {name: list(value) if isinstance(value, list) else value for name, value in fields.items()}
    return {"state": state, "actions": list(actions)}


def plain_terminal(frame: Frame, names: Sequence[str], speaker: Speaker) -> str:
    """A frame as lines of names and values, as rich's markup."""
    parts: Mapping[str, Any] = frame.get("state", frame)
    lines = [f"{name}  {msgspec.json.encode(value).decode()}" for name, value in parts.items()]
    return TAG.sub(r"\1\1\\\2", "\n".join(lines))


def _usual_judge() -> Judge:
    """How positions are judged in a game that says nothing of it."""
    from dohyo.core.judge import Judge

    return Judge()


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of game.

    Raises `TypeError` if one of its modules omits a hook that has no default, and if a default would be wrong: dice
    without their functions, a game of imperfect information that does not say what to draw for a seat.
    """

    name: str
    seats: tuple[int, int]  # fewest, most
    rules: Rules | ModuleType  # a `rules.py`
    protocol: TextProtocol | ModuleType  # a `protocol.py`
    folder: PurePath  # holds view.js and bots/; need not be there

    # --- with a default ---
    title: str = ""  # by default made of the name
    about: str = ""
    version: int = 1  # of the rules: a replay names it, and is verified only with the same
    turns: Turns = Turns.ALTERNATING
    chance: Chance = Chance.NEVER
    information: Information = Information.PERFECT
    options: tuple[Option, ...] = ()
    clocks: Mapping[str, Clock] = msgspec.field(default_factory=lambda: CLOCKS)  # presets; the first is the default
    start: Callable[[State, Mapping[str, Value], int], None] = lambda state, setup, seats: None  # see `new_state`
    frame: Drawing = plain_frame
    # A frame, the seats' names, who says the game's sentences: rich's markup.
    terminal: Callable[[Frame, Sequence[str], Speaker], str] = plain_terminal
    catalogue: Catalogue = msgspec.field(default_factory=dict)  # its own sentences, by language and key
    possible: Callable[[State], bool] = lambda state: True  # whether the rules can ever lead to such a state
    seat_outcome: Callable[[State, int], Message] = lambda state, seat: Message(
        "fate.played"
    )  # what became of a seat
    # How long a bot's process may live, "turn" or "match", and the clock's preset for that; by default only "match".
    lifetimes: Mapping[str, str] = msgspec.field(default_factory=dict)
    demo: Mapping[str, Value] = msgspec.field(default_factory=dict)  # a setup for a match short enough to be shown
    commands: tuple[Command, ...] = ()  # programs of the game's own
    out: Callable[[State, int], bool] = lambda state, seat: False  # whether nothing that a seat does counts any more
    # The input and the answers under a resolved setup, for `dohyo new bot`; without it, by the state's fields.
    starter: Callable[[Mapping[str, Value]], Starter] | None = None
    map_name: Callable[[State], str] = lambda state: ""  # the map, if the dice choose among a few
    reseat: Callable[[State], None] = lambda state: None  # prepare a state for programs that received nothing yet
    # Why an action is not legal: a sentence that may have a place for the `action`, or a text; none: not known.
    why_illegal: Callable[[State, int, int], Message | str | None] = lambda state, seat, action: None
    # The start of a match as UCI engines are told it, behind `position`: startpos, or fen ...; none: no engines play.
    uci: Callable[[State], str] | None = None
    # The variant of a setup, by XBoard's name, that engines must be told of; empty: the game that they play as usual.
    engine_variant: Callable[[Mapping[str, Value]], str] = lambda setup: ""
    # How an XBoard engine is told a legal action of a variant, which is given as `text`.
    xboard_move: Callable[[State, str], str] = lambda state, word: word
    # The move that a word of an engine means, in another notation than `text`; empty if it is none.
    meant: Callable[[State, str], str] = lambda state, word: ""
    http: Callable[[], HttpProtocol] | None = None  # the messages to servers that play it; none: no servers do
    pgn: Callable[[Any], str] | None = None  # a replay as a game in PGN; none: the game has no such notation
    # The setup of one match, by its seed, where a setup leaves something open; it is what the match's replay has.
    draw_setup: Callable[[Mapping[str, Value], int], dict[str, Value]] = lambda setup, seed: dict(setup)
    # What ends a match by a rule of its operator's, which stands in its setup; none: it is played to its end.
    adjudicator: Callable[[Mapping[str, Value]], Adjudicator | None] = lambda setup: None
    judge: Callable[[], Judge] = _usual_judge  # how `dohyo analyse` judges a position
    observation: ObservationSpace | None = None  # what a learner sees; without it there is no learning environment
    reading: Reading | ModuleType | None = None  # how a prompt is read for a bot that is a class; by default as lines
    file: PurePath | None = None  # the file of its rules, if that stands alone, beside the folder
    fields: Sequence[Any] = ()  # what a file of rules declares about its state's fields, `one_file.fields.StateField`
    general_bots: PurePath | None = None  # a folder of bots that play every game with the same protocol
    referee: ExternalReferee | None = None  # another program that referees it: then it has no rules

    def __post_init__(self) -> None:
        """Fill in the defaults of the hooks that the modules omit."""
        rules = _completed(self.name, self.rules, Rules, RULES)
        if hasattr(self.rules, "count_legal") != hasattr(self.rules, "kth_legal"):
            raise TypeError(f"the game {self.name} has one of count_legal and kth_legal, and needs both or none")
        if rules.kth_legal is listed_legal:
            rules.count_legal = rules.legal
        found = _completed(self.name, self.protocol, TextProtocol, protocol_defaults(rules, _names(self.protocol)))
        if self.chance is not Chance.NEVER and rules.needs_dice is no_dice:
            raise TypeError(f"the dice of the game {self.name} move, and its rules do not have needs_dice")
        if self.information is Information.IMPERFECT and self.frame is plain_frame:
            raise TypeError(f"the game {self.name} hides something, and does not say by frame what a seat sees")
        know(self.catalogue)
        for command in self.commands:
            know(command.catalogue)
        title = self.title or self.name.replace("-", " ").capitalize()
        for name, value in (("rules", rules), ("protocol", found), ("title", title)):
            msgspec.structs.force_setattr(self, name, value)

    def __copy__(self) -> Game:
        """Itself: a game never changes."""
        return self

    def __deepcopy__(self, memo: Any) -> Game:
        """Itself: a game never changes."""
        return self

    def usual_clock(self, lifetimes: Sequence[str] = ()) -> Clock:
        """The preset that is meant where nobody names one.

        That is the first; where bots may live for a match or for a turn, the one for the first such lifetime, in the
        game's order, that is among `lifetimes`.
        """
        for lifetime, preset in self.lifetimes.items():
            if lifetime in lifetimes:
                return self.clocks[preset]
        return next(iter(self.clocks.values()))

    def new_state(self, setup: Mapping[str, Value], seats: int) -> State:
        """A state before its first dice and turn; `start` has written the setup for so many seats into it.

        Where a game rolls dice, or deals, nobody can move or search in it yet: see `first_state`.
        A setup that names all that it must is used as it is, as matches have it; one that lacks something, or has a
        word for a number, is resolved first. Raises `OperatorError` for what such a setup may not have.
        """
        if not is_whole(self.options, setup):
            setup = resolve(self.options, setup, self.catalogue)
        state = self.rules.LAYOUT.new()
        self.start(state, setup, seats)
        return state

    def first_state(self, seed: int, setup: Mapping[str, Value] | None = None, seats: int | None = None) -> State:
        """The state in which a match with this seed begins to ask: its setup made, and its first dice rolled.

        `seed` is 0 to 2**63 - 1; `setup` has the game's options, each by default its usual value; `seats` is by
        default the fewest with which the game is a match. Raises `OperatorError` for what the setup may not have, and
        `ValueError` for a number of seats that the game has not.
        """
        seats = usual_seats(self) if seats is None else seats
        check_seats(self, seats)
        state = self.new_state(self.draw_setup(resolve(self.options, setup or {}, self.catalogue), seed), seats)
        if self.rules.needs_dice(state):
            dice = flat.row_of(max(1, self.rules.DICE))
            self.rules.roll(state, self.source(seed), dice)
            self.rules.deal(state, dice, None)
        return state

    def source(self, seed: int) -> Any:
        """Random numbers from a seed, 0 to 2**63 - 1, for the rules' dice."""
        source = self.rules.SOURCE.new()
        self.rules.reseed(source, seed)
        return source

    def new_events(self) -> Any:
        """An empty event log, large enough for a turn and its dice."""
        return flat.event_log(self.rules.EVENTS_A_TURN).new()

    def acting(self, state: State, seats: int) -> list[int]:
        """The seats that must answer now, ascending."""
        acts = self.rules.acts
        return [seat for seat in range(seats) if acts(state, seat)]

    def prompt(self, state: State, seat: int) -> bytes:
        """What a program on this seat is sent."""
        buffer = bytearray(self.protocol.PROMPT_BYTES)
        return bytes(buffer[: self.protocol.prompt(state, seat, buffer)])

    @property
    def comment(self) -> str:
        """What a program's comment lines begin with; empty in a protocol without comments."""
        found: str = self.protocol.COMMENT
        return found

    def message(self, reply: str) -> str:
        """The text that a player wrote after its action, for spectators; empty in most protocols."""
        found: str = self.protocol.message(reply)
        return found

    def farewell(self, state: State, seat: int) -> bytes:
        """What a running program on this seat is sent when the match is over; empty in most protocols."""
        buffer = bytearray(self.protocol.PROMPT_BYTES)
        return bytes(buffer[: self.protocol.farewell(state, seat, buffer)])

    def score(self, state: State, seats: int) -> tuple[float, ...]:
        """Each seat's points in a match that has ended; none at all in a game without points."""
        if self.rules.scores is None:
            return ()
        points = flat.row_of(seats)
        self.rules.scores(state, points)
        return tuple(points)

    def action_in_words(self, text: str, speaker: Speaker) -> str:
        """An action's text as its name in the game's catalogue; as it is, if it has none there.

        Where only its first word has one, that is a sentence with places for the others, {first} to {third}, or
        {rest}: each as `<game>.direction.<word>` if the game names it so.
        """
        keys, say = all_keys(self.catalogue), speaker.knowing(self.catalogue).say
        if (key := f"{self.name}.action.{text}") in keys:
            return say(key)
        name, *others = text.split()[:MAX_WORDS] or [""]
        if not others or (key := f"{self.name}.action.{name}") not in keys:
            return text
        ways = [(f"{self.name}.direction.{word}", word) for word in others]
        said = [say(way) if way in keys else word for way, word in ways]
        return say(key, **dict(zip(PLACES, [*said, "", "", ""], strict=False)), rest=" ".join(said))

    def refusal(self, state: State, seat: int, action: int) -> Fault:
        """The fault of an action that is not legal, with why it is not, if the game says that."""
        text: str = self.protocol.text(action)
        why = self.why_illegal(state, seat, action)
        if why is None:
            return Fault(FaultKind.ILLEGAL, FaultCode.NOT_LEGAL, {"action": text})
        reason = why if isinstance(why, Message) else Message(why)
        return Fault(FaultKind.ILLEGAL, reason.key, {**reason.values, "action": text})

    def is_out(self, state: State, seat: int) -> bool:
        """Whether nothing that the seat does counts any more: it is out, or has nothing left to choose.

        Then any line, even an empty one, stands for the only possible action, such as Wondev Woman's NO-MOVE.
        """
        if self.out(state, seat):
            return True
        return list(self.legal_actions(state, seat)) in ([], [self.protocol.parse("", state, seat)])

    def legal_actions(self, state: State, seat: int) -> LegalActions:
        """The seat's legal actions: iterate over them, count them, ask whether one is `in`."""
        return LegalActions(self.rules, state, seat)


def title_in(game: Game, speaker: Speaker) -> str:
    """What people call a game in the speaker's language: `<game>.title` of its catalogue, otherwise its title."""
    return game.catalogue.get(speaker.language, {}).get(f"{game.name}.title", game.title)


def usual_seats(game: Game) -> int:
    """The number of players if none is given: the fewest with which the game is a match."""
    fewest, most = game.seats
    return min(most, max(2, fewest))


def check_seats(game: Game, seats: object) -> None:
    """Raise `ValueError` for a number of players that the game does not have."""
    fewest, most = game.seats
    if not isinstance(seats, SupportsIndex) or not fewest <= operator.index(seats) <= most:
        players = fewest if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"{game.name} is for {players} players, so `seats` cannot be {seats!r}")


class LegalActions(Sequence[int]):
    """What a seat may do, as a collection over the buffer that `Rules.legal` fills."""

    __slots__ = ("_count", "_out")

    def __init__(self, rules: Any, state: State, seat: int) -> None:
        self._out = flat.row_of(rules.ACTIONS)
        self._count: int = rules.legal(state, seat, self._out)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        return iter(self._out[: self._count])

    def __getitem__(self, at: Any) -> Any:
        return self._out[: self._count][at]

    def __contains__(self, action: object) -> bool:
        return action in self._out[: self._count]
