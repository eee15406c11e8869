"""The page as a file: whole in itself, small, and safe from what bots are called and wrote."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from dohyo.core.errors import OperatorError
from dohyo.core.referee import Answer
from dohyo.games.drop_block import GAME
from dohyo.i18n import Speaker
from dohyo.web.content import content
from dohyo.web.page import html, modules, pack
from tests.quality.project import ROOT, files
from tests.web.conftest import wait
from tests.web.matches import decided, longest, play

HOSTILE = '<img src=x onerror="alert(1)"></title></script><script>alert(2)</script>'


def carried(page: str) -> Any:
    """The content that a page carries."""
    found = re.search(r'<script type="text/plain" id="replay">([^<]*)</script>', page)
    assert found
    return json.loads(zlib.decompress(base64.b64decode(found[1]), -15))


def test_page_of_a_thousand_turns_is_small() -> None:
    """A match of 1000 turns, its inputs with it, is under 400 kB in all."""
    replay = longest()
    assert len(replay.turns) == 1000
    page = html(replay)
    assert len(page.encode()) < 400_000
    assert len(pack(content(GAME, replay))) < 100_000


def test_page_carries_the_content() -> None:
    """What was packed is what is unpacked."""
    replay = decided()
    assert carried(html(replay, Speaker("ja"))) == json.loads(
        msgspec.json.encode(content(GAME, replay, Speaker("ja")))
    )


def test_page_is_the_same_for_the_same_replay() -> None:
    """Nothing of the time or the machine gets into a page."""
    assert html(decided()) == html(decided())


def test_page_asks_nobody() -> None:
    """The page names no other place, and its policy forbids every request and every script but its own."""
    page = html(decided())
    known = {"http://www.w3.org/2000/svg"}
    assert set(re.findall(r"https?:[^\s\"'<>)]+", page)) <= known
    for path in modules(GAME).values():
        assert set(re.findall(r"https?:[^\s\"'<>)]+", path.read_text(encoding="utf-8"))) <= known
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy
    (scripts,) = re.findall(r"script-src ([^;]*)", policy)
    assert re.fullmatch(r"'nonce-[A-Za-z0-9+/=]{44}'", scripts)


def test_no_script_but_the_pages_own_is_run(browser: Browser, tmp_path: Path) -> None:
    """Were a stranger's text markup somewhere, no script in it would be run, also none that is its own address."""
    planted = (
        "<script src='data:text/javascript,window.got=1'></script>"
        "<script type=module src='data:text/javascript,window.got=2'></script>"
        "<script type=module>import 'data:text/javascript,window.got=3'</script>"
        "<script>window.got=4</script><img src=x onerror='window.got=5'>"
    )
    known = html(decided())
    nonce = (re.findall(r"nonce-([^']*)", known) or ["none"])[0]
    planted += f"<script nonce='{nonce}'>window.got=6</script>"  # of a page of the same match that holds none of this
    (tmp_path / "page.html").write_text(html(decided(), around=planted), encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto((tmp_path / "page.html").as_uri())
    wait(page, "window.dohyo")
    assert page.evaluate("window.got") is None
    page.context.close()


def test_strangers_text_is_never_markup() -> None:
    """Names, replies and standard error of bots stand nowhere in the page as markup; only its own scripts do."""

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        return Answer(f"{HOSTILE}\x00", stderr=HOSTILE)

    page = html(play(1, names=[HOSTILE, "\x1b[31m", "b", "c\u202e"], answers=answers, setup={"turns": 8}))
    assert HOSTILE not in page
    assert "<img" not in page
    assert len(re.findall("<script", page)) == len(re.findall("</script>", page)) == 3
    assert len(re.findall("</title>", page)) == 1
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", page)
    assert carried(page)["turns"][0][0]["stderr"] == HOSTILE


def test_page_speaks_the_language() -> None:
    """The page is marked as being in its language, and its words are in it."""
    page = html(decided(), Speaker("ja"))
    assert '<html lang="ja">' in page
    assert carried(page)["words"]["viewer.play"] == "再生"
    assert carried(html(decided(), Speaker("en")))["words"]["viewer.play"] == "Play"


def test_page_of_an_unknown_game_is_refused() -> None:
    """A replay of a game that is not here is refused in a sentence."""
    replay = decided()
    replay.header = msgspec.structs.replace(replay.header, game="go-fish")
    with pytest.raises(OperatorError, match="go-fish"):
        html(replay)


def test_modules_know_each_other_by_name() -> None:
    """Whatever a module imports is a module of the page; no module reads markup or makes code."""
    known = modules(GAME)
    for name, path in [*known.items(), ("start", ROOT / "src/dohyo/web/viewer/start.js")]:
        text = path.read_text(encoding="utf-8")
        imported = re.findall(r'from "([^"]+)"', text)
        assert set(imported) <= set(known), name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", text), name


def test_every_word_asked_for_is_there() -> None:
    """Every key that a module asks for by name is in the page's words, in every language."""
    for language in ("en", "ja"):
        words = content(GAME, decided(), Speaker(language))["words"]
        for name, path in modules(GAME).items():
            text = path.read_text(encoding="utf-8")
            for key in re.findall(r'"((?:viewer|drop-block|fault)\.[a-z0-9.-]+)"', text):
                assert key in words, f"{name} asks for {key}"
        for kind in "URDLAN":
            assert f"drop-block.action.{kind}" in words
        for deed in ("moves", "turns", "attacks", "waits", "stunned", "gone"):
            assert f"drop-block.says.{deed}" in words


def test_every_word_of_the_viewer_is_used() -> None:
    """No word of the viewer stands in the table for nothing."""
    texts = [
        path.read_text(encoding="utf-8") for path in files() if path.is_relative_to(ROOT / "src" / "dohyo" / "web")
    ]
    texts += [path.read_text(encoding="utf-8") for path in modules(GAME).values()]
    for key in content(GAME, decided())["words"]:
        if key.startswith("viewer."):
            assert any(f'"{key}"' in text for text in texts), key


def test_viewer_files_are_not_overgrown() -> None:
    """A module or style sheet of the viewer has at most 400 lines."""
    for path in files():
        if path.suffix in (".js", ".css") and path.is_relative_to(ROOT / "src"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path.name
