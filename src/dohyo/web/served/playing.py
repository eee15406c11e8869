"""Matches that somebody plays at a served page: at most so many at a time, each with its page.

    GET  /SECRET/play/N    the page
    POST /SECRET/play/N    a wish, see `dohyo.match.people.wishes`
    POST PAGE/from         {"turn": T, "seats": [WORD]}: play on from a turn of a replay that is shown:
                           {"page": "/SECRET/play/N"}, or {"none": why not}

A page chooses among words that the server knows: `me`, the game's sample bots, and the bots that the operator has
named. No other word is looked at.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from dohyo.bots.samples import sample_bots
from dohyo.core.bot_spec import CommandLine, Elsewhere, HandIn, Sample, Speaking, text_of
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker
from dohyo.match.people.desk import person_kind
from dohyo.match.people.hints import Hints
from dohyo.match.people.sitting import Sitting, Terms
from dohyo.match.people.wishes import Wish, answered
from dohyo.match.play import new_seed
from dohyo.web import playing

MAX_SITTINGS = 4  # at a time
WAIT = 20.0  # seconds that a page waits for what is new


class From(msgspec.Struct, forbid_unknown_fields=True):
    """From which turn to play on, and who sits where."""

    turn: int
    seats: list[str]


class _Table(NamedTuple):
    """A match that is played, and its page."""

    sitting: Sitting
    page: bytes
    ended: list[str]  # the path of its replay's page, once it is over


Keep = Callable[[Replay, Sequence[Any]], object]  # of a match and its bots, as they were named


def forget(replay: Replay, words: Sequence[Any]) -> None:
    """Keep nothing of a match."""


class Tables:
    """The matches that are played at pages of one server."""

    def __init__(self, root: str, speaker: Speaker, show: Callable[[Replay], str], keep: Keep = forget) -> None:
        """`root` is the path below which they have theirs. `show` makes a page of a replay; its path.

        A match that is played on from another one is given to `keep`.
        """
        self._root, self._speaker, self._show, self._keep = root, speaker, show, keep
        self._numbers = itertools.count(1)
        self._tables: dict[str, _Table] = {}
        self._lock = threading.Lock()
        self._hints = Hints.found()

    def bots(self, game: Game) -> list[str]:
        """The words that a page may choose from, beside `me`."""
        return list(sample_bots(game)) if game.referee is None else []

    def begin(
        self,
        game: Game,
        specs: Sequence[Any],
        names: Sequence[str],
        people: Sequence[int],
        on_end: Callable[[Replay], object] = lambda replay: None,
        **options: Any,
    ) -> str:
        """Begin a match; the path of its page. Raises `OperatorError` where too many are played already."""
        path, ended = f"{self._root}/{next(self._numbers)}", list[str]()

        def end(replay: Replay) -> None:
            try:
                on_end(replay)
            finally:
                if replay.turns:
                    ended.append(self._show(replay))

        sitting = Sitting(game, specs, people, self._speaker, terms=Terms(hints=self._hints), on_end=end, **options)
        told = playing.content(game, names, people, self._speaker, path, back=True)
        with self._lock:
            over = [key for key, table in self._tables.items() if table.sitting.is_over]
            if len(self._tables) - len(over) >= MAX_SITTINGS:
                raise OperatorError("sitting-too-many", most=MAX_SITTINGS)
            for key in over[: len(self._tables) + 1 - 2 * MAX_SITTINGS]:
                del self._tables[key]
            self._tables[path] = _Table(sitting, playing.html(game, told, self._speaker).encode(), ended)
        sitting.start()
        return path

    def onward(self, game: Game, replay: Replay, wanted: From, known: Mapping[str, Any] = {}) -> str:
        """Play on from a turn of a match; the path of the page. Raises `OperatorError` for what cannot be played."""
        if len(wanted.seats) != (seats := len(replay.header.seats)):
            raise OperatorError("wrong-number-of-bots", game=game.name, wanted=seats, given=len(wanted.seats))
        samples, person = set(self.bots(game)), person_kind()
        specs: list[Any] = []
        for word in wanted.seats:
            if person and word == person:
                specs.append(Elsewhere(person))
            elif word in known:
                specs.append(known[word])
            elif word in samples:
                specs.append(Sample(word))
            else:
                raise OperatorError("sitting-no-bot", bot=word[:60])
        people = [seat for seat, word in enumerate(wanted.seats) if word == person]
        if not people:
            raise OperatorError("sitting-nobody")
        from dohyo.core import playback

        if game.rules.over(playback.state_at(game, replay, wanted.turn)):
            raise OperatorError("sitting-over", turn=wanted.turn)
        more = {"resume": (replay, wanted.turn), "seed": new_seed(), "sandbox": "auto"}
        return self.begin(game, specs, wanted.seats, people, lambda played: self._keep(played, specs), **more)

    def page(self, is_at: Callable[[str], bool]) -> bytes | None:
        """The page whose path a request has."""
        return next((table.page for path, table in list(self._tables.items()) if is_at(path)), None)

    def answer(self, is_at: Callable[[str], bool], wish: Wish) -> dict[str, Any] | None:
        """The answer to a wish of the page whose path the request has; none if there is no such page."""
        for path, table in list(self._tables.items()):
            if is_at(path):
                told = answered(table.sitting, wish, WAIT)
                return told | {"replay": table.ended[-1] if table.ended else None} if wish.told else told
        return None

    def close(self) -> None:
        """End all matches."""
        if self._hints is not None:
            self._hints.close()
        for table in list(self._tables.values()):
            table.sitting.close()


def name_of(word: Any) -> str:
    """What a page calls a bot that the operator has named."""
    from dohyo.bots.typed_words import Named

    if isinstance(word, Named):
        return word.name or word.text
    if isinstance(word, HandIn | Sample | CommandLine | Speaking | Elsewhere):
        return text_of(word)
    return word if isinstance(word, str) else getattr(word, "name", type(word).__name__)
