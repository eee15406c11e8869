"""A bot that is fed what a seat was sent, turn by turn."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.bench.rerun import Compared, Rerun
    from dohyo.bots import Bot
    from dohyo.core.faults import Fault


def document(again: Rerun, compared: Sequence[Compared]) -> dict[str, object]:
    """What came of it as data: who was fed, and each turn in which something is worth telling."""
    from dohyo.bench.rerun import said

    who = again.replay.header.seats[again.seat]
    turns = [
        {
            "turn": each.turn,
            "before": said(each.before),
            "now": said(each.now),
            "differs": each.differs,
            "faults": [
                {"kind": str(fault.kind), "code": str(fault.code), "note": fault.note} for fault in each.now.faults
            ],
            "errors": each.now.stderr,
        }
        for each in compared
        if each.differs or each.now.faults or each.now.stderr
    ]
    return {
        "seat": again.seat,
        "name": who.name,
        "bot": again.bot.name,
        "is_same_bot": bool(who.digest) and again.bot.digest == who.digest,
        "turns": len(compared),
        "differing": [each.turn for each in compared if each.differs],
        "reworded": sum(each.is_reworded for each in compared),
        "told": turns,
    }


class Shown:
    """Prints what comes of it, turn by turn."""

    def __init__(self, again: Rerun, out: Console, speaker: Speaker) -> None:
        self._again, self._out, self._speaker = again, out, speaker
        self._has_differed = False
        self._replay = "REPLAY"  # for the replay, as it can be typed

    def begin(self, path: str, bot: Bot) -> None:
        """Who is fed with what, whether it is what played, and how turns are counted."""
        from dohyo.core.replay import DEBUG
        from dohyo.match.play import spoken_by
        from dohyo.match.replays import recorded
        from dohyo.match.replays.sent import protocol_of

        again, header = self._again, self._again.replay.header
        who = header.seats[again.seat]
        self._replay = clean.line(shlex.quote(path))
        self._say("rerun-begin", bot=clean.line(bot.name), path=path, seat=again.seat, name=clean.line(who.name))
        if who.digest:
            self._say("rerun-same-bot" if bot.digest == who.digest else "rerun-other-bot")
        if who.build == DEBUG:
            self._say("rerun-debug-too" if bot.debug else "rerun-debug-then", seat=again.seat)
        if (spoke := protocol_of(again.game, again.replay, again.seat)) != (speaks := spoken_by(bot)[0]):
            self._say("rerun-other-protocol", then=self._spoken(spoke), now=self._spoken(speaks))
        if header.sandbox and header.sandbox != again.sandbox.name:
            self._say("rerun-other-sandbox", then=clean.line(header.sandbox), now=again.sandbox.name)
        asked = sum(1 for _ in recorded.asked(again.game, again.replay, again.seat))
        self._say("rerun-turns", asked=asked, of=again.replay.played)
        self._out.print()

    def turn(self, turn: Compared) -> None:
        """What is worth telling of one turn: another answer, a fault, standard error."""
        from dohyo.bench.rerun import said
        from dohyo.terminal.faults import print_block

        before, now = said(turn.before), said(turn.now)
        is_first = turn.differs and not self._has_differed
        if turn.differs:
            style = None if self._has_differed else "bold"
            self._say("rerun-differs", style, turn=turn.turn, before=self._word(before), now=self._word(now))
        elif turn.now.faults or turn.now.stderr or turn.now.comments:
            self._say("rerun-as-recorded", turn=turn.turn, now=self._word(now))
        self._said(turn.now.faults, turn.now.stderr, turn.now.comments)
        if is_first or turn.now.faults:
            print_block("fault-input", turn.prompt.decode("utf-8", "replace"), self._out, self._speaker, whole=True)
        if is_first:
            self._has_differed = True
            self._say("rerun-still-recorded")

    def _said(self, faults: Sequence[Fault], stderr: str, comments: str) -> None:
        """Faults, and what else the bot wrote."""
        from dohyo.terminal.faults import is_unexplained, print_block, print_errors, print_verdict

        again, out, speaker = self._again, self._out, self._speaker
        for fault in faults:
            print_verdict(fault, again.game, out, speaker)
        print_errors(stderr, faults, again.bot.language, out, speaker)
        if not again.bot.debug and any(is_unexplained(fault, stderr, again.bot.language) for fault in faults):
            out.print("  " + speaker.say("fault-debug", replay=self._replay, seat=again.seat), soft_wrap=True)
        print_block("fault-comments", comments, out, speaker)

    def end(self, compared: list[Compared], until: int | None) -> None:
        """What it wrote after its last turn, and the summary."""
        from dohyo.match.replays import recorded

        again = self._again
        last = again.last
        if last.faults or last.stderr or last.comments:
            self._say("rerun-after")
            self._said(last.faults, last.stderr, last.comments)
            if last.stderr and not last.faults:
                self._say("rerun-input-over")
        asked = [found.turn for found in recorded.asked(again.game, again.replay, again.seat)]
        due = len([turn for turn in asked if until is None or turn <= until])
        if len(compared) < due:
            self._say("rerun-cut", turn=compared[-1].turn if compared else 0, left=due - len(compared))
        differing = [turn.turn for turn in compared if turn.differs]
        reworded = sum(turn.is_reworded for turn in compared)
        faults = sum(not fault.note for turn in compared for fault in turn.now.faults)
        self._out.print()
        key = "rerun-summary-differs" if differing else "rerun-summary-same"
        self._say(key, "bold", turns=len(compared), differ=len(differing), first=differing[0] if differing else 0)
        if reworded:
            self._say("rerun-reworded", count=reworded)
        if faults:
            self._say("rerun-faults", count=faults)

    def _spoken(self, protocol: str) -> str:
        from dohyo.match.replays.sent import kind_that_spoke

        kind = kind_that_spoke(protocol)
        return self._speaker.say("rerun-own-protocol") if kind is None else kind.title

    def _word(self, text: str | None) -> str:
        return self._speaker.say("rerun-nothing") if text is None else clean.line(repr(text))

    def _say(self, key: str, style: str | None = None, **details: object) -> None:
        self._out.print(self._speaker.say(key, **details), style=style, soft_wrap=True)
