"""Engines that are asked what the positions of a match are worth.

Theory of operation
-------------------
The engine is started as in a match (`group.py`): the same handshake with its options, the same sandbox, the same
bounds of what it may write. Then it is asked about one position after the other, each with a time of its own.

A UCI engine gets `UCI_ShowWDL` set, if it has that option. It is told the start and all actions, as in a match, so
that it knows what has been there twice. Before each `go` stands an `isready`: what comes before the `readyok` belongs
to an earlier search, and is dropped. `go` has the time as `movetime`, beside the operator's own limits (`go.depth`).
An engine that goes on for longer is sent `stop`.

An engine of XBoard's protocol gets `setboard` and `analyze`, and `exit` when its time is over; `ping` then says where
its thoughts end. So it needs these features. Its scores are taken for those of the side to move, as the protocol
says.

An engine gets at most `GRACE` beyond its time for its answer. One that ends, hangs, writes too much, says no score or
a best move that the rules do not allow has failed: one sentence says so, and it is asked nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic_ns
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.core.referee import Referee
from dohyo.guests.engines import scores, xboard_protocol
from dohyo.guests.engines.options import engine_of
from dohyo.guests.engines.scores import Score, Search
from dohyo.guests.engines.uci import LONGEST_INFO, READY, EngineProcess
from dohyo.guests.engines.uci_protocol import CASTLING, PROTOCOL, limits_of
from dohyo.guests.engines.xboard import XboardProcess
from dohyo.i18n import Message
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.play import seat_launch
from dohyo.match.players.judge import Judge, Judged
from dohyo.match.players.players import Players
from dohyo.match.processes.bot_process import NANO
from dohyo.match.processes.poller import MILLISECOND, Poller

if TYPE_CHECKING:
    from dohyo.bots.bot import Bot
    from dohyo.core.game import Game, State
    from dohyo.sandbox import Sandbox

LONGEST_NAME = 60  # characters of an engine's own name
SPARE = 0.1  # seconds for the way of an answer, before an engine is told to stop
GRACE = 5.0  # seconds in which it has to have stopped
WDL = "uci_showwdl"  # the option by which an engine tells how many games it would win, by its plain name


@contextmanager
def judging(game: Game, bot: Bot, sandbox: Sandbox, setup: Mapping[str, object]) -> Iterator[Judge]:
    """The engine, ready to be asked. Raises `OperatorError` if it is not; none is left running."""
    referee, clock = Referee(game, dict(setup), game.seats[0], 0), game.usual_clock()
    launch = seat_launch(game, bot, 0, 0, None, sandbox, clock, referee.setup)
    with DeferSignals() as signals:
        players = Players(referee, {0: launch}, clock, signals)
        try:
            players.start()
            if (fault := referee.stopped[0]) is not None:
                raise _failure(game, bot.name, fault.told)
            kind = UciJudge if bot.protocol == PROTOCOL else XboardJudge
            with kind(referee, bot, launch.settings, engine_of(players), signals).listening() as judge:
                yield judge
        finally:
            players.stop_all()


def _failure(game: Game, name: str, detail: Message) -> OperatorError:
    """The error that says why an engine does not judge, or no further."""
    return OperatorError("judge-failed", bot=name, game=game.name, detail=detail)


class _Lines:
    """Sorts an engine's lines: answers are those that end something; of the others scores are read."""

    answers: tuple[bytes, ...] = ()

    def __init__(self) -> None:
        self.search = Search()

    def __call__(self, lines: list[bytes]) -> tuple[list[bytes], list[bytes]]:
        """The answers among these lines; nothing else is kept."""
        found = []
        for line in lines:
            if line.startswith(self.answers):
                found.append(line[:LONGEST_INFO])
            elif (score := self.score(line[:LONGEST_INFO])) is not None:
                self.search.add(score)
        return found, []

    def score(self, line: bytes) -> Score | None:
        """The score that a line has."""
        raise NotImplementedError


class EngineJudge:
    """An engine that runs and is ready. What its protocol does not say is here."""

    lines: _Lines

    def __init__(
        self, referee: Referee, bot: Bot, settings: Mapping[str, str], engine: EngineProcess, signals: DeferSignals
    ) -> None:
        self.name = clean.line(engine.name)[:LONGEST_NAME].strip() or bot.name
        self._game, self._bot = referee.game, bot
        self._variant = referee.game.engine_variant(referee.setup)
        self._settings, self._engine, self._process = settings, engine, engine.process
        self._poller = Poller(signals)

    @contextmanager
    def listening(self) -> Iterator[EngineJudge]:
        """The engine, while its output is read here."""
        self._poller.add(self._process)
        try:
            self._process.sort_lines(self.lines)
            self.begin()
            yield self
        finally:
            self._poller.remove(self._process)

    def begin(self) -> None:
        """What it is sent before the first position."""

    def judge(self, start: State, actions: Sequence[int], state: State, seconds: float) -> Judged:
        """What a position is worth: see `Judge`."""
        for tried in (seconds, 2 * seconds):  # an engine may say nothing in a very short time
            word = self.look(start, actions, state, tried)
            if (score := self.lines.search.last) is not None:
                low, high = self.lines.search.bounds
                best = self._action(state, word)
                return Judged(score.chance, low, high, best, score.depth, score.mate)
        raise self.failed(Message("detail.judge-no-score"))

    def look(self, start: State, actions: Sequence[int], state: State, seconds: float) -> str:
        """Let it search a position; its best move, as it writes it."""
        raise NotImplementedError

    def _action(self, state: State, word: str) -> int:
        """The action that its best move means. Raises `OperatorError` for one that is not allowed."""
        game = self._game
        (seat,) = game.acting(state, game.seats[0])
        for meant in (word, CASTLING.get(word, ""), game.meant(state, word)) if word else ():
            action = game.protocol.read(meant) if meant else None
            if action is not None and game.rules.is_legal(state, seat, action):
                return int(action)
        raise self.failed(Message("detail.judge-illegal", {"line": clean.line(word)[:LONGEST_INFO]}))

    def failed(self, detail: Message) -> OperatorError:
        """The error that says that it has failed."""
        return _failure(self._game, self._bot.name, detail)

    # --- lines

    def send(self, *lines: str) -> None:
        """Send it lines."""
        self._process.send("".join(f"{line}\n" for line in lines).encode())

    def forget(self) -> None:
        """Drop what it has said so far."""
        while self._process.take_bytes() is not None:
            pass
        self._process.take_asides()
        self.lines.search = Search()

    def answer(self, word: str, seconds: float, stop: Sequence[str] = ()) -> str:
        """The next line that begins with this word; after so many seconds it is sent what makes it `stop`.

        Raises `OperatorError` if it has not come `GRACE` later, or cannot come any more.
        """
        awaited = verdict.Awaited(FaultKind.TIMEOUT, FaultCode.NO_READY, FaultCode.READY_LATE, {"word": word})
        end, is_last = monotonic_ns() + int(seconds * NANO), not stop
        process = self._process
        while True:
            while (line := process.take_line()) is not None:
                if line.startswith(word):
                    return line
            late = (left := end - monotonic_ns()) <= 0
            if late and not is_last:
                self.send(*stop)
                end, is_last = monotonic_ns() + int(GRACE * NANO), True
                continue
            if (fault := verdict.judge(process, awaited, False, late)) is not None:
                raise self.failed(fault.told)
            self._poller.follow_input(process)
            self._poller.take_in(max(left, MILLISECOND))


class _UciLines(_Lines):
    answers = b"bestmove", b"readyok"

    def score(self, line: bytes) -> Score | None:
        """The score of an `info` line."""
        return scores.of_uci(line) if line.startswith(b"info ") and not line.startswith(b"info string") else None


class UciJudge(EngineJudge):
    """An engine that speaks UCI."""

    def __init__(self, *told: object) -> None:
        super().__init__(*told)  # type: ignore[arg-type]
        self.lines = _UciLines()

    def begin(self) -> None:
        """Let it tell how many games it would win, if it can."""
        option = self._engine.options.get(WDL)
        if option is not None and option.takes("true") and WDL not in self._settings:
            self.send(option.line("true").rstrip("\n"))

    def look(self, start: State, actions: Sequence[int], state: State, seconds: float) -> str:
        """Let it search a position; its best move."""
        assert self._game.uci is not None
        moves = ["moves", *map(self._game.protocol.text, actions)] if actions else []
        self.send(" ".join(["position", self._game.uci(start), *moves]), "isready")
        self.answer("readyok", READY)
        self.forget()
        self.send(" ".join(["go movetime", str(max(1, int(seconds * 1000))), limits_of(self._settings)]).rstrip())
        words = self.answer("bestmove", seconds + SPARE, ["stop"]).split(maxsplit=2)
        return words[1] if len(words) > 1 else ""


class _XboardLines(_Lines):
    answers = (b"pong ",)

    def __init__(self) -> None:
        super().__init__()
        self.best = b""  # the first move of its latest line

    def score(self, line: bytes) -> Score | None:
        """The score of a line of thought."""
        if (found := scores.of_xboard(line)) is None:
            return None
        self.best = found[1] or self.best
        return found[0]


class XboardJudge(EngineJudge):
    """An engine that speaks XBoard's protocol."""

    def __init__(self, *told: object) -> None:
        super().__init__(*told)  # type: ignore[arg-type]
        self.lines: _XboardLines = _XboardLines()
        self._pings = 1

    def begin(self) -> None:
        """It has to have what positions are asked with."""
        assert isinstance(self._engine, XboardProcess)
        for name in ("setboard", "ping", "analyze"):
            if not self._engine.has(name):
                raise self.failed(Message("detail.judge-no-feature", {"word": name}))

    def look(self, start: State, actions: Sequence[int], state: State, seconds: float) -> str:
        """Let it search a position; its best move."""
        assert self._game.uci is not None
        where = self._game.uci(state)
        board = [] if where == xboard_protocol.USUAL else [f"setboard {where.removeprefix('fen ')}"]
        depth = [f"sd {self._settings['go_depth']}"] if limits_of(self._settings) else []
        variant = [f"variant {self._variant}"] if self._variant else []
        self.send("new", *variant, "easy", "post", *depth, "force", *board, self._ping())
        self.answer(f"pong {self._pings}", READY)
        self.forget()
        self.lines.best = b""
        self.send("analyze")
        stop = ["exit", self._ping()]
        self.answer(f"pong {self._pings}", seconds, stop)
        return self.lines.best.decode("utf-8", "replace")

    def _ping(self) -> str:
        """The line upon which it says that it has done all before."""
        self._pings += 1
        return f"ping {self._pings}"
