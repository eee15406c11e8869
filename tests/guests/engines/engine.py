"""A small UCI engine: it plays by a rule of thumb, writes down what it is told, and goes wrong where it is asked to.

Its first argument names what it does wrong, its second the file to which it writes its input, its third the score
that it tells.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dohyo.core.game import Game, State


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Engine:
    """The engine: its options, its position."""

    def __init__(self, wrong: str, record: str, score: str) -> None:
        later = wrong.endswith("-later")  # it goes wrong before its second match
        self.wrong, self.later = ("", wrong) if later else (wrong, "")
        self.record, self.score = record, score or "cp 12"
        self.values = {"Skill Level": "3", "Style": "dull"}
        self.position = ""
        self.turns = self.matches = 0

    def run(self) -> None:
        """Read to the end, or to quit."""
        for line in sys.stdin:
            if self.record:
                with open(self.record, "a") as file:
                    file.write(line)
            word, _, rest = line.strip().partition(" ")
            if word == "quit":
                return
            if handler := getattr(self, f"on_{word}", None):
                handler(rest)

    def on_uci(self, rest: str) -> None:
        """Tell the name and the options."""
        if self.wrong == "mute":
            return
        if self.wrong == "dead":
            sys.exit(5)
        if self.wrong == "endless":
            while True:
                say("option name x type string default y")
        say("id name Thumb 1")
        say("option name Skill Level type spin default 3 min 0 max 20")
        say("option name Style type combo default dull var dull var bright")
        say("option name Clear Hash type button")
        if self.wrong.startswith("960"):
            say("option name UCI_Chess960 type check default false")
        say("uciok")

    def on_isready(self, rest: str) -> None:
        """Say that it is ready."""
        self.matches += 1
        if self.matches > 1 and self.later == "dies-later":
            sys.exit(6)
        if self.wrong != "unready" and (self.matches == 1 or not self.later):
            say("readyok")
            say("info string hello")

    def on_setoption(self, rest: str) -> None:
        """Take a value."""
        name, _, value = rest.removeprefix("name ").partition(" value ")
        self.values[name] = value

    def on_position(self, rest: str) -> None:
        """Take a position with the moves from there."""
        self.position = rest

    def on_go(self, rest: str) -> None:
        """Answer, or go wrong in the second turn."""
        self.turns += 1
        if self.wrong == "castling":
            say(f"bestmove {'e1h1' if self.turns == 1 else self.best()}")
            return
        if self.turns == 2 and self.wrong and not self.wrong.startswith("960"):
            self.go_wrong()
        best = "e2e4" if self.wrong and not self.wrong.startswith("960") else self.best()
        say(f"info depth 1 seldepth 2 multipv 1 score {self.score} nodes 30 pv {best}")
        say("info depth 1 multipv 2 score cp -90 pv a2a3")
        say("info currmove a2a3 currmovenumber 2")
        say(f"bestmove {best} ponder a7a6")

    def best(self) -> str:
        """One of the legal moves."""
        from dohyo.core.cheap_random import mixed

        game, state = self.reached()
        legal = game.legal_actions(state, state.turn % 2)
        castling = [game.protocol.text(action) for action in legal if game.protocol.text(action) == self.wrong[4:]]
        if castling:
            return castling[0]
        return game.protocol.text(min(legal, key=lambda action: mixed(action * 977 + state.turn)))

    def reached(self) -> tuple[Game, State]:
        """The game, and the state of its position."""
        from dohyo import games
        from dohyo.classics.chess_notation.fen import USUAL

        game = games.find("chess")
        start, _, moves = self.position.partition(" moves ")
        variant = {"variant": "chess960"} if self.values.get("UCI_Chess960") == "true" else {}
        opening = USUAL if start == "startpos" else start.removeprefix("fen ")
        state = game.new_state({**variant, "opening": opening}, 2)
        for word in moves.split():
            action = game.protocol.read(word)
            assert action is not None
            assert game.rules.is_legal(state, state.turn % 2, action), word
            game.rules.step(state, [action, action], None)
        return game, state

    def go_wrong(self) -> None:
        """What the first argument says."""
        match self.wrong:
            case "illegal":
                say("bestmove e1e8")
            case "malformed":
                say("bestmove castle")
            case "none":
                say("bestmove")
            case "exit":
                sys.exit(3)
            case "killed":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "closed":
                os.close(1)
                signal.pause()
            case "late":
                say("info depth 1 score cp 5 pv e2e4")
                signal.pause()
            case "flood":
                while True:
                    say("info depth 1 nodes 12345 currmove e2e4 " + "x" * 900)
            case "long":
                say("info string " + "x" * 100_000)
        while True:
            time.sleep(60)


if __name__ == "__main__":
    Engine(*[*sys.argv[1:], "", "", ""][:3]).run()
