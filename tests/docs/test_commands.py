"""Every command that a page shows is one that the real command takes."""

from __future__ import annotations

import pytest
from docs.website.pages import Page, written_pages

from tests.docs.shown import Shown, objection, shown_in

PAGES = {page.name: page for page in written_pages()}
FEWEST = 200  # commands in all pages together: were there fewer, the pattern would no longer find them


def of(page: Page) -> list[Shown]:
    """Every command of a page, in each language."""
    return [shown for language, text in page.texts.items() for shown in shown_in(f"{page.name} ({language})", text)]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_command_is_taken(page: Page) -> None:
    """Commands, subcommands, options exist, options have their values, nothing that must be given is missing."""
    wrong = [f"{shown.page}: {shown.line!r}: {said}" for shown in of(page) if (said := objection(shown))]
    assert not wrong, "\n".join(wrong)


def test_the_pages_show_commands() -> None:
    """The commands of the pages are found."""
    assert sum(len(of(page)) for page in PAGES.values()) > FEWEST


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dohyo paly drop-block a b", "no command"),
        ("dohyo contest rnu x.toml", "no command"),
        ("dohyo play drop-block a --sede 7", "--sede"),
        ("dohyo play drop-block a --seed", "--seed"),
        ("dohyo play drop-block", "missing"),
        ("dohyo games drop-block", "does not take"),
        ("DOHYO_LANG=ja dohyo replay m.replay --htlm x", "--htlm"),
        ("dohyo play drop-block hunter random ... --seed 7 > out.txt  # a comment", ""),
        ('$ dohyo tune drop-block "my bot.py" --param depth=1..6', ""),
        ("dohyo COMMAND --help", ""),
        ("arena gunner < x.in", ""),
    ],
)
def test_a_wrong_command_is_noticed(line: str, said: str) -> None:
    """What the command would refuse is refused here, for the same reason; what it takes is taken."""
    (shown,) = shown_in("a page", f"```\n{line}\n```\n")
    found = objection(shown)
    assert bool(found) == bool(said)
    assert said in found


def test_words_in_a_sentence() -> None:
    """In a sentence a command may be cut short, but what is there has to exist."""
    text = "`dohyo contest run --rounds` and `dohyo contest run --ruonds`, `dohyo play`"
    assert [bool(objection(shown)) for shown in shown_in("a page", text)] == [False, True, False]
