"""`dohyo analyse`: why a match went as it did."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from threading import Event, RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Annotated

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import Outputs, application, sandbox_for
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson, Force, Trust
from dohyo.guests.analysis.request import LONGEST, AnalyseRequest
from dohyo.i18n import Speaker
from dohyo.terminal.screen import Progress, console

if TYPE_CHECKING:
    from dohyo.core.replay import Header, Replay
    from dohyo.guests.analysis.trials import Trying
    from dohyo.sandbox import Sandbox
    from dohyo.series.analysed import Analysis

SELDOM_SAID = "unread", "named"  # of an analysis, in JSON: most have nothing to say there

app = application()


@asks(app, AnalyseRequest, usual="html seconds seat by")
def analyse(
    asked: AnalyseRequest,
    html: Annotated[str | None, says("Write a page with the match and all this.", "FILE")] = None,
    force: Force = False,
    trust: Trust = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Say why a match went as it did, and which decisions cost the most."""
    from dohyo.guests.analysis import chances
    from dohyo.guests.analysis.printed import print_analysis
    from dohyo.match import own_games
    from dohyo.match.replays import replays
    from dohyo.match.replays.recorded import seat_of
    from dohyo.web import page

    outputs = Outputs(None, html, speaker, force)
    outputs.check()
    match = replays.find(asked.file)
    if html is not None and not force and page.is_of_another_match(html, match):
        raise OperatorError("html-of-another-match", path=html)
    game = own_games.find(match.header.game)
    seat = None if asked.seat is None else seat_of(asked.seat, match.header)
    if not 0 < asked.seconds <= LONGEST:
        raise OperatorError("no-time-to-analyse")
    if asked.by is not None and asked.playouts is not None:
        raise OperatorError("analysis-by-playouts")
    if asked.by is not None and asked.bot:
        raise OperatorError("analysis-by-bots")
    words = read_bots(asked.bot, match.header)
    box = sandbox_for(asked.sandbox, trust, speaker)
    if asked.by is not None:
        found = _judged(match, asked, box, seat, speaker)
    else:
        found = _by_matches(match, asked, words, box, seat, trust, speaker)
    if html is not None:
        outputs.write(match, chances.shown(found, game, match, speaker))
    if as_json:
        import msgspec

        told = msgspec.to_builtins(found, str_keys=True)
        sys.stdout.write(clean.document({key: one for key, one in told.items() if one or key not in SELDOM_SAID}))
        return
    print_analysis(found, match, asked.file, game, console(), speaker)
    if html is not None:
        console().print(speaker.say("saved-html", path=html))


def _judged(match: Replay, asked: AnalyseRequest, box: Sandbox, seat: int | None, speaker: Speaker) -> Analysis:
    """The analysis by who was named for it; a person sees how far it is."""
    from dohyo.guests.analysis.by_judge import analyse_by, judge_of
    from dohyo.match import own_games

    assert asked.by is not None
    with (
        Steps(speaker) as progress,
        judge_of(own_games.find(match.header.game), match, asked.by, asked.python, box) as judge,
    ):
        return analyse_by(match, judge, seconds=asked.seconds, seat=seat, on_progress=_shown(progress, speaker))


class Steps(Progress):
    """Shows how far it is; without a terminal, in a line now and then."""

    SELDOM = 10.0  # seconds between two such lines
    OFTEN = 1.0  # seconds after which a line that changes by itself is shown again

    def __init__(self, speaker: Speaker) -> None:
        super().__init__(speaker)
        self._lock = RLock()  # two threads show lines
        self._line: Callable[[], str] | None = None
        self._is_over = Event()
        self._thread = Thread(target=self._show_again, daemon=True)

    def __enter__(self) -> Steps:
        super().__enter__()
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._line = None
        self._thread.join()  # or it would write over what comes next
        super().__exit__(*error)

    def goes_on(self, line: Callable[[], str] | None) -> None:
        """Show this line from now on, each time as it is then, while something takes long; none: no more."""
        with self._lock:
            self._line = line
            self.again()

    @property
    def is_going_on(self) -> bool:
        """Whether there is a line that goes on."""
        return self._line is not None

    def again(self) -> None:
        """Show the line that goes on, if there is one."""
        with self._lock:
            if (line := self._line) is not None:
                self.now_and_then(line())

    def _show_again(self) -> None:
        while not self._is_over.wait(self.OFTEN):
            self.again()

    def now_and_then(self, line: str) -> None:
        """Show how far it is."""
        if self._is_seen:
            self.show(line)
        elif monotonic() >= self._next:
            self.tell(line)

    def show(self, line: str) -> None:
        """Replace the line before by `line`."""
        with self._lock:
            super().show(line)

    def tell(self, line: str) -> None:
        """Write a line that stays."""
        with self._lock:
            self.show("")
            self._next = monotonic() + self.SELDOM
            sys.stderr.write(f"{clean.line(line)}\n")
            sys.stderr.flush()


def _tried(progress: Steps, speaker: Speaker) -> Callable[[Trying | None], None]:
    """What shows from which turn matches are played on, and for how long that takes at most."""
    from dohyo.guests.analysis.sentences import trying_in_words

    def on_try(trying: Trying | None) -> None:
        progress.goes_on(None if trying is None else lambda: trying_in_words(trying, monotonic(), speaker))

    return on_try


def _shown(progress: Steps, speaker: Speaker) -> Callable[[int, int], None]:
    """What shows how many steps are done; without a terminal a line now and then."""

    def on_progress(done: int, of: int) -> None:
        if not progress.is_going_on:
            progress.now_and_then(speaker.say("analysis.progress", done=done, of=of))

    return on_progress


def read_bots(words: Sequence[str], header: Header) -> dict[int, str]:
    """By seat the operator's word for a bot, from words SEAT=BOT; a seat is its number, or its bot's name."""
    from dohyo.match.replays.recorded import seat_of

    found: dict[int, str] = {}
    for word in words:
        name, _, bot = word.partition("=")
        if not name or not bot.strip():
            raise OperatorError("analysis-bot-not-seat-bot", given=word)
        seat = seat_of(name, header)
        if seat in found:
            raise OperatorError("analysis-bot-twice", seat=seat)
        found[seat] = bot
    return found


def _by_matches(
    match: Replay,
    asked: AnalyseRequest,
    words: Mapping[int, str],
    box: Sandbox,
    seat: int | None,
    trust: bool,
    speaker: Speaker,
) -> Analysis:
    """The analysis by search, and by the bots that played, where they are at hand; a person sees how far it is."""
    from dohyo.guests.analysis.analysis import analyse
    from dohyo.match import own_games
    from dohyo.match.replays import last
    from dohyo.series.onward import MAX_SEATS, finder, onward

    typed = last.load(asked.file)[1] if last.is_meant(asked.file) else None
    find = finder(match, asked.file, asked.python, box, typed, trust, words)
    most = None if typed is not None else max(MAX_SEATS, len(words))
    if words and most is not None and len(match.header.seats) > most:
        raise OperatorError("analysis-bots-for-all", seats=len(match.header.seats), most=MAX_SEATS)
    compiled = importlib.util.find_spec("numba") is not None
    if not compiled:
        sys.stderr.write(speaker.say("analysis.plain") + "\n")
    with Steps(speaker) as progress:
        progress.step(speaker.say("analysis.start-compiles" if compiled else "analysis.start"))
        on_plan = lambda judged, of: progress.tell(speaker.say("analysis.plan", judged=judged, of=of))  # noqa: E731
        game, sandbox = own_games.find(match.header.game), "none" if trust else asked.sandbox
        with onward(game, match, find, compiled=compiled, sandbox=sandbox, named=words, most=most) as plays_on:
            return analyse(
                match,
                seconds=asked.seconds,
                playouts=asked.playouts,
                seat=seat,
                compiled=compiled,
                on_progress=_shown(progress, speaker),
                on_plan=on_plan,
                on_try=_tried(progress, speaker),
                plays_on=plays_on,
            )
