"""What is made in the cache for a bot that is refused goes again, unless another judge uses the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.bots import Bot, resolve
from dohyo.bots.newly_kept import Noted, noting
from tests.bots.conftest import Write

TOML = 'build = "echo made > made"\nrun = "sh bot.sh"'


def folders(bot: Bot) -> list[bool]:
    """Whether the folders that a bot runs from are there: its copy's and its build's."""
    return [Path(place).is_dir() for place in (bot.staged, bot.built)]


def test_what_was_made_goes(write: Write, empty: Path) -> None:
    """The copy and the build of a bot that nobody else has; what was there before stays."""
    folder = write({"bot.toml": TOML, "bot.sh": ""})
    with noting() as noted:
        (bot,) = resolve([str(folder)], cache=empty)
        assert folders(bot) == [True, True]
        noted.remove()
    assert folders(bot) == [False, False]
    (bot,) = resolve([str(folder)], cache=empty)
    with noting() as noted:
        resolve([str(folder)], cache=empty)
        noted.remove()
    assert folders(bot) == [True, True]


def test_what_another_judge_uses_stays(write: Write, empty: Path) -> None:
    """Of the same files, handed in twice: whoever refuses them first does not take them from the other's match."""
    first, second = (write({f"{name}/bot.toml": TOML, f"{name}/bot.sh": ""}) / name for name in ("one", "two"))
    with noting() as one:
        (bot,) = resolve([str(first)], cache=empty)
        with noting() as two:
            (same,) = resolve([str(second)], cache=empty)
            assert (same.staged, same.built) == (bot.staged, bot.built)
            one.remove()
            assert folders(same) == [True, True]
            two.remove()
    assert folders(bot) == [False, False], "the last one who refuses them removes them"


def test_what_another_judge_lets_play_stays(write: Write, empty: Path) -> None:
    """Whoever refuses the same files later, also who has made the folders, does not take them from matches."""
    first, second = (write({f"{name}/bot.toml": TOML, f"{name}/bot.sh": ""}) / name for name in ("one", "two"))
    with noting() as one:
        (bot,) = resolve([str(first)], cache=empty)
        with noting() as two:
            resolve([str(second)], cache=empty)
            two.accept()
        one.remove()
    assert folders(bot) == [True, True]
    with noting() as again:
        resolve([str(first)], cache=empty)
        again.remove()
    assert folders(bot) == [True, True]


def test_who_is_let_play_while_another_judge_refuses_stays(
    write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark may be taken away until a judge is alone with the folder: it looks again then."""
    folder = write({"bot.toml": TOML, "bot.sh": ""})
    with noting() as one, noting() as two:
        (bot,) = resolve([str(folder)], cache=empty)  # it is noted by the second one; the first one has made it, too
        for place in two.made:
            one.hold(place)
        alone = Noted._is_alone

        def accepted_meanwhile(self: Noted, place: Path) -> bool:
            if self is one:
                two.accept()
            return alone(self, place)

        monkeypatch.setattr(Noted, "_is_alone", accepted_meanwhile)
        one.remove()
    assert folders(bot) == [True, True]
