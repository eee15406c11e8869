"""The law of frames: what is drawn is JSON, for everybody and through every seat's eyes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from dohyo.core import playback
from dohyo.core.game import Frame, Game, Information
from dohyo.laws.matches import about, several
from dohyo.laws.tally import Tally

NAMES = ("[/red]", "日本の対戦者" * 20, "", "a\tb")  # of bots, as awkward as they come
STRIDE = 9  # turns from one that is drawn in a terminal to the next


def every_frame_is_json(game: Game, tally: Tally) -> None:
    """A frame survives the way through JSON unchanged, and drawing changes no state."""
    pack = game.rules.LAYOUT.pack
    marks: Counter[str] = Counter()
    special: Counter[str] = Counter()
    keys: set[str] = set()
    for played in several(game, tally, 2000, first_seed=800):
        seats = len(played.replay.header.seats)
        moments = list(playback.moments(game, played.replay))
        nobody = [None] * seats
        for at, moment in enumerate(moments):
            states = pack(moment.before), pack(moment.after)
            for seat in (None, *range(seats)):
                frame = game.frame(moment.before, moment.actions, moment.events, moment.after, seat)
                assert same(frame), "a frame is not JSON"
                assert_hidden(game, frame, seat)
                tally["frames"] += 1
                if at == 0:
                    assert same(game.frame(moment.before, nobody, (), moment.before, seat))
                if seat is None:
                    keys.update(frame)
                    marks.update(kind for kind, _ in frame.get("highlights", ()))
                    special.update(mark[0] for mark in frame.get("marks", ()))
            assert (pack(moment.before), pack(moment.after)) == states, "drawing changes the state"
        tally["events"] += sum(len(moment.events) for moment in moments)
    for kind, count in sorted(marks.items()):
        assert f"{game.name}.mark.{kind}" in game.catalogue["en"], f"the time line has no word for '{kind}'"
        tally[f"marked: {kind}"] = count
    floors = getattr(about(game), "MARKS", {})
    tally.update({f"special: {kind}": special[kind] for kind in floors})
    if "highlights" in keys and not marks:  # they need not come: a small game may have none in all these turns
        tally.note = "no turn had a highlight"
    tally.reach(turns=2000, frames=4000, **{f"special: {kind}": floors[kind] for kind in floors})


def every_frame_can_be_drawn_in_a_terminal(game: Game, tally: Tally) -> None:
    """Rich understands the text of every frame, in each language, whatever the bots are called."""
    from rich.text import Text

    from dohyo.i18n import LANGUAGES, Speaker

    for played in several(game, tally, 500, first_seed=900):
        names = [NAMES[seat % len(NAMES)] for seat in range(len(played.replay.header.seats))]
        for moment in list(playback.moments(game, played.replay))[::STRIDE]:
            frame = game.frame(moment.before, moment.actions, moment.events, moment.after)
            for language in LANGUAGES:
                speaker = Speaker(language, game.catalogue)
                assert Text.from_markup(game.terminal(frame, names, speaker)).plain.strip()
                tally["drawings"] += 1
    tally.reach(turns=500, drawings=100)


def assert_hidden(game: Game, frame: Frame, seat: int | None) -> None:
    """Only from a seat, and only in a game in which seats see less than all, are the others' actions hidden."""
    hidden = frame.get("hidden", [])
    assert not hidden or (seat is not None and game.information is Information.IMPERFECT)
    assert seat not in hidden


def same(frame: Any) -> bool:
    """Whether a value comes back from JSON as it went."""
    return bool(msgspec.json.decode(msgspec.json.encode(frame)) == frame)
