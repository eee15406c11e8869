"""A small UCI engine that ponders, and goes wrong there where it is asked to.

Its first argument says on which moves it ponders and how, its second names the file to which it writes its input, or
by which two of these wait for each other.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tests.guests.engines.engine import Engine, say

MUCH = 700_000  # bytes: twice as much is more than anybody reads in a turn


class Pondering(Engine):
    """The engine: what it does when it ponders, and how its pondering ends."""

    def __init__(self, kind: str, record: str) -> None:
        super().__init__("", "" if kind in ("talkative", "patient") else record, "")
        self.other = record
        self.kind, self.is_pondering, self.has_answered = kind, False, False

    def on_uci(self, rest: str) -> None:
        """Tell the options."""
        if self.kind not in ("unable", "patient"):
            say("option name Ponder type check default false")
        super().on_uci(rest)

    def on_go(self, rest: str) -> None:
        """Answer; on `go ponder` later."""
        self.turns += 1
        self.has_answered = False
        self.is_pondering = rest.startswith("ponder")
        if self.kind == "patient":  # until the other one has told all that it tells while it ponders
            while not Path(self.other).exists():
                time.sleep(0.01)
            Path(self.other).unlink()
        if not self.is_pondering:
            self.answer(12)
        elif self.kind.startswith("early"):
            self.answer(13)
        elif self.kind == "talkative":
            self.talk(MUCH)
            Path(self.other).touch()
        elif self.kind == "flood":
            self.talk(4 * MUCH)

    def on_ponderhit(self, rest: str) -> None:
        """The position is the one that it has thought about."""
        assert self.is_pondering
        self.is_pondering = False
        if self.kind == "talkative":
            self.talk(MUCH)
        if not self.has_answered:
            self.answer(14)

    def on_stop(self, rest: str) -> None:
        """Answer to what it has thought about; it does not count."""
        if not self.is_pondering:
            return
        self.is_pondering = False
        if self.kind == "stuck":
            time.sleep(1000)
        if self.kind == "slow":
            time.sleep(0.3)
        if not self.has_answered:
            say("info depth 9 score cp 999 pv a2a3")
            say("bestmove a2a3")

    def answer(self, score: int) -> None:
        """Its move, and the one that it expects."""
        from dohyo.core.cheap_random import mixed

        game, state = self.reached()
        legal = game.legal_actions(state, state.turn % 2)
        action = min(legal, key=lambda action: mixed(action * 977 + state.turn))
        action = legal[0] if self.kind == "patient" else action
        game.rules.step(state, [action, action], None)
        expected = list(game.legal_actions(state, state.turn % 2))
        is_right = self.kind.endswith("hit") or (self.kind == "mixed" and self.turns % 3 == 0)
        is_right = is_right or self.kind in ("talkative", "flood")
        guess = "e1e8" if self.kind == "illegal" else "" if not expected else None
        if guess is None:
            guess = game.protocol.text(expected[0 if is_right else -1])
        self.has_answered = True
        if self.kind != "silent":
            say(f"info depth 1 score cp {score} pv {game.protocol.text(action)}")
        say(f"bestmove {game.protocol.text(action)}" + f" ponder {guess}" * bool(guess))

    def talk(self, size: int) -> None:
        """Tell much of the search."""
        for _ in range(size // 1000):
            say("info depth 1 nodes 12345 currmove e2e4 ".ljust(999, "x"))


if __name__ == "__main__":
    Pondering(*[*sys.argv[1:], "", ""][:2]).run()
