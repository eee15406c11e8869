"""What can be chosen about each game, and what its bots are sent: by the games' own declarations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from docs.website.pages import ROOT, Page
from docs.website.reference.markdown import block, choose, code, page, safe, table
from dohyo.bots.samples import sample_bots
from dohyo.core import starter as parts
from dohyo.core.descriptions import about_in, option_in
from dohyo.core.game import Game
from dohyo.core.options import resolve, takes_in
from dohyo.core.referee import Referee
from dohyo.games import all_games
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
    described = game.starter(setup) if game.starter else None
    yield from ("", choose(language, "## Input", "## 入力"), "")
    yield choose(
        language,
        "What a bot reads from standard input, line by line, with the usual setup; the rules explain it.",
        "ボットが標準入力から読む行です。説明はルールにあります。標準の設定では、上から順に次のとおりです(英語)。",
    )
    if described:
        for title, listed in (
            (choose(language, "Once, before the first turn", "最初に 1 回だけ"), described.start),
            (choose(language, "Every turn", "ターンごと"), described.turn),
        ):
            if listed:
                head = (title, choose(language, "meaning", "意味"))
                yield from table(head, [row for part in listed for row in _rows(part)])
        answers = described.answers[:40]
        if answers:
            said = choose(language, "What may be answered: ", "返答できるもの: ")
            yield from ("", said + ", ".join(code(answer) for answer in answers))
        for line in described.help:
            yield from ("", f"* {safe(line)}")
    yield from ("", choose(language, f"The first input with seed {SEED}:", f"シード {SEED} の最初の入力:"))
    yield from block(first_input(game))


def first_input(game: Game) -> str:
    """What the first seat to move is sent first, in a match with the usual setup and as few seats as possible."""
    seats = max(game.seats[0], min(2, game.seats[1]))
    referee = Referee(game, resolve(game.options, {}, game.catalogue), seats, SEED)
    return referee.prompt(referee.pending()[0]).decode()


def _rows(part: Any) -> Iterator[tuple[str, str]]:
    """A part of the input as rows of a table: the lines, and what they mean."""
    match part:
        case parts.Line(items=items):
            yield " ".join(code(item.name) for item in items), "; ".join(safe(item.meaning) for item in items)
        case parts.FixedLine(text=text):
            yield code(text), ""
        case parts.NamedLine(item=item):
            yield f"{code(part.word)} {code(item.name)}", safe(item.meaning)
        case parts.NumberRows(name=name, meaning=meaning, rows=count, columns=columns):
            yield f"{code(name)}: {count} x {columns}", safe(meaning)
        case parts.NamedRows(meaning=meaning, rows=count):
            yield f"{code(part.word)} ...: {count} x", safe(meaning)
        case parts.TextRows(name=name, meaning=meaning):
            yield f"{code(name)}: ... ", safe(meaning)
        case parts.Records(name=name, meaning=meaning, record=record):
            members = " ".join(code(item.name) for item in record.items)
            yield f"{code(name)}: {members}", f"{safe(meaning)}; " + "; ".join(safe(i.meaning) for i in record.items)
        case parts.Places():
            return  # is not sent, but found in what was
        case parts.Messages(each=each):
            for message in each:
                numbers = " ".join(code(number.name) for number in message.numbers)
                yield f"{code(message.letter)} {numbers}", safe(message.meaning)
        case msgspec.Struct():
            raise TypeError(part)
