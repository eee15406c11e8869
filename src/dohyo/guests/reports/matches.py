"""The pages of a site's matches: each has its own replay, and one file beside them has the viewer for all.

A page's content travels in the page, deflated, and the viewer comes as a plain script: so a page needs no request but
that for the script, and works from a disk too, where a browser neither fetches a file nor loads a module. A match
costs its page some kilobytes; with the viewer in each it would be two hundred.

Making a page means playing the replay again. In larger sites as many processes do that as there are processors: new
ones, and no forks of this one, which has a store open.
"""

from __future__ import annotations

import gc
import hashlib
import json
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from dohyo import clean, games
from dohyo.core import notices
from dohyo.core import replay_format as replays
from dohyo.core.errors import MachineError, OperatorError
from dohyo.core.game import Game, title_in
from dohyo.core.replay import Replay
from dohyo.guests.reports.compact import compact
from dohyo.i18n import Speaker
from dohyo.system import interpreter
from dohyo.web import page
from dohyo.web.content import ELSEWHERE, content, words
from dohyo.web.plain.markup import Markup, element, joined, name_of

AHEAD = 4  # pages a process that are being made: so many replays are in memory
FEW = 50  # matches: for fewer no further process is started
SELDOM = 200_000  # things that are made before a process looks for cycles: a match makes many, and hardly a cycle
LINES = 8  # of a match's standings, in a browser that runs no scripts
ROOM = 12_000  # bytes: a page with more than so many above its replay leaves out what the seats were sent
PACKED, MAX_PACKED = 6, 9  # how hard zlib tries: 9 takes twice as long for 5 % less
MAX_LOST = 3  # processes that were alone: more are not begun


class Recorded(NamedTuple):
    """A match's number, its encoded replay, and what stands above it on its page."""

    number: int
    replay: bytes
    around: Markup


class Viewer(NamedTuple):
    """The file that the pages share: its name, which follows from its content, and the content."""

    name: str
    content: bytes

    @classmethod
    def of(cls, game: Game, speaker: Speaker) -> Viewer:
        """The viewer of a game."""
        common = {
            "icon": page.icon(),
            "style": page.style(),
            "imports": page.import_map(game),
            "words": json.dumps(words(game, speaker)),
            "start": page.script(page.START),
        }
        text = f"const common = {json.dumps(common)};\n{_file('shared.js')}".encode()
        return cls(f"viewer-{hashlib.sha256(text).hexdigest()[:8]}.js", text)


def match_page(game: Game, viewer: str, speaker: Speaker, match: Recorded) -> bytes | None:
    """The page of a match, with the viewer in the file of that name beside it; none if its replay cannot be shown."""
    try:
        replay = replays.decode(match.replay)
        shown = content(game, replay, speaker, form=compact)
    except OperatorError:
        return None
    del shown["words"]
    made = _filled(game, viewer, speaker, match, replay, shown)
    if len(made) > len(match.replay) + ROOM or shown["inputs"] is ELSEWHERE:
        less = shown | {"inputs": {"replay": f"{match.number}.replay.zst"}}
        made = _filled(game, viewer, speaker, match, replay, less, MAX_PACKED)
    return made


def _filled(
    game: Game,
    viewer: str,
    speaker: Speaker,
    match: Recorded,
    replay: Replay,
    shown: dict[str, Any],
    packed: int = PACKED,
) -> bytes:
    """The form of a page with everything in it."""
    names = ", ".join(seat.name for seat in replay.header.seats[:4])
    parts = {
        "language": joined(speaker.language),
        "title": joined(f"{title_in(game, speaker)}: {clean.line(names)}"),
        "viewer": viewer,
        "around": match.around,
        "replay": page.pack(shown, packed),
        "result": _result(shown),
        "patience": joined(speaker.say("site.patience", file=viewer)),
    }
    nonce = page.nonce_of(parts)
    policy = page.POLICY.format(nonce=nonce, style=page.digest(page.style()))
    return Template(_file("match.html")).substitute(parts, policy=policy, nonce=nonce).encode()


def _result(shown: dict[str, Any]) -> Markup:
    """How the match ended, for a browser that runs no scripts: the first lines of its standings."""
    lines = []
    for line in shown["standings"][:LINES]:
        name = shown["seats"][line["seat"]]["name"]
        place = "" if line["place"] is None else f"{line['place']}. "
        lines.append(element("li", place, name_of(name), f": {line['fate']}"))
    return element("ul", *lines, class_="patience")


def pages(
    game: Game, viewer: str, speaker: Speaker, matches: Iterable[Recorded]
) -> Iterator[tuple[Recorded, bytes | None]]:
    """Each match with its page, in order; few of them are in memory at a time."""
    make = partial(match_page, game, viewer, speaker)
    waiting = iter(matches)
    for match in islice(waiting, FEW):
        yield match, make(match)
    next_ = next(waiting, None)
    if next_ is None:
        return
    waiting = chain([next_], waiting)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if processors == 1 or not _is_found(game):
        yield from ((match, make(match)) for match in waiting)
        return
    with _among_no_strangers():
        yield from _by_several(processors, (game.name, viewer, speaker), waiting)


def _by_several(
    processors: int, kind: tuple[str, str, Speaker], waiting: Iterator[Recorded]
) -> Iterator[tuple[Recorded, bytes | None]]:
    """The same by so many processes.

    Where the system ends one of them, for lack of memory say, its work is done again by half as many. What ends the
    only process that is left has no page. Raises `MachineError` where that happens again and again.
    """
    taken: deque[Recorded] = deque()  # and not made yet
    lost = 0
    while True:
        try:
            yield from _by_pool(processors, kind, waiting, taken)
            return
        except BrokenProcessPool as error:
            if processors == 1:
                lost += 1
                if lost == MAX_LOST:
                    raise MachineError("site-killed") from error
                notices.tell("site-page-killed", match=taken[0].number)
                yield taken.popleft(), None
            processors = max(1, processors // 2)
            waiting, taken = chain(taken, waiting), deque()


def _by_pool(
    processors: int, kind: tuple[str, str, Speaker], waiting: Iterator[Recorded], taken: deque[Recorded]
) -> Iterator[tuple[Recorded, bytes | None]]:
    """The same by so many processes as long as they live; what they were given and have not made stays in `taken`."""
    context = multiprocessing.get_context("spawn")
    ahead = AHEAD * processors if processors > 1 else 1  # of one alone, what it makes is the first of `taken`
    with ProcessPoolExecutor(processors, context, _begin, kind) as pool:
        made: deque[Future[bytes | None]] = deque()
        try:
            for match in waiting:
                taken.append(match)
                made.append(_submitted(pool, match))
                if len(made) >= ahead:
                    page_ = made.popleft().result()
                    yield taken.popleft(), page_
            while made:
                page_ = made.popleft().result()
                yield taken.popleft(), page_
        finally:
            pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, match: Recorded) -> Future[bytes | None]:
    """Have a page made. Ctrl-C waits until this is done: a process that is begun here never gets it.

    Until it ignores the signal itself, some tenths of a second later, it would end with a traceback on the screen.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_make, match)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _among_no_strangers() -> Iterator[None]:
    """A block in which Python's own processes search for no module in the current folder: hand-ins may be there.

    `multiprocessing` starts them with `python -c`, in our folder and with our environment.
    """
    own = {"PYTHONSAFEPATH": "1", "PYTHONPATH": interpreter.environment().get("PYTHONPATH")}
    before = {name: os.environ.get(name) for name in own}
    _set(own)
    try:
        yield
    finally:
        _set(before)


def _set(variables: Mapping[str, str | None]) -> None:
    """Set these variables of our environment; those without a value are removed."""
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _is_found(game: Game) -> bool:
    """Whether another process finds this very game by its name."""
    try:
        return games.find(game.name) is game
    except OperatorError:
        return False


_making: list[Callable[[Recorded], bytes | None]] = []  # in a process that makes pages: how


def _begin(game: str, viewer: str, speaker: Speaker) -> None:
    """In a new process: Ctrl-C is for the one that reads the store, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(SELDOM)
    _making[:] = [partial(match_page, games.find(game), viewer, speaker)]


def _make(match: Recorded) -> bytes | None:
    return _making[0](match)


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
