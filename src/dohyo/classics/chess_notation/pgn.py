"""A match of chess as a game in PGN, with the engines' own judgement beside their moves."""

from __future__ import annotations

import re
import textwrap

from dohyo import clean
from dohyo.classics.chess_notation import chess960
from dohyo.classics.chess_notation.fen import USUAL, fen
from dohyo.classics.chess_notation.openings import is_chess960
from dohyo.classics.chess_notation.san import san, square_pair
from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Move, Replay

WIDTH = 79  # columns of a line
UNKNOWN_DATE = "????.??.??"
LONGEST_TAG = 200  # characters
_SCORE = re.compile(r"^info .*?\bscore (cp|mate) (-?\d{1,6})\b", re.MULTILINE)
_DEPTH = re.compile(r"^info .*?\bdepth (\d{1,4})\b", re.MULTILINE)
_LATE = frozenset({FaultKind.TIMEOUT})


def pgn(game: Game, replay: Replay, *, event: str = "Dohyo", round_number: str = "-") -> str:
    """The match in PGN: tags, moves in SAN, and beside each {score/depth seconds}, as other match programs write it.

    Raises `ReplayError` for a replay that does not fit the rules.
    """
    moments = list(playback.moments(game, replay))
    start = fen(moments[0].before) if moments else fen(playback.beginning(game, replay))
    result = _result(replay)
    words, black = [], start.split()[1] == "b"
    number = int(start.split()[5])
    count = 0
    for moment in moments:
        for move in moment.turn.moves:
            action = moment.actions[move.seat]
            if action is None or not square_pair(game.protocol.text(action)):
                continue
            if not black:
                words.append(f"{number}.")
            elif not count:
                words.append(f"{number}...")
            words.append(san(game, moment.before, action, moment.after))
            words += _comment(move)
            number, black, count = number + black, not black, count + 1
    tags = _tags(replay, start, result, count, event, round_number)
    head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags)
    moves = textwrap.fill(" ".join([*words, result]), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{head}\n{moves}\n\n"


def _tags(
    replay: Replay, start: str, result: str, plies: int, event: str, round_number: str
) -> list[tuple[str, str]]:
    """The seven that every game has, and what else is known."""
    seats = replay.header.seats
    tags = [("Event", event), ("Site", "?"), ("Date", UNKNOWN_DATE), ("Round", round_number)]
    tags += [("White", seats[0].name), ("Black", seats[1].name), ("Result", result)]
    if is_chess960(replay.header.setup):
        tags.append(("Variant", chess960.TAG))
    if start != USUAL:
        tags += [("SetUp", "1"), ("FEN", start)]
    tags += [("PlyCount", str(plies)), ("Termination", _termination(replay))]
    if replay.header.clock is not None:
        tags.append(("TimeControl", time_control(replay.header.clock)))
    return tags


def time_control(clock: Clock) -> str:
    """A clock as the tag TimeControl has it: 40/60+0.6, 10+0.1; 1 second a turn is 1/1."""
    if not clock.is_whole_match:
        return f"1/{clock.turn:g}"
    moves = f"{clock.moves}/" if clock.moves else ""
    return f"{moves}{clock.bank:g}" + (f"+{clock.increment:g}" if clock.increment else "")


def _result(replay: Replay) -> str:
    if replay.result.unfinished:
        return "*"
    return {0: "1-0", 1: "0-1"}.get(-1 if replay.result.winner is None else replay.result.winner, "1/2-1/2")


def _termination(replay: Replay) -> str:
    """Why the game ended, in the words that the standard has for it."""
    if replay.result.unfinished:
        return "unterminated"
    if replay.result.adjudicated:
        return "adjudication"
    moves = [*(replay.turns[-1].moves if replay.turns else ()), *replay.result.last]
    kinds = {fault.kind for move in moves for fault in move.faults if move.reply is None or move.action == "give-up"}
    if not kinds:
        return "normal"
    if kinds <= _LATE:
        return "time forfeit"
    return "rules infraction" if kinds <= {FaultKind.ILLEGAL, FaultKind.MALFORMED} else "abandoned"


def _comment(move: Move) -> list[str]:
    """What an engine said of its move, and how long it took."""
    score, depth = _SCORE.search(move.comments), _DEPTH.search(move.comments)
    said = []
    if score:
        value = int(score[2])
        far = f"/{depth[1]}" if depth else ""
        said.append(
            f"{value / 100:+.2f}{far}" if score[1] == "cp" else f"{'-' if value < 0 else '+'}M{abs(value)}{far}"
        )
    if move.seconds is not None:
        said.append(f"{move.seconds:.3f}s")
    return ["{" + " ".join(said) + "}"] if said else []


def _quoted(value: str) -> str:
    """A tag's value: one line, in which quotes and backslashes are escaped."""
    return clean.line(value)[:LONGEST_TAG].replace("\\", "\\\\").replace('"', '\\"')
