"""A desk in the terminal: the board as the person's seat sees it, what was played, and a line to type.

A line is the game's own, as a program would write it, or the number of an action in the list, or one of the words in
`WORDS`. Where a game's own lines are numbers, these are meant, and the list has no others.
"""

from __future__ import annotations

import importlib.util
import os
import select
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rich.text import Text

from dohyo import clean
from dohyo.core.game import Frame, Game
from dohyo.guests.people.kind import WORD
from dohyo.i18n import Speaker
from dohyo.match.choices import MAX_LINE, Choice, choices, understood, why_in_words
from dohyo.match.people.desk import Desk, LateError, LeftError, Question, ResignedError, TakenBackError, earlier_turn
from dohyo.match.people.hints import Hints
from dohyo.terminal.screen import NAME, console

SHORT = 24  # choices that are listed by themselves; of more, `list` prints all
AT_ONCE = 1 << 16  # bytes
MAX_TYPED = 1 << 16  # bytes of a line that never ends
HINT_SECONDS = 3.0


def desk(game: Game, speaker: Speaker) -> Desk:
    """The desk for a match of a game."""
    return TerminalDesk(game, speaker)


class TypedLines:
    """Lines from a file descriptor, each within a time: pasted ones come one after the other."""

    def __init__(self, source: int | None = None) -> None:
        self._source = source
        self._rest = b""
        self._has_ended = False

    def next(self, seconds: float | None) -> str:
        """The next line. Raises `LateError` when the time is over, `LeftError` when nothing more comes."""
        end = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._rest and not self._has_ended:
            self._read(end)
        line, _, self._rest = self._rest.partition(b"\n")
        if not line and self._has_ended:
            raise LeftError
        return line.decode("utf-8", "replace").strip()

    def _read(self, end: float | None) -> None:
        source = sys.stdin.fileno() if self._source is None else self._source
        left = None if end is None else max(0.0, end - time.monotonic())
        if not select.select([source], [], [], left)[0]:
            raise LateError
        piece = os.read(source, AT_ONCE)
        self._has_ended = not piece
        self._rest = (self._rest + piece)[-MAX_TYPED:]


class Turn(NamedTuple):
    """What a person is asked now: the question, and the actions, each by what is typed for it."""

    asked: Question
    listed: dict[str, Choice]


class TerminalDesk(Desk):
    """People at this terminal, one or several: each sees the board of its own seat when it is asked."""

    def __init__(self, game: Game, speaker: Speaker, lines: TypedLines | None = None) -> None:
        self._game, self._speaker = game, speaker.knowing(game.catalogue)
        self._lines = lines or TypedLines()
        self._told: dict[int, int] = {}  # by seat: the number of the turn up to which it was told what was played
        self._asked: Question | None = None  # the last question
        self._has_helped = False
        self._commands: dict[str, Callable[[Turn, str], None]] = {
            "list": self._list,
            "why": self._why,
            "hint": self._hint,
            "back": self._back,
            "resign": self._resign,
            "help": self._help,
        }

    def ask(self, question: Question) -> str:
        """Show the board, and take a line that the rules take."""
        game, state, seat = self._game, question.referee.state, question.seat
        self._asked = question
        found = choices(game, state, seat, self._speaker, seats=question.referee.seats)
        self._show(question)
        name = _own_name(question, seat)
        self._say("me.turn-of" if name else "me.turn", turn=question.referee.turn, seat=seat, name=name)
        turn = Turn(question, listed(found))
        if len(found) <= SHORT:
            self._list(turn, "")
        else:
            self._say("me.many", count=len(found))
        if not self._has_helped:
            self._has_helped = True
            self._say("me.help-short")
        end = None if question.seconds is None else time.monotonic() + question.seconds
        while True:
            line = self._next(question, end)
            if (answer := self._answer(turn, line)) is not None:
                return answer

    def ended(self) -> None:
        """Print what was played after the last question, and the last board, as that seat sees it."""
        if self._asked is not None:  # its referee has played the match to its end
            self._show(self._asked)

    def _next(self, question: Question, end: float | None) -> str:
        left = None if end is None else max(0.0, end - time.monotonic())
        limit = "" if left is None else f" ({self._speaker.say('time.s', value=round(left))})"
        sys.stdout.write(f"{self._name(question)}{limit}> ")
        sys.stdout.flush()
        try:
            return self._lines.next(left)
        except (LateError, LeftError):
            sys.stdout.write("\n")
            raise

    def _answer(self, turn: Turn, line: str) -> str | None:
        """The answer that a line is; none where it was a question, or is refused."""
        state, seat = turn.asked.referee.state, turn.asked.seat
        if line and understood(self._game, state, seat, line):
            return line[:MAX_LINE]
        if (choice := turn.listed.get(line)) is not None:
            return choice.text
        name, _, rest = line.partition(" ")
        if (command := self._commands.get(name.lower())) is not None:
            command(turn, rest.strip())
        elif line:
            self._why(turn, line)
            self._say("me.type", count=len(turn.listed))
        return None

    # --- words

    def _list(self, turn: Turn, rest: str) -> None:
        """Print the actions, or those in whose text or words something stands; else those with all words of it."""
        found = _having(turn.listed, [rest]) or _having(turn.listed, rest.replace(",", " ").split())
        for typed, choice in found.items():
            words = "" if choice.words == typed else f"  {choice.words.removeprefix(f'{typed} ')}"
            own = "" if choice.text in (typed, choice.words) else f"   [{choice.text}]"
            self._print(f"{typed:>5}{words}{own}")
        if not found:
            self._say("me.none-with", text=rest[:MAX_LINE])

    def _why(self, turn: Turn, rest: str) -> None:
        """Say why a line is no action now."""
        if not rest:
            self._say("me.why-what")
            return
        why = why_in_words(self._game, turn.asked.referee.state, turn.asked.seat, rest, self._speaker)
        self._print(why or self._speaker.say("sitting.legal", line=rest[:MAX_LINE]))

    def _hint(self, turn: Turn, rest: str) -> None:
        """Say what a search would do."""
        hints = Hints.found()
        if hints is None:
            self._say("me.no-hints")
            return
        compiled = importlib.util.find_spec("numba") is not None  # as what thinks will be
        self._say("me.thinking-compiled" if compiled else "me.thinking", seconds=HINT_SECONDS)
        found = hints.ask(turn.asked, HINT_SECONDS, self._speaker)
        self._print(found.said)

    def _back(self, turn: Turn, rest: str) -> None:
        """Take back the person's last action."""
        number = earlier_turn(turn.asked, self.kept)
        if number is None:
            self._say("sitting.no-back")
            return
        self._told.clear()
        raise TakenBackError(number)

    def _resign(self, turn: Turn, rest: str) -> None:
        self._say("me.resigned")
        raise ResignedError

    def _help(self, turn: Turn, rest: str) -> None:
        self._say("me.help")

    # --- what is shown

    def _show(self, question: Question) -> None:
        """What was played since this seat was asked last, and the board as it is now."""
        state, seats = question.referee.state, question.referee.seats
        frame = self._game.frame(state, [None] * seats, (), state, question.seat)
        self._tell(question, frame)
        self._print_board(question, frame)

    def _tell(self, question: Question, frame: Frame) -> None:
        """Print what the others have played since this seat was asked last, as far as it is told that."""
        seat, hidden = question.seat, frame.get("hidden", ())
        since = self._told.get(seat, -1)
        played = [
            (turn.turn, move)
            for turn in question.referee.turns
            if turn.turn > since
            for move in turn.moves
            if move.seat != seat and move.seat not in hidden and move.action
        ]
        if len(played) > SHORT:  # the others played on without this seat for long
            self._print("...")
        for number, move in played[-SHORT:]:
            words = self._game.action_in_words(move.action, self._speaker)
            self._say("me.played", turn=number, who=self._called(question, move.seat), action=words)
        self._told[seat] = question.referee.turn - 1

    def _print_board(self, question: Question, frame: Frame) -> None:
        names = [self._called(question, seat) for seat in range(question.referee.seats)]
        markup = self._game.terminal(frame, names, self._speaker)
        out = console()
        out.print()
        out.print(Text.from_markup(markup, emoji=False))

    def _name(self, question: Question) -> str:
        return self._called(question, question.seat)

    def _called(self, question: Question, seat: int) -> str:
        """Who sits there: a name, with the seat where another one has it too; the seat where there is none."""
        name = _own_name(question, seat)
        if not name:
            return self._speaker.say("me.seat", seat=seat)
        return f"{name} ({seat})" if list(question.names.values()).count(question.names[seat]) > 1 else name

    def _say(self, key: str, **values: object) -> None:
        self._print(self._speaker.say(key, **values))

    def _print(self, text: str) -> None:
        for line in text.split("\n"):
            sys.stdout.write(f"{clean.line(line)}\n" if not line.startswith(" ") else f"{clean.controls(line)}\n")


def _own_name(question: Question, seat: int) -> str:
    """What a player is called; empty for a person who was given no name, and where nothing is known."""
    name = question.names.get(seat, "")
    return "" if name == WORD else clean.line(name, NAME)


def listed(found: list[Choice]) -> dict[str, Choice]:
    """The actions by what is typed for each: a number, or its text where texts are numbers themselves."""
    if any(choice.text.strip().lstrip("-").isdecimal() for choice in found):
        return {choice.text: choice for choice in found}
    return {str(number): choice for number, choice in enumerate(found, 1)}


def _having(listed: Mapping[str, Choice], parts: Sequence[str]) -> dict[str, Choice]:
    """The actions in whose text or words each of these stands."""
    said = {typed: f"{choice.text}\n{choice.words}".lower() for typed, choice in listed.items()}
    return {typed: listed[typed] for typed, text in said.items() if all(part.lower() in text for part in parts)}
