"""What can be chosen about each game, and what its bots are sent: by the games' own declarations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from docs.website.pages import ROOT, Page
from docs.website.reference.markdown import block, choose, code, page, safe, table
from dohyo.bots.samples import sample_bots
from dohyo.core.descriptions import about_in, option_in
from dohyo.core.game import Game
from dohyo.core.options import resolve, takes_in
from dohyo.core.referee import Referee
from dohyo.games import all_games
from dohyo.guests.site.pages.input_text import Told, input_parts
from dohyo.i18n import Speaker
from dohyo.match.telling.words import clock_name

SEED = 1  # of the match whose first input is shown


def pages() -> list[Page]:
    """A page for each of Dohyo's own games."""
    return [page(f"games/{game.name}", "rules", partial(_written, game), game.title) for game in own_games()]


def own_games() -> list[Game]:
    """The games of the project; others may be installed here, or named by DOHYO_GAMES."""
    return [game for game in all_games().values() if game.folder.is_relative_to(ROOT / "src")]


def _title(game: Game) -> tuple[str, str]:
    return f"{game.title}: setup and input", f"{game.title}: 設定と入力"


def _written(game: Game, language: str) -> Iterator[str]:
    """The lines of a game's page."""
    yield f"# {choose(language, *_title(game))}"
    yield ""
    yield safe(about_in(game, Speaker(language)))
    yield ""
    rules = Path(game.folder) / "README.md"
    if rules.exists():
        link = f"../../../{rules.relative_to(ROOT).as_posix()}"
        yield choose(language, f"[The rules]({link})", f"[ルール]({link})")
    fewest, most = game.seats
    facts = [
        Speaker(language).say("fact.seats", seats=str(fewest) if fewest == most else f"{fewest} - {most}"),
        *(Speaker(language).say(f"{key}.{_key(value)}") for key, value in _kinds(game)),
    ]
    yield from ("", Speaker(language).say("fact.and").join(facts) + choose(language, ".", "。"))
    yield from _clocks(game, language)
    yield from _bots(game, language)
    yield from _setup(game, language)
    yield from _input(game, language)
    yield from _planes(game, language)


def _kinds(game: Game) -> tuple[tuple[str, Any], ...]:
    return ("turns", game.turns), ("chance", game.chance), ("information", game.information)


def _key(fact: Any) -> str:
    return str(fact.name).lower().replace("_", "-")


def _clocks(game: Game, language: str) -> Iterator[str]:
    yield from ("", choose(language, "## Clocks", "## 持ち時間"), "")
    yield choose(
        language,
        "The first is the default. Another is chosen by `--clock NAME` ([clocks](../../clocks.md)).",
        "最初のものが標準です。ほかは `--clock NAME` で選びます([持ち時間](../../clocks.md))。",
    )
    head = ("clock", "time"), ("名前", "時間")
    rows = [(code(name), clock_name(clock, Speaker(language))) for name, clock in game.clocks.items()]
    yield from table(head[language == "ja"], rows)


def _bots(game: Game, language: str) -> Iterator[str]:
    yield from ("", choose(language, "## Sample bots", "## サンプルボット"), "")
    yield ", ".join(code(name) for name in sample_bots(game))
    for command in game.commands:
        link = f"[`dohyo {command.name}`](../commands/{command.name}.md)"
        yield from ("", f"{link}: {safe(about_in(command, Speaker(language)))}")


def _setup(game: Game, language: str) -> Iterator[str]:
    yield from ("", choose(language, "## Setup", "## 設定"), "")
    yield choose(language, "Each as `--setup KEY=VALUE`.", "`--setup KEY=VALUE` の形で指定します。")
    head = ("key", "default", "value", "meaning"), ("キー", "既定", "値", "意味")
    options = [option_in(game, declared, Speaker(language)) for declared in game.options]
    rows = [
        (code(o.name), code(_shown(o.default)), safe(takes_in(o, Speaker(language))), safe(o.about)) for o in options
    ]
    yield from table(head[language == "ja"], rows)


def _shown(value: object) -> str:
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


# --- the text protocol


def _input(game: Game, language: str) -> Iterator[str]:
    """What a bot is sent, line by line, and an example: the first input of a match."""
    setup = resolve(game.options, {}, game.catalogue)
    described = input_parts(game, setup, Speaker(language))
    yield from ("", choose(language, "## Input", "## 入力"), "")
    yield choose(
        language,
        "What a bot reads from standard input, line by line, with the usual setup; the rules explain it.",
        "ボットが標準入力から読む行です。説明はルールにあります。標準の設定では、上から順に次のとおりです。",
    )
    if described:
        for title, listed in (
            (choose(language, "Once, before the first turn", "最初に 1 回だけ"), described.start),
            (choose(language, "Every turn", "ターンごと"), described.turn),
        ):
            if listed:
                head = (title, choose(language, "meaning", "意味"))
                yield from table(head, [_row(told) for told in listed])
        answers = game.starter(setup).answers[:40] if game.starter else ()
        if answers:
            said = choose(language, "What may be answered: ", "返答できるもの: ")
            yield from ("", said + ", ".join(code(answer) for answer in answers))
        for line in described.answers:
            yield from ("", f"* {safe(line)}")
    yield from ("", choose(language, f"The first input with seed {SEED}:", f"シード {SEED} の最初の入力:"))
    yield from block(first_input(game))


def first_input(game: Game) -> str:
    """What the first seat to move is sent first, in a match with the usual setup and as few seats as possible."""
    seats = max(game.seats[0], min(2, game.seats[1]))
    referee = Referee(game, resolve(game.options, {}, game.catalogue), seats, SEED)
    return referee.prompt(referee.pending()[0]).decode()


def _row(told: Told) -> tuple[str, str]:
    """Some lines of the input as a row of a table: how they look and how many they are, and what they say."""
    own = [f"{code(name)}: {safe(meaning)}" for name, meaning in told.own]
    form = code(told.form) + (f": {safe(told.count)}" if told.count else "")
    return form, "; ".join(each for each in (safe(told.meaning), *own) if each)


# --- what a learner sees


def _planes(game: Game, language: str) -> Iterator[str]:
    """The planes of a game's observation; nothing for a game that is not learned from."""
    space = game.observation
    if space is None:
        return
    yield from ("", choose(language, "## What a learner sees", "## 学習で見えるもの"), "")
    shape = " x ".join(map(str, space.SHAPE)) or choose(language, "single numbers", "数一つ")
    yield choose(
        language,
        f"Each plane is {shape}, as `{space.KIND}` ([learning](../../learning.md)).",
        f"一つの面は {shape}、種類は `{space.KIND}` です。意味は英語です。詳しくは[学習](../../learning.md)。",
    )
    head = ("plane", "name", "from, to", "meaning"), ("面", "名前", "範囲", "意味")
    rows = [
        (str(at), code(plane.name), f"{plane.low:g}, {plane.high:g}", safe(plane.meaning))
        for at, plane in enumerate(space.PLANES)
    ]
    yield from table(head[language == "ja"], rows)
