"""A bot's profile as one page that makes no requests: times of all turns beside the limit, slow turns, a flame graph.

It has no script; what a bar or a function is stands in its tooltip.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from dohyo.core.game import Game, title_in
from dohyo.guests.profile import sentences as texts
from dohyo.guests.profile.measure import Profile, TurnTime
from dohyo.guests.profile.profilers import Found
from dohyo.i18n import ENGLISH, Speaker
from dohyo.web.plain.markup import Markup, element, head, header, joined, table
from dohyo.web.plain.page import foot, whole
from dohyo.web.plain.scales import scale

SLOWEST = 20
HEIGHT, ABOVE, BELOW, LEFT = 240, 14, 22, 58  # pixels of the chart: its bars, and room for texts
MAX_BARS = 600  # of more turns, several share a bar, which shows the longest
FAR = 4  # times the longest turn: a limit so far away is not drawn
WIDTH, ROW, LETTER = 1100, 17, 6.4  # pixels of the flame graph: its width, a row, a letter
DEEPEST, NARROW = 80, 0.8  # rows; pixels of a function that is not drawn any more
FUNCTIONS = 30


def page(
    found: Profile, game: Game, looked: Found | None, word: str, speaker: Speaker = ENGLISH, **again: Any
) -> str:
    """The page, in its speaker's language; `word` and `again` are as for `sentences.commands`."""
    title = speaker.say("profile.title", bot=found.bot, game=title_in(game, speaker))
    facts = {
        "language": found.language or "-",
        "matches": str(len(found.matches)),
        "turns": str(len(found.turns)),
        "seed": str(found.seed),
        "clock": found.clock.typed,
        "sandbox": found.sandbox,
    }
    top = header(title, {speaker.say(f"profile.fact.{key}"): value for key, value in facts.items()})
    parts = [_times(found, speaker), _chart(found, speaker), _slow(found, word, speaker, again)]
    if looked is not None:
        parts.append(_flames(looked, speaker))
    return whole(title, joined(top, element("main", *parts), foot(speaker)), speaker)


def _section(key: str, speaker: Speaker, *parts: Markup | None, **details: object) -> Markup:
    name = key.rpartition(".")[2]
    return element("section", element("h2", speaker.say(key, **details), id=name), *parts, aria_labelledby=name)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int] = (0,)) -> Markup:
    """A table whose columns are numbers, but for those with `words`."""

    def kind(at: int) -> str | None:
        return None if at in words else "number"

    lines = [element("tr", *(element("td", text, class_=kind(at)) for at, text in enumerate(row))) for row in rows]
    made = table([head(text, kind(at)) for at, text in enumerate(heads)], lines)
    return element("div", made, class_="wide")


def _times(found: Profile, speaker: Speaker) -> Markup:
    told = [element("p", sentence) for sentence in texts.sentences(found, speaker)]
    heads = texts.headings(texts.SPREAD, speaker)
    return _section("profile.times", speaker, _table(heads, texts.spread_rows(found, speaker)), *told)


def _slow(found: Profile, word: str, speaker: Speaker, again: Mapping[str, Any]) -> Markup | None:
    rows = texts.slow_rows(found, SLOWEST, speaker)
    if not rows:
        return None
    told = [
        element("p", speaker.say(key, command=command), class_="note")
        for key, command in texts.commands(found, word, **again)
    ] or [element("p", speaker.say("profile.save"), class_="note")]
    heads = texts.headings(texts.SLOW, speaker)
    return _section("profile.slowest", speaker, _table(heads, rows, words=()), *told)


# --- the chart


def _chart(found: Profile, speaker: Speaker) -> Markup | None:
    """A bar for each turn, one match after the other, and a line for the limit."""
    if not found.turns:
        return None
    longest = max(turn.seconds for turn in found.turns)
    limit = found.clock.share(False)
    is_near = limit < FAR * longest
    up = scale([1000 * longest, *([1000 * limit] if is_near else [])], most=5, low=0.0)
    bars = _bars(found.turns)

    def height(seconds: float) -> float:
        return HEIGHT * up.share(1000 * seconds)

    parts = []
    for tick in up.ticks:
        y = f"{ABOVE + HEIGHT - HEIGHT * up.share(tick):.1f}"
        parts.append(element("line", x1="0", x2="100%", y1=y, y2=y, class_="grid"))
        parts.append(element("text", f"{tick:g} ms", x="-8", y=y, dy="4", text_anchor="end", class_="tick"))
    for at, turn in enumerate(bars):
        name = "bar over" if turn.late or turn.share > 1 else "bar first" if turn.is_first else "bar"
        tall = max(1.0, height(turn.seconds))
        place = {"x": f"{100 * at / len(bars):.3f}%", "y": f"{ABOVE + HEIGHT - tall:.1f}", "height": f"{tall:.1f}"}
        drawn = element("rect", **place, width=f"{max(0.05, 88 / len(bars)):.3f}%", class_=name)
        told = speaker.say("profile.bar", match=turn.match, turn=turn.turn, time=speaker.duration(turn.seconds))
        parts.append(element("g", element("title", told), drawn))
    if is_near:
        y = f"{ABOVE + HEIGHT - height(limit):.1f}"
        parts.append(element("line", x1="0", x2="100%", y1=y, y2=y, class_="limit"))
    at = 0
    for match, turns in groupby(bars, key=lambda turn: turn.match):
        x = f"{100 * at / len(bars):.3f}%"
        told = speaker.say("profile.match", number=match)
        parts.append(element("text", told, x=x, y=str(ABOVE + HEIGHT + 16), class_="tick"))
        at += len(list(turns))
    size = {"width": "100%", "height": str(ABOVE + HEIGHT + BELOW)}
    plot = element("svg", *parts, **size, class_="plot", role="img", aria_label=speaker.say("profile.chart"))
    room = element("svg", width=str(LEFT), height="10", aria_hidden="true", class_="marks")
    key = "profile.chart-limit" if is_near else "profile.chart-far"
    note = element("p", speaker.say(key, limit=speaker.duration(limit)), class_="note")
    return _section("profile.chart", speaker, note, element("div", room, plot, class_="chart"))


def _bars(turns: Sequence[TurnTime]) -> list[TurnTime]:
    """The turns to draw: of neighbours in one match the longest, if there are too many."""
    many = -(-len(turns) // MAX_BARS)
    bars = []
    for _, of_match in groupby(turns, key=lambda turn: turn.match):
        own = list(of_match)
        first, rest = own[:1], own[1:]
        bars += first + [max(rest[at : at + many], key=lambda turn: turn.seconds) for at in range(0, len(rest), many)]
    return bars


# --- the flame graph


class _Frame:
    """A function in a flame graph: what took the time below it."""

    def __init__(self) -> None:
        self.weight = 0.0
        self.below: defaultdict[str, _Frame] = defaultdict(_Frame)


def _flames(looked: Found, speaker: Speaker) -> Markup:
    heads = texts.headings(("own", "with", "function"), speaker)
    rows = [
        [texts.percent(own), texts.percent(all_of_it), name] for name, own, all_of_it in looked.functions(FUNCTIONS)
    ]
    told = [speaker.say("profile.flames-note"), *texts.notes(looked, speaker)]
    notes = [element("p", sentence, class_="note") for sentence in told]
    graph = element("div", flame_graph(looked.stacks), class_="wide")
    return _section("profile.flames", speaker, *notes, graph, _table(heads, rows, words=(2,)), tool=looked.tool)


def flame_graph(stacks: Mapping[tuple[str, ...], float]) -> Markup:
    """Stacks as an SVG: a row for each depth, the outermost function at the top, as wide as the time that it took."""
    root = _Frame()
    for stack, weight in stacks.items():
        root.weight += weight
        frame = root
        for name in stack[:DEEPEST]:
            frame = frame.below[name]
            frame.weight += weight
    total = root.weight or 1.0
    drawn: list[Markup] = []
    deepest = 0
    waiting: list[tuple[_Frame, float, int]] = [(root, 0.0, 0)]
    while waiting:
        frame, x, depth = waiting.pop()
        for name, below in sorted(frame.below.items()):
            width = WIDTH * below.weight / total
            if width >= NARROW:
                drawn.append(_drawn(name, x, depth, width, below.weight / total))
                deepest = max(deepest, depth + 1)
                waiting.append((below, x, depth + 1))
            x += width
    return element("svg", *drawn, width=str(WIDTH), height=str(deepest * ROW + 2), role="img")


def _drawn(name: str, x: float, depth: int, width: float, part: float) -> Markup:
    """One function: a rectangle in a colour of its name, with as much of the name as has room."""
    hue = 20 + zlib.crc32(name.encode("utf-8", "replace")) % 40
    y = depth * ROW
    box = element("rect", x=f"{x:.1f}", y=str(y), width=f"{max(0.5, width - 0.6):.1f}", height=str(ROW - 1),
                  fill=f"hsl({hue} 80% 72%)", rx="1")  # fmt: skip
    letters = int((width - 6) / LETTER)
    text = name if len(name) <= letters else f"{name[: letters - 1]}…"
    label = (
        element(
            "text", text, x=f"{x + 3:.1f}", y=str(y + 12), fill="#271e17", font_size="11", font_family="monospace"
        )
        if letters >= 3
        else None
    )
    return element("g", element("title", f"{name}: {texts.percent(part)}"), box, label)
