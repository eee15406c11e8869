"""The copy of a hand-in: what belongs to it, what is archived, and who is kept apart."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from dohyo.bots import archive, hand_in, resolve
from dohyo.system import temporary
from tests.bots.conftest import Resolve, Write, run


def test_a_lone_source_brings_sources_alone(write: Write, one: Resolve) -> None:
    """Of what lies beside a lone source it gets the sources that it names: no data, nothing hidden, nothing above."""
    names = "import helper, .hidden, above\nimport a.b"
    files = {"x/bot.py": f"{names}\n", "x/helper.py": "", "x/data.txt": "", "x/.env": "", "x/a/b.py": ""}
    folder = write({**files, "x/.hidden.py": "", "above.py": "", "x/other.py": ""})
    staged = Path(one(folder / "x" / "bot.py").staged)
    assert sorted(path.relative_to(staged).as_posix() for path in staged.rglob("*.*")) == [
        "a/b.py",
        "bot.py",
        "helper.py",
    ]


def test_an_archive_holds_what_was_examined(write: Write, one: Resolve) -> None:
    """What is archived is the copy: a lone source with what it brought along, whatever lies in its place by then."""
    folder = write({"bot.py": "import words\nprint(words.SAID)", "words.py": "SAID = 'before'", "other.py": ""})
    bot = one(folder / "bot.py")
    packed = archive.pack(bot, {})
    write({"words.py": "SAID = 'after'"})
    again = one(archive.unpack(packed))
    assert (run(again), again.digest) == ("before", bot.digest)
    folder = write({"whole/bot.toml": "run = 'python3 bot.py'", "whole/bot.py": "print('whole')"})
    bot = one(folder / "whole")
    again = one(archive.unpack(archive.pack(bot, {})))
    assert (run(again), again.digest) == ("whole", bot.digest)


def test_a_hand_in_is_no_part_of_another(write: Write, cache: Path) -> None:
    """Of two bots in one folder that name each other, each is alone."""
    folder = write({"a.py": "import b", "b.py": "import a", "c.py": "import d", "d.py": ""})
    words = [str(folder / name) for name in ("a.py", "b.py", "c.py")]
    for bots in (resolve(words, cache=cache), resolve(words[:1], cache=cache, apart=words)):
        assert [path.name for path in Path(bots[0].staged).iterdir()] == ["a.py"]
    assert len(list(Path(resolve(words, cache=cache)[2].staged).iterdir())) == 2


def test_copies_of_one_who_is_at_work_stay(empty: Path) -> None:
    """Another container with the same cache, where our number is nobody's, leaves what we work with, however old."""
    with hand_in.Area(empty) as area:
        folder = area.folder
        (folder / "1").mkdir()
        other = folder.with_name("dohyo-copies-4194305-1-00000000-1")  # no process has such a number here
        folder.rename(other)
        os.utime(other, (time.time() - 2 * 86400,) * 2)
        temporary.sweep.cache_clear()
        with hand_in.Area(empty) as second:
            assert second.folder.is_dir()
            assert (other / "1").is_dir()
        other.rename(folder)
    assert not list((empty / "hand-ins").glob("dohyo-*"))


def test_copies_of_one_who_ended_elsewhere_go(empty: Path) -> None:
    """What a process in another container has left goes when it is old: nobody holds its lock any more."""
    code = "import os,sys; from pathlib import Path; from dohyo.bots.hand_in import Area\n"
    code += "print(Area(Path(sys.argv[1])).folder, flush=True); os._exit(0)"
    told = subprocess.run([sys.executable, "-c", code, str(empty)], check=True, capture_output=True, text=True).stdout
    folder = Path(told.strip())
    assert (folder / temporary.LOCK).is_file()
    other = folder.rename(folder.with_name("dohyo-copies-4194305-1-00000000-1"))
    os.utime(other, (time.time() - 2 * 86400,) * 2)
    temporary.sweep.cache_clear()
    with hand_in.Area(empty) as area:
        assert area.folder.is_dir()
        assert not other.exists()


def test_copies_of_one_who_was_killed_go(empty: Path) -> None:
    """What a process has left that was killed is removed by the next; what another machine has just begun stays."""
    code = "import os,sys; from pathlib import Path; from dohyo.bots.hand_in import Area\n"
    code += "Area(Path(sys.argv[1])).folder; os._exit(0)"
    subprocess.run([sys.executable, "-c", code, str(empty)], check=True)
    home = empty / "hand-ins"
    (left,) = home.glob("dohyo-*")
    young, old = (f"dohyo-copies-1-1-00000000-{number}" for number in (1, 2))
    for name, age in ((young, 0), (old, 2 * 86400)):
        (home / name).mkdir()
        os.utime(home / name, (time.time() - age,) * 2)
    temporary.sweep.cache_clear()
    with hand_in.Area(empty) as area:
        assert area.folder.is_dir()
        assert not left.exists()
        assert [path.name for path in home.glob("*-00000000-*")] == [young]
