"""In which sandbox a contest is played for which nobody has said it: one's own bots, and those of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo.bots.typed_words import named
from dohyo.core.errors import OperatorError
from dohyo.sandbox import layers
from dohyo.series import session
from dohyo.series.own_bots import MOST_OWN, are_own, usual_sandbox
from dohyo.series.request import ContestRequest
from tests.series.contests import asked


@pytest.fixture(params=[1, 2, 3, 4])
def layer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The strongest layer of the machine."""
    number: int = request.param
    monkeypatch.setattr(layers, "strongest", lambda: layers.Sandbox(number, "sandbox"))
    return number


def contest(home: Path, /, *words: str, **more: Any) -> ContestRequest:
    """A contest of these words, with a store in this folder."""
    return ContestRequest(game="drop-block", store=str(home / "c.db"), bots=list(map(named, words)), **more)


def test_ones_own_bots_play_in_layer_three(tmp_path: Path, layer: int) -> None:
    """Where it is the strongest, and that is told; hand-ins do not, and without any sandbox nobody does."""
    own, told = tmp_path / "mine.py", []
    own.touch()
    mine = contest(tmp_path, "hunter", "old=random", str(own))
    hand_ins = contest(tmp_path, "random", folder=str(tmp_path))

    def tell(key: str, **details: object) -> None:
        told.append((key, details))

    assert usual_sandbox(hand_ins, tell) == "require"
    assert told == []
    assert usual_sandbox(mine, tell) == ("auto" if layer == 3 else "require")
    assert told == ([("contest.own-bots", {"layer": 3})] if layer == 3 else [])


def test_what_others_handed_in_is_not_ones_own(tmp_path: Path) -> None:
    """A folder, a list of names, an archive, and as many files as a shell's `*` stands for."""
    files = [tmp_path / f"s{number}.py" for number in range(MOST_OWN + 1)]
    packed = [tmp_path / name for name in ("a.zip", "B.TAR.GZ", "c.txz", "d.tbz2", "e f.zip")]
    for file in (*files, *packed):
        file.touch()
    (tmp_path / "link").symlink_to(packed[0])
    assert are_own(contest(tmp_path, "hunter", *map(str, files[1:])))
    assert are_own(contest(tmp_path, *["random"] * 20))
    assert not are_own(contest(tmp_path, *map(str, files)))
    for file in (*packed, tmp_path / "link"):
        for word in (f"{file}", f"bob={file}", f"'{file}' --fast", f"bob='{file}' --fast", f"python3 '{file}'"):
            assert not are_own(contest(tmp_path, word)), word
    assert not are_own(contest(tmp_path, "random", folder=str(tmp_path)))
    assert not are_own(contest(tmp_path, "random", folder=str(tmp_path), names="names.csv"))


def test_not_more_files_than_somebody_types(tmp_path: Path) -> None:
    """Wherever they lie and with whatever arguments, they count together; one program with others counts once."""
    homes = [tmp_path / f"s{number}" for number in range(MOST_OWN + 1)]
    for home in homes:
        home.mkdir()
        (home / "bot.py").touch()
    own = str(homes[0] / "bot.py")
    for form in ("{}", "{}/", "{}/bot.py", "{} --x", "{}/bot.py --x", "python3 {}/bot.py", "nameless={}/bot.py"):
        words = [form.format(home) for home in homes]
        assert not are_own(contest(tmp_path, *words)), form
        assert are_own(contest(tmp_path, *words[1:], "hunter")), form
    assert are_own(contest(tmp_path, *(f"{own} --depth {number}" for number in range(20))))
    assert not are_own(contest(tmp_path, *(f"git:v{number}:bot.py" for number in range(MOST_OWN + 1))))


def test_who_was_never_named_does_not_play_in_layer_three(
    folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that was begun with one's own bots may hold others', and its word alone counts for nothing."""
    monkeypatch.setattr(layers, "strongest", lambda: layers.Sandbox(3, "sandbox"))
    monkeypatch.setattr("dohyo.match.sandboxing.choose", lambda mode: layers.Sandbox(4, "none"))
    own = asked(store, folder, sandbox="auto")
    session.begin(own, frozen=False, leave_out=refuse).store.close()
    own.sandbox = None
    assert usual_sandbox(own, session.silent) == "auto"
    for fewer in (own.bots[1:], [("other", own.bots[0][1]), *own.bots[1:]]):
        assert usual_sandbox(replace(own, bots=fewer), session.silent) == "require"


def test_a_contest_goes_on_as_it_was_begun(folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun with one's own bots in layer 3, it does so on a stronger machine, too; strangers do not join it so."""
    given = {"sandbox": None}
    monkeypatch.setattr(layers, "strongest", lambda: layers.Sandbox(3, "sandbox"))
    monkeypatch.setattr("dohyo.match.sandboxing.choose", lambda mode: layers.Sandbox(4, "none"))
    session.begin(asked(store, folder, **given), frozen=False, leave_out=refuse).store.close()
    for number in (1, 3):
        monkeypatch.setattr(layers, "strongest", lambda number=number: layers.Sandbox(number, "sandbox"))
        assert usual_sandbox(asked(store, folder, **given), session.silent) == "auto"
        assert usual_sandbox(asked(store, folder, folder=str(folder), **given), session.silent) == "require"


def refuse(bot: str, error: OperatorError) -> None:
    """No bot is left out."""
    raise error
