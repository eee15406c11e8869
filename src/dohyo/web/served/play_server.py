"""The server of `dohyo play --browser`: the page of one match that somebody plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker
from dohyo.web.served.playing import Keep, forget, name_of
from dohyo.web.served.server import PageServer


class PlayServer(PageServer):
    """Serves the page on which one match is played, and then those of its replay and of what is played on from it."""

    def __init__(
        self,
        game: Game,
        words: Sequence[Any],
        people: Sequence[int],
        speaker: Speaker,
        on_end: Callable[[Replay], object],
        keep: Keep = forget,
        **options: Any,
    ) -> None:
        known = {name_of(word): word for seat, word in enumerate(words) if seat not in people}
        super().__init__(None, speaker, known=known, keep=keep)
        names = [name_of(word) for word in words]
        self.first = self.tables.begin(game, words, names, people, on_end, **options)
        self.address = f"http://{self.hosts[0]}{self.first}"
