"""Where replays are: files and folders that are named, each file once."""

from __future__ import annotations

import os
from pathlib import Path

from dohyo.match.replays.places import replay_files


def test_files_are_read_once_and_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """game-9 comes before game-10; a file that is named twice, or by a link, is one."""
    for name in ("game-10.replay", "game-9.replay", "b.replay", "\u0663.replay"):
        (tmp_path / name).touch()
    names = [Path(one).name for one in replay_files([str(tmp_path)])]
    assert [name for name in names if name.startswith("game")] == ["game-9.replay", "game-10.replay"]
    (tmp_path / "same").symlink_to(tmp_path / "b.replay")
    twice = replay_files([str(tmp_path / "b.replay"), str(tmp_path / "same"), str(tmp_path)])
    assert sorted(os.path.realpath(one) for one in twice) == sorted(
        str(tmp_path / name) for name in ("game-10.replay", "game-9.replay", "b.replay", "\u0663.replay")
    )
