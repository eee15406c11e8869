"""A bot is fed what a seat was sent in a recorded match, by the players of a match, and its answers are compared.

What it is sent does not depend on what it answers: once an answer differs, it is still sent what was recorded, not
what would have followed. The clock, the bot's seed, its working folder and its arguments are those of the match, and
its faults are judged by the same code. A program that lives for one turn keeps its files from turn to turn, in a copy
of its folder, as in a match.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from dohyo import bots
from dohyo.bots import Bot
from dohyo.bots.build_plan import named, split
from dohyo.bots.typed_words import revision
from dohyo.core import playback
from dohyo.core.bot_spec import HandIn, Sample
from dohyo.core.errors import BuildError, OperatorError
from dohyo.core.game import Game
from dohyo.core.referee import Answer
from dohyo.core.replay import DEBUG, Move, Replay, Turn
from dohyo.interrupts import DeferSignals
from dohyo.languages import by_ending
from dohyo.match import own_games
from dohyo.match.found_bots import find_bots
from dohyo.match.play import check_seed, match_clock, seat_launch, spoken_by, working_copies
from dohyo.match.players.kind import PlayerKind, kind_for
from dohyo.match.players.players import Players
from dohyo.match.processes.launch import Launch
from dohyo.match.replays import recorded
from dohyo.match.replays.recorded import AskedTurn, RecordedReferee
from dohyo.match.replays.sent import Sent, kind_that_spoke, protocol_of
from dohyo.sandbox import Sandbox

if TYPE_CHECKING:
    from dohyo.match.replays.last import Typed
    from dohyo.match.working_copies import WorkingCopies

MAX_ENTRIES = 10_000  # of a folder in which a bot is looked for


class Compared(NamedTuple):
    """One turn: the seat's move in the match, and the move that came now; `prompt` is what was sent in both."""

    turn: int
    prompt: bytes
    before: Move
    now: Move

    @property
    def is_same(self) -> bool:
        """Whether the bot wrote the same."""
        return said(self.before) == said(self.now)

    @property
    def is_reworded(self) -> bool:
        """Whether it wrote something else that means the same action."""
        faulty = self.before.faults or self.now.faults
        return not self.is_same and not faulty and self.before.action == self.now.action

    @property
    def differs(self) -> bool:
        """Whether its answer is another one."""
        return not self.is_same and not self.is_reworded


def said(move: Move) -> str | None:
    """What the bot answered in a recorded turn; none if no answer counted."""
    if move.reply is None and not move.faults:
        return move.action
    return move.reply


class Rerun:
    """One seat of a recorded match with a bot to be fed; a context manager, which removes the bot's working copy."""

    def __init__(self, game: Game, replay: Replay, seat: int, bot: Bot, sandbox: Sandbox, clock: str | None = None):
        """`clock` replaces the match's; without it, a debug build has more time, unless one had played already."""
        check_seed(replay.header.seed)
        kind = kind_for(bot) if bot.kind else None
        if kind is not None and not kind.tells:
            raise OperatorError(kind.untold, seat=seat, protocol=bot.kind)
        self.game, self.replay, self.seat, self.bot = game, replay, seat, bot
        self.clock = match_clock(game, clock or replay.header.clock, [bot.lifetime])
        if bot.debug and clock is None and replay.header.seats[seat].build != DEBUG:
            from dohyo.match.clocks import slower

            self.clock = slower(self.clock)
        self.last = Answer()  # what it wrote after its last turn
        self.sandbox = sandbox
        self._copies: AbstractContextManager[WorkingCopies | None] = working_copies(game)

    def __enter__(self) -> Rerun:
        folders = self._copies.__enter__()
        if folders is not None:
            self.bot = folders.make([self.bot])[0]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._copies.__exit__(kind, error, trace)

    def launch(self, sandbox: Sandbox) -> Launch:
        """How the bot is started, as in the match but for the sandbox; always in the same folder."""
        header = self.replay.header
        of_match = None, sandbox, self.clock, header.setup
        return seat_launch(self.game, self.bot, header.seed, self.seat, *of_match, asks_where=True)

    def sent(self) -> Sent:
        """What the seat was sent, in the protocol of this bot, which may be another than that of the one that played.

        Times are those of the match. A bot with limits of its own (of an engine: `go.nodes`) is told these.
        """
        sent = Sent(self.game, self.replay, self.clock)
        sent.speaks(self.seat, *spoken_by(self.bot))
        return sent

    def feed(
        self, until: int | None = None, paced: bool = False, on_turn: Callable[[Compared], None] | None = None
    ) -> list[Compared]:
        """Start the bot and send it what the seat was sent, up to turn `until`; the turns, compared.

        It is sent the next prompt as soon as it has answered, or, if `paced`, not before the moment of the match at
        which it was sent there. A bot ponders where the one of the match did, if it can. This ends early if the
        bot is stopped for a fault. No process is left running.
        """
        game, seat = self.game, self.seat
        referee, signals, sent = RecordedReferee(game, self.replay), DeferSignals(), self.sent()
        launches = {seat: self.launch(self.sandbox)}
        players = Players(referee, launches, self.clock, signals, self._pondering(), told=sent)
        compared: list[Compared] = []
        with signals:
            try:
                players.start()
                begin = monotonic()
                for found, moment, at in self._turns(until, sent):
                    if referee.stopped[seat] is not None and compared:
                        break
                    if found is not None:
                        if paced:
                            players.rest(begin + at - monotonic())
                        referee.go_to(found.moment)
                        compared.append(self._ask(players, referee, found))
                        signals.open()
                        if on_turn is not None:
                            on_turn(compared[-1])
                        signals.shut()
                    referee.finish(moment)
                    sent.pass_by(moment.turn)
                    players.ponder(moment.turn)
                if until is None and not self.replay.result.unfinished:
                    sent.finish()
                    players.say_farewell()
            finally:
                players.stop_all()
        self.last = players.last.get(seat, Answer())
        return compared

    def _pondering(self) -> bool | None:
        """Whether the bot pondered in the match, as `Players` takes it."""
        moves = (move for turn in self.replay.turns for move in turn.moves if move.seat == self.seat)
        return any(move.ponder for move in moves) or (None if self.replay.header.pondering else False)

    def _ask(self, players: Players, referee: RecordedReferee, found: AskedTurn) -> Compared:
        """Ask the bot in one turn; one that was not even ready has its fault there."""
        seat = self.seat
        answers = players.ask([seat]) if referee.stopped[seat] is None else {}
        move = referee.judge(seat, answers)
        players.see(Turn(found.turn, (), (move,)), [seat])
        return Compared(found.turn, found.prompt, found.move, move)

    def _turns(self, until: int | None, sent: Sent) -> Iterator[tuple[AskedTurn | None, playback.Moment, float]]:
        """Each turn, with what the seat was sent if it was asked, and the seconds of thinking before it."""
        at = 0.0
        for moment in playback.moments(self.game, self.replay):
            if until is not None and moment.turn.turn > until:
                return
            yield recorded.asked_in(sent, moment, self.seat), moment, at
            at += max((move.wall or move.seconds or 0.0 for move in moment.turn.moves), default=0.0)


# --- the bot that played


def bot_of(
    replay: Replay,
    seat: int,
    path: str | None,
    python: str | None,
    sandbox: Sandbox,
    words: Sequence[HandIn | str] = (),
    debug: bool = False,
) -> Bot:
    """The bot that sat on a seat, if it is still there, or what has become of it.

    A replay has a bot's name and the digest of its content. It is looked for by `words` (what the operator typed when
    the match was played, if that is known), then by its name: in the current folder, beside the replay (but not with
    `path` None), among the game's sample bots. The first with the same digest is taken, otherwise the first that
    there is. A name in a replay is a stranger's text: it is a hand-in of that name, or a sample bot, and never a
    command line. The arguments in it are passed only to a bot with the same digest, and only if none of them names a
    file. For a seat whose player was of a guest's kind, nothing that speaks otherwise is taken, and of its options in
    a replay only those that can name no file.
    """
    game, who = own_games.find(replay.header.game), replay.header.seats[seat]
    places = looked_in(path)
    arguments = _words(who.name)[1:]
    names_files = any(named(arguments, str(place)) for place in places)
    kind = kind_that_spoke(spoken := protocol_of(game, replay, seat))
    names_files |= kind is not None and not all(kind.is_harmless(word) for word in arguments)
    found, is_refused = None, False
    for word in dict.fromkeys([*words, *_named(game, who.name, places, kind)]):
        from_replay = bool(arguments) and word not in words
        if from_replay and names_files:
            is_refused = True
            continue
        try:
            (bot,) = find_bots(game, [word], python, sandbox, debug=debug)
        except BuildError:
            if found is None and word in words:
                raise
            continue
        except OperatorError:
            continue
        if kind is not None and spoken_by(bot)[0] != spoken:
            continue
        if bot.digest == who.digest:
            return bot
        is_refused |= from_replay
        found = found or (None if from_replay else bot)
    if found is None and kind is not None:
        raise OperatorError(kind.not_found, bot=who.name, seat=seat)
    if found is None:
        raise OperatorError("rerun-arguments" if is_refused else "rerun-no-bot", bot=who.name, seat=seat)
    return found


def looked_in(path: str | None) -> list[Path]:
    """The folders in which a bot is looked for by its name: the current one, and that of the replay."""
    return [Path.cwd(), *([] if path is None else [Path(path).parent.absolute()])]


def bot_that_played(
    replay: Replay,
    seat: int,
    path: str | None,
    python: str | None,
    sandbox: Sandbox,
    debug: bool = False,
    typed: Typed | None = None,
) -> Bot:
    """The bot that sat on a seat (`bot_of`); `typed` is what was typed for the match, if that is known.

    What was typed means the same only in the folder in which it was.
    """
    if typed is None:
        return bot_of(replay, seat, path, python, sandbox, debug=debug)
    meant = typed.bots[seat] if seat < len(typed.bots) else ""
    is_known = bool(meant) and typed.folder == os.getcwd() and revision(meant) is None
    place = None if path is None else os.path.join(typed.folder, path)
    return bot_of(replay, seat, place, python, sandbox, (meant,) if is_known else (), debug)


def _named(game: Game, name: str, places: Sequence[Path], kind: PlayerKind | None) -> Iterator[HandIn | Sample]:
    """What a bot of this name, and of a guest's kind, may be: hand-ins in these places, then sample bots.

    A folder may say by itself of which kind it is.
    """
    first, *arguments = _words(name) or [""]
    if not first or "/" in first or first.startswith((".", "-")) or "\0" in name:
        return
    for place in dict.fromkeys(places):
        for entry in _entries(place):
            if entry.name == first or (entry.stem == first and by_ending(entry.name) is not None):
                if kind is not None:
                    with suppress(OperatorError):  # an option that none can have
                        if (given := kind.given(arguments)) is not None:
                            yield HandIn(str(entry), given)
                if kind is None or entry.is_dir():
                    yield HandIn(str(entry), tuple(arguments))
    if kind is None and first in bots.samples_of(game):
        yield Sample(first, tuple(arguments))


def _words(name: str) -> list[str]:
    """A bot's name as a command line; no words of one that is none."""
    try:
        return list(split(name))
    except (OperatorError, ValueError):
        return []


def _entries(folder: Path) -> list[Path]:
    """What is in a folder; nothing of one that cannot be read."""
    from itertools import islice

    try:
        return sorted(islice(folder.iterdir(), MAX_ENTRIES))
    except OSError:
        return []
