"""Bots as classes: `class MyBot(dohyo.Bot)` with a method `act`, and nothing to read or write.

Theory of operation
-------------------
The same class plays in four ways: as a program (`MyBot.run()` reads what its seat is sent, and prints), in the
caller's own process (`dohyo.play`, notebooks), against a learner (`dohyo.rl`), and in a search's playouts (`policy`).
In the first three a `Conversation` stands between the text and the bot: it is given lines, and returns a reply. A
program and an object differ only in who gives it the lines, so both answer the same.

An object plays only where its owner passed it in Python. A file that is named by its path is a program in a sandbox,
whatever class it holds.
"""

from __future__ import annotations

import atexit
import operator
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from dohyo import games
from dohyo.core import seeds
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.flat import flat
from dohyo.core.game import Game, usual_seats
from dohyo.core.observation import Action, Observation, prompt_lines
from dohyo.core.options import resolve, told
from dohyo.core.reader import Reader
from dohyo.search.turn_clock import TurnClock, told_limits

if TYPE_CHECKING:
    from dohyo import bots

# What Dohyo tells a bot's program (docs/bots.md): the game, how its input is written.
GAME, SETUP = "DOHYO_GAME", "DOHYO_SETUP"
SEED, TURN = "DOHYO_SEED", "DOHYO_TURN"
USUAL_SEED = "1"  # without Dohyo
WARM = "--warm"  # what a build calls a program with (`dohyo.search.of_program`)
MAX_SETUP = 10_000  # characters of DOHYO_SETUP that are read


class Bot:
    """A bot. Write `act`; what a match begins with goes into `begin`.

    `seed` is the bot's own for this match and seat, and `random` draws from it: who uses that alone plays the same
    match again. `limit` is how many seconds the turn may take in all, `game` the game's name: a class that gives it
    one can be run by hand. `setup` has the options by which the bot's input is written. What it prints goes to
    standard error, and cannot spoil an answer.
    """

    game: str = ""
    seed: int = int(USUAL_SEED)
    limit: float = 0.0
    setup: Mapping[str, Any] = {}
    random: Random = Random(int(USUAL_SEED))
    _clock: TurnClock | None = None

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if cls.__module__ == "__main__" and GAME in os.environ:
            _awaited.append(cls.__name__)

    def begin(self) -> None:
        """A match begins: called once before its first turn, in each match again."""

    def act(self, observation: Any) -> Action | str | int | None:
        """The bot's action: one of `observation.legal_actions`, or any text; a number is an action of the rules.

        `observation` is of the game's own class, see `docs/python-bots.md`. None is an empty line.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method act(self, observation)")

    def time_left(self) -> float:
        """Seconds that may still be thought in this turn.

        That is less than the limit, so that an answer is in time on a busy machine too; not below 0.
        """
        return 0.0 if self._clock is None else max(0.0, self._clock.left())

    @property
    def deadline(self) -> float:
        """When this turn's time is over, as `time.monotonic` counts and `dohyo.search` takes it (`until`).

        By a clock that counts no waiting for a processor it moves on while the program waits: compare the time with
        it (`time.monotonic() < self.deadline`) rather than calculate with it.
        """
        return 0.0 if self._clock is None else self._clock.until()

    @classmethod
    def run(cls, game: str = "") -> NoReturn:
        """Be a program: answer what is sent to the standard input until it ends, then exit.

        `game` is the game's name; by default Dohyo says it, or the class does.
        """
        _awaited.clear()
        run_as_program(cls, game)
        sys.exit(0)

    def policy(self, game: str | Game, setup: Mapping[str, Any] | None = None) -> Any:
        """What it does in the playouts of a search in plain Python: `Search(GAME, seats, policy=bot.policy(GAME))`.

        It is asked about states that never were, one after the other: each time as in its first turn. An answer that
        is not legal there counts as the first legal action. `setup` is the match's, if it is not the usual one.
        """
        chosen = games.find(game) if isinstance(game, str) else game
        usual = chosen.usual_clock()
        playing = Conversation(self, chosen, self.seed, usual.limit(False), usual.limit(True), setup)

        @flat
        def policy(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
            found = playing.action_in(s, seat)
            return found if found is not None and found in options[:count] else int(options[0])

        return policy


_awaited: list[str] = []  # classes of this program that nobody has run yet


@atexit.register
def _hint() -> None:
    """Say what is missing in a program that has a bot and never ran it; not after an error, which says more."""
    for name in [] if hasattr(sys, "last_type") else _awaited[-1:]:
        ending = f'if __name__ == "__main__": {name}.run()'
        print(f"{name} was never run: let the file end with the line `{ending}`", file=sys.stderr)


class Conversation:
    """One match of a bot, as lines and replies."""

    def __init__(
        self,
        bot: Bot,
        game: Game,
        seed: int,
        limit: float,
        first: float,
        setup: Mapping[str, Any] | None = None,
        mode: str | None = "wall",
        bank: float | None = None,
    ) -> None:
        """`limit` and `first`: seconds of a turn, of the first one. `setup`: the match's, none for the usual one.

        `mode`: what the clock counts; none: what Dohyo tells this program. `bank`: seconds for the whole match.
        """
        self.bot, self._game, self._setup = bot, game, setup
        self._reader = Reader(game, setup)
        bot.game, bot.seed, bot.random, bot.limit = game.name, seed, Random(seed), first
        bot.setup = told(game.options, setup or {})
        bot._clock = self._clock = TurnClock(limit, first, mode=mode, bank=bank)

    def begin(self) -> None:
        """The match begins. Raises whatever the bot raises, as `take` does."""
        self._clock.forget()
        self.bot.begin()

    def listen(self) -> None:
        """The lines will come from this process's input: what waits there already has cost time."""
        self._clock.ready()

    def take(self, line: str) -> str | None:
        """One line of the input, without its newline; the reply, if the prompt is whole by that."""
        if self._reader.is_between:
            self._clock.begin()
            self._clock.plan()  # by which it sees how late an answer comes
        seen = self._reader.take(line)
        if seen is None:
            return None
        self.bot.limit = self._clock.limit
        reply = self.reply_to(seen)
        self._reader.answered(reply)
        self._clock.end()
        return reply

    def draws(self, line: str) -> bool:
        """Whether a line that the bot prints is an annotation, which is for the viewer."""
        from dohyo.match.telling.annotations import annotation_of

        return annotation_of(line) is not None

    def reply_to(self, seen: Observation) -> str:
        """The bot's answer as one line of text."""
        return as_text(self.bot.act(seen), self._game)

    def action_in(self, state: Any, seat: int) -> int | None:
        """The bot's action in any state, as in its first turn; none if its answer is not an action."""
        asked = self._game.rules.LAYOUT.copy(state)
        self._game.reseat(asked)
        reader, seen = Reader(self._game, self._setup), None
        for line in prompt_lines(self._game, self._game.prompt(asked, seat)):
            seen = reader.take(line)
        found = None if seen is None else self._game.protocol.parse(self.reply_to(seen), state, seat)
        return found if isinstance(found, int) else None


def as_text(action: object, game: Game) -> str:
    """What a bot returned, as the line that a program prints; None is an empty one, a number that action's text."""
    if action is None:
        return ""
    if not isinstance(action, str):
        with suppress(TypeError):
            number = operator.index(action)  # type: ignore[arg-type]
            known = 0 <= number < game.rules.ACTIONS or number in game.rules.CONCESSIONS
            return str(game.protocol.text(number)) if known else str(number)
    return str(action).replace("\n", " ")


# --- as a program ---------------------------------------------------------------------------------------------------


def run_as_program(made: type[Bot], word: str = "") -> None:
    """Play one match as a program: prompts from the standard input, replies to the standard output.

    A program that lives for one turn finds its prompt in its last argument. Called with `--warm`, by its build, it
    plays a first turn for nobody: what it searches with is compiled then.
    """
    if sys.argv[1:] == [WARM] and TURN not in os.environ:
        from dohyo.search.bot import warm_up

        warm_up(lambda _: _first_turn(made, word or made.game), later=False)
    replies, sys.stdout = sys.stdout, sys.stderr
    name = word or os.environ.get(GAME) or made.game
    if not name:
        sys.exit(f'{made.__name__}: which game? Write its name into the class: game = "drop-block"')
    try:
        game = games.find(name)
    except OperatorError as error:
        sys.exit(f"{made.__name__}: {error}")
    try:
        setup = _setup(game)
    except (ValueError, OperatorError) as error:
        sys.exit(f"{made.__name__}: {SETUP}: {error}")
    seed = int(os.environ.get(SEED) or USUAL_SEED)
    talk = Conversation(made(), game, seed, *told_limits(game), setup, mode=None)
    talk.begin()
    talk.listen()
    if TURN in os.environ and len(sys.argv) > 1:
        talk.bot.random.seed(f"{talk.bot.seed} {os.environ[TURN]}")
        for line in prompt_lines(game, os.fsencode(sys.argv[-1])):
            if (reply := talk.take(line)) is not None:
                _print(replies, reply)
        return
    if game.protocol.READY:
        _print(replies, game.protocol.READY)
    for read in sys.stdin.buffer:
        if (reply := talk.take(read.decode("utf-8", "surrogateescape").rstrip("\r\n"))) is not None:
            _print(replies, reply)


def _first_turn(made: type[Bot], name: str) -> None:
    """Begin a match and answer once, in the game that the class names; of one that names none only `begin` is called:
    a build is for no match."""
    from dohyo.core.referee import Referee  # which a match's program does without

    bot = made()
    if not name:
        bot.begin()
        return
    game = games.find(name)
    usual = game.usual_clock()
    talk = Conversation(bot, game, int(USUAL_SEED), usual.limit(False), usual.limit(True))
    talk.begin()
    referee = Referee(game, resolve(game.options, {}, game.catalogue), usual_seats(game), int(USUAL_SEED))
    with suppress(Exception):  # a mistake in `act` shows in play; what it has searched with until then is compiled
        talk.action_in(referee.state, referee.pending()[0])


def _print(replies: Any, line: str) -> None:
    replies.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")
    replies.flush()


def _setup(game: Game) -> dict[str, Any]:
    """The match's setup, as far as a bot is told. Raises `ValueError` or `OperatorError` for what is none."""
    import json

    given = os.environ.get(SETUP) or "{}"
    if len(given) > MAX_SETUP:
        raise ValueError(f"more than {MAX_SETUP} characters")
    try:
        found = json.loads(given)
    except RecursionError as error:
        raise ValueError("brackets in brackets") from error
    if not isinstance(found, dict):
        raise ValueError('write it as {"option": "value"}')
    names = {option.name for option in game.options if option.told}
    return resolve(game.options, {name: value for name, value in found.items() if name in names}, game.catalogue)


# --- in this process ------------------------------------------------------------------------------------------------


class Owned(NamedTuple):
    """A bot that plays in this process, and what a replay says of it."""

    bot: Bot
    record: bots.Bot

    def seated(
        self, game: Game, seed: int, seat: int, clock: Clock, setup: Mapping[str, Any] | None = None
    ) -> Conversation:
        """The bot on a seat of a match with this seed; its own seed is the one that its program would be told."""
        limits = clock.share(False), clock.share(True)
        return Conversation(self.bot, game, seeds.of_bot(seed, seat), *limits, setup, bank=clock.match_bank)


def is_bot(given: object) -> bool:
    """Whether this is such a bot, or a class of such bots."""
    return isinstance(given, Bot) or (isinstance(given, type) and issubclass(given, Bot))


def owned(given: Bot | type[Bot], taken: Sequence[Bot] = ()) -> Owned:
    """The object that plays: a new one of a class; the given one, or a copy if it is among those `taken` already."""
    import copy  # a bot that is a program does without all of these

    from dohyo import bots

    bot = given() if isinstance(given, type) else given
    if any(bot is other for other in taken):
        bot = copy.deepcopy(bot)
    return Owned(bot, bots.Bot(type(bot).__name__, (), "", _digest(bot), "Python"))


def parted(specs: Sequence[Any]) -> tuple[list[Any], dict[int, Owned]]:
    """Split players into specs, with a record in the place of each bot of this process, and those bots by seat.

    Raises `TypeError` for what is no bot.
    """
    from dohyo.match.found_bots import PROGRAMS

    programs: list[Any] = []
    found: dict[int, Owned] = {}
    for seat, spec in enumerate(specs):
        if is_bot(spec):
            found[seat] = owned(spec, [one.bot for one in found.values()])
        elif not isinstance(spec, PROGRAMS):
            raise TypeError(f"a bot is a name, a path, a dohyo.Bot or a class of these, not {spec!r}")
        programs.append(found[seat].record if seat in found else spec)
    return programs, found


def _digest(bot: Bot) -> str:
    """SHA-256 of the source of its class, in hex; of the class's name where there is no source."""
    import hashlib
    import inspect

    try:
        text = inspect.getsource(type(bot))
    except (OSError, TypeError):
        text = f"{type(bot).__module__}.{type(bot).__qualname__}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
