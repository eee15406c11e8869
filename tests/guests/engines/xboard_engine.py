"""A small XBoard engine: it plays by a rule of thumb, writes down what it is told, and goes wrong where it shall.

Its first argument names what it does wrong or otherwise, its second the file to which it writes its input.
"""

from __future__ import annotations

import sys
import time

from tests.guests.engines.engine import say

FEATURES = 'feature ping=1 setboard=1 usermove=1 colors=0 san=1 time=1 myname="Rule of Thumb"'


class Engine:
    """The engine: the match so far."""

    def __init__(self, wrong: str, record: str) -> None:
        from dohyo import games

        self.wrong, self.record = wrong, record
        self.game = games.find("chess")
        self.state = self.game.new_state({"opening": "usual"}, 2)
        self.forced = True
        self.turns = 0
        self.variant: dict[str, str] = {}

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
            elif self.wrong == "old" and self.game.protocol.read(word) is not None:
                self.on_usermove(word)

    def on_protover(self, rest: str) -> None:
        """Tell the features."""
        if self.wrong in ("mute", "old"):
            return
        if self.wrong == "deaf":  # as one that reads whole buffers before it begins
            for _ in range(50):
                sys.stdin.readline()
        if self.wrong == "slow":
            say("feature done=0")
            time.sleep(0.5)
        say(FEATURES.replace("setboard=1", "setboard=0") if self.wrong == "board" else FEATURES)
        say('feature option="Skill Level -spin 3 0 20" option="Book -check 1"')
        say('feature option="Style -combo *dull /// bright" option="Clear Hash -button"')
        if self.wrong.startswith("960"):
            say('feature variants="normal,nocastle,fischerandom"')
        if self.wrong != "undone":
            say("feature done=1")

    def on_ping(self, rest: str) -> None:
        """Answer."""
        if self.wrong != "unready":
            say(f"pong {rest}")

    def on_new(self, rest: str) -> None:
        """Begin."""
        self.state = self.game.new_state({"opening": "usual"}, 2)

    def on_force(self, rest: str) -> None:
        """Only take moves."""
        self.forced = True

    def on_variant(self, rest: str) -> None:
        """Play another chess."""
        assert rest == "fischerandom"
        self.variant = {"variant": "chess960"}

    def on_setboard(self, rest: str) -> None:
        """Take a position."""
        self.state = self.game.new_state({**self.variant, "opening": rest}, 2)

    def on_usermove(self, rest: str) -> None:
        """Take a move, and answer it."""
        action = self.game.protocol.read(self.game.meant(self.state, rest) if rest.startswith("O") else rest)
        assert action is not None
        self.game.rules.step(self.state, [action, action], None)
        if not self.forced:
            self.move()

    def on_go(self, rest: str) -> None:
        """Move."""
        self.forced = False
        self.move()

    def move(self) -> None:
        """Answer, or go wrong in the second turn."""
        from dohyo.classics.chess_notation.san import san
        from dohyo.core.cheap_random import mixed

        self.turns += 1
        if (
            self.turns == 2
            and self.wrong[:3] != "960"
            and self.wrong not in ("", "san", "old", "slow", "deaf", "resigns-behind")
        ):
            self.go_wrong()
        before = self.game.rules.LAYOUT.copy(self.state)
        legal = self.game.legal_actions(self.state, self.state.turn % 2)
        action = min(legal, key=lambda each: mixed(each * 977 + self.state.turn))
        if wanted := [each for each in legal if self.game.protocol.text(each) == self.wrong[4:]]:
            action = wanted[0]
        castles = self.game.xboard_move(before, self.game.protocol.text(action)).startswith("O")
        self.game.rules.step(self.state, [action, action], None)
        say("# a debug line")
        say("  3.    -25      12     1234   e2e4 e7e5")
        say("offer draw")
        writes = self.wrong == "san" or castles
        word = san(self.game, before, action, self.state) if writes else self.game.protocol.text(action)
        if self.wrong != "old":
            say(f"move {word}")
        say(f"My move is : {word}")  # some say it twice; the form that came first counts
        if self.wrong == "resigns-behind":
            say("resign")

    def go_wrong(self) -> None:
        """What the first argument says."""
        match self.wrong:
            case "illegal":
                say("move e1e8")
            case "malformed":
                say("move castle")
            case "refuses":
                say("Illegal move (no such piece): e7e5")
            case "resign":
                say("resign")
            case "exit":
                sys.exit(3)
            case "flood":
                while True:
                    say("# " + "x" * 900)
            case "hurry":
                while sys.stdin.readline() != "?\n":
                    pass
                return
        while True:
            time.sleep(60)


if __name__ == "__main__":
    Engine(*[*sys.argv[1:], "", ""][:2]).run()
