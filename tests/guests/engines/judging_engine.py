"""A small engine that knows what some positions are worth, of either protocol, and goes wrong where it is asked to.

Its first argument names what it does wrong or otherwise, its second the file to which it writes its input. It knows
the shortest mate that there is, f2f3 e7e5 g2g4 d8h4, and what was better than g2g4.
"""

from __future__ import annotations

import signal
import sys

# By the actions so far, what a position is worth for who is to move, and the best move there.
KNOWN = {
    "": ("cp 20", "e2e4"),
    "f2f3": ("cp 30", "e7e5"),
    "f2f3 e7e5": ("cp -60", "g1h3"),
    "f2f3 e7e5 g1h3": ("cp 60", "d7d5"),
    "f2f3 e7e5 g2g4": ("mate 1", "d8h4"),
}
BOARDS = {  # the same, as an XBoard engine is told them
    "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b": "f2f3",
    "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w": "f2f3 e7e5",
    "rnbqkbnr/pppp1ppp/8/4p3/8/5P1N/PPPPP1PP/RNBQKB1R b": "f2f3 e7e5 g1h3",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b": "f2f3 e7e5 g2g4",
}
WDL = {
    "cp 20": "150 750 100",
    "cp 30": "200 700 100",
    "cp 60": "300 600 100",
    "cp -60": "100 600 300",
    "mate 1": "1000 0 0",
}


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Engine:
    """The engine: where it is, and how often it has looked."""

    def __init__(self, wrong: str, record: str) -> None:
        self.wrong, self.record = wrong, record
        self.moves = ""
        self.looks = 0
        self.tells_wdl = False

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

    # --- UCI

    def on_uci(self, rest: str) -> None:
        """Tell the name and the options."""
        if self.wrong == "mute":
            signal.pause()
        say("id name Fool \x1b[31mred")
        say("option name UCI_ShowWDL type check default false")
        say("option name Hash type spin default 16 min 1 max 64")
        say("uciok")

    def on_setoption(self, rest: str) -> None:
        """Take a value."""
        self.tells_wdl = self.tells_wdl or rest == "name UCI_ShowWDL value true"

    def on_isready(self, rest: str) -> None:
        """Answer; sometimes with what belongs to an earlier search."""
        if self.wrong == "twice":
            say("info depth 9 score cp 900")
            say("bestmove a2a3")
        say("readyok")

    def on_position(self, rest: str) -> None:
        """Take a position."""
        self.moves = rest.partition(" moves ")[2]

    def on_go(self, rest: str) -> None:
        """Say what it is worth, or go wrong at the second time."""
        self.looks += 1
        if self.looks == 2:
            self.go_wrong()
        score, best = KNOWN[self.moves]
        wdl = f" wdl {WDL[score]}" if self.tells_wdl and self.wrong != "centipawns" else ""
        if self.wrong != "no-score":
            say("info string score cp 999")
            say(f"info depth 7 seldepth 9 multipv 1 score {score}{wdl} nodes 30 pv {best}")
            if self.moves == "f2f3 e7e5":
                say("info depth 8 multipv 1 score cp 800 lowerbound nodes 40")
            say(f"info depth 8 multipv 2 score cp -90{' wdl 0 0 1000' if wdl else ''} pv a2a3")
        say(f"bestmove {best}")

    # --- XBoard's protocol

    def on_protover(self, rest: str) -> None:
        """Tell the features."""
        analyze = " analyze=0" if self.wrong == "no-analyze" else ""
        say(f'feature ping=1 setboard=1 san=0 myname="Fool X"{analyze} done=1')

    def on_ping(self, rest: str) -> None:
        """Answer."""
        say(f"pong {rest}")

    def on_new(self, rest: str) -> None:
        """Begin."""
        self.moves = ""

    def on_setboard(self, rest: str) -> None:
        """Take a position."""
        self.moves = BOARDS[" ".join(rest.split()[:2])]

    def on_analyze(self, rest: str) -> None:
        """Think aloud."""
        self.looks += 1
        if self.looks == 2:
            self.go_wrong()
        score, best = KNOWN[self.moves]
        value = score.removeprefix("cp ") if score.startswith("cp") else "100001"
        say(f"1 0 0 1 {best}")
        say(f" 7. {value} 12 3400 1. {best} h7h6")

    # --- wrong

    def go_wrong(self) -> None:
        """What the first argument says."""
        match self.wrong:
            case "illegal":
                say("info depth 1 score cp 3")
                say("bestmove e1e8")
            case "nonsense":
                say("info depth \udcff score cp many wdl 1 2")
                say("bestmove")
            case "exit":
                sys.exit(3)
            case "hang":
                signal.pause()
            case "flood":
                while True:
                    say("info depth 1 score cp 3 pv " + "e2e4 " * 100)


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    Engine(*[*sys.argv[1:], "", ""][:2]).run()
