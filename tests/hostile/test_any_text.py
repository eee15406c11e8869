"""Whatever strangers call things, no program is started but those of the operator, and none sees what is not its own.

Names of files, replays, archives, stores and bundles are made of pieces that mean something in a word of the
operator's. The oracle is a log of every program that this process starts (`exec_log.py`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from dohyo.bench.rerun import bot_of
from dohyo.bots import Bot, archive
from dohyo.bots.build_plan import split
from dohyo.bots.programs import digest_of_words
from dohyo.bots.typed_words import named
from dohyo.core.bot_spec import HandIn, Sample
from dohyo.core.errors import OperatorError
from dohyo.guests.bundles import check as bundle_check
from dohyo.guests.verify.again import PlayingAgain
from dohyo.match import folder_bots
from dohyo.match.found_bots import find_bots, find_named
from dohyo.match.play import play_match
from dohyo.sandbox import Sandbox, choose
from dohyo.series import session
from dohyo.series.store import open_store
from tests.core.matches import GAME, played
from tests.fuzz.laws import changed, hold
from tests.hostile.exec_log import starts, wrongly_started
from tests.hostile.test_stores import begun, rewrite, terms
from tests.series.store.sealing import seal
from tests.skips import Reason, skip_for

FEW = 15  # examples in an ordinary run, where each starts a process that reads hand-ins
PLAYS = '#!/bin/sh\necho READY\nwhile read -r line; do [ "$line" = EOD ] && echo N; done\n'
SHIM = '#!/bin/sh\nnever() {{\nexec "{manager}" exec zz "$@"\n}}\n' + PLAYS.partition("\n")[2]
PIECES = st.sampled_from(
    [
        *("uci:", "git:", "HEAD", ":", "http:", "https:", "a=", "=", " ", "  ", ".", "..", "~", "~root"),
        *("'", '"', "\\", "|", "&&", "*", "\n", "\x1b[2J", "\u732b", "{here}"),
        *("zz", "sh", "cat", "env", "python3", "mise", "pyenv", "-c", "--fast", "--trust", "random"),
        *("bot.toml", "command.txt", ".py", ".sh", "option.x=1", "DOHYO_PROTOCOL=uci"),
    ]
)
# Half of them begin as a word that would start a program, or open a folder, if it were an operator's.
BEGINS = st.sampled_from(
    ["zz ", "zz .", "./zz ", "sh zz ", "cat .", "uci:sh zz ", "uci:./zz ", "{here}/zz ", "~", "git:"]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=6).map("".join) | st.builds(str.__add__, BEGINS, PIECES | st.just(""))
NAMES = (TEXTS.map(os.fsencode) | st.binary(min_size=1, max_size=30)).map(
    lambda name: os.fsdecode(name.replace(b"/", b"_").replace(b"\0", b"_")[:200])
)
KINDS = st.sampled_from(["script", "shim", "mise", "folder", "text"])


class Strangers:
    """A folder of hand-ins in which the operator types, a cache, and what lies elsewhere on the disk."""

    def __init__(self, folder: Path) -> None:
        self.here, self.other, self.cache = folder / "here", folder / "other", folder / "cache"
        self.other.mkdir()
        for name in ("pyenv", "mise"):
            self._script(self.other / name, "#!/bin/sh\n")
        self.clear()

    def clear(self) -> None:
        """An empty folder, but for a secret and a bot that names lead to."""
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()
        (self.here / ".env").write_text("a secret\n")
        self._script(self.here / "zz", SHIM.format(manager=self.other / "pyenv"))

    def lay(self, name: str, kind: str) -> bool:
        """Put something there under this name; false where there can be no such file."""
        path = self.here / name
        if name in (".", "..") or os.path.lexists(path):
            return False
        try:
            if kind == "folder":
                path.mkdir()
                (path / "bot.toml").write_text("run = 'sh main.sh'\n")
                (path / "main.sh").write_text(PLAYS)
            elif kind == "mise":
                path.symlink_to(self.other / "mise")
            else:
                shim = SHIM.format(manager=self.other / "pyenv")
                self._script(path, {"script": PLAYS, "text": "x"}.get(kind, shim))
        except (OSError, ValueError):
            return False
        return True

    def _script(self, path: Path, content: str) -> None:
        path.write_text(content)
        path.chmod(0o755)

    def watch(self, act: Callable[[], object]) -> None:
        """Do it: it may be refused, and starts nothing that it should not."""
        with starts() as log, suppress(OperatorError):
            act()
        assert wrongly_started(log, [self.here, self.other], self.cache) == []


def test_the_log_sees_what_is_wrong(strangers: Strangers, sandbox: Sandbox) -> None:
    """A start of a stranger's program is told, and so is a box that shows the operator's folder; others are not."""
    if sandbox.layer > 2:
        skip_for(Reason.KERNEL, "no sandbox here whose command says what is mounted")
    here, ours = str(strangers.here), strangers.cache
    own = find_bots(GAME, ["./zz ."], None, sandbox)[0]
    with starts() as log:
        find_bots(GAME, [f"{here}/zz"], None, sandbox)
        play_match(GAME, [own] * 4, setup={"turns": 4}, sandbox=sandbox)
    reads, *plays = log
    assert wrongly_started([reads], [strangers.here], ours) == []
    assert wrongly_started(plays, [strangers.here], ours) == plays
    for words in ((f"{here}/zz",), (str(strangers.other / "pyenv"), "which", "zz"), ("/bin/sh", f"{here}/zz")):
        assert wrongly_started([words], [strangers.here, strangers.other], ours) == [words]
    assert wrongly_started([("/bin/sh", "-c", "true")], [strangers.here], ours) == []


def check(found: Bot, strangers: Strangers) -> None:
    """What somebody else chose to call it shows no file, and is neither a command line nor a server."""
    assert isinstance(found.spec, HandIn | Sample), found.spec
    assert (found.shown, found.address) == ((), "")
    assert not found.folder.startswith(str(strangers.here))


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    """The strongest sandbox here."""
    return choose("auto")


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Strangers]:
    """The operator types in that folder; the home folder is another."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))
    made = Strangers(tmp_path)
    monkeypatch.setenv("HOME", str(made.other))
    monkeypatch.chdir(made.here)
    return made


def test_any_entry_of_a_folder(full: bool, strangers: Strangers, sandbox: Sandbox) -> None:
    """An entry is a hand-in whatever it is called; one that goes away when it is opened is an error of its own."""

    def law(name: str, kind: str, goes: bool) -> None:
        strangers.clear()
        os.chdir(strangers.here)
        if not strangers.lay(name, kind):
            return

        def away(count: int) -> None:
            if goes and kind != "folder":
                (strangers.here / name).unlink()

        def act() -> None:
            found = folder_bots.find(str(strangers.here), 9, None, sandbox=sandbox, building=away)
            for bot in found.bots:
                check(bot, strangers)
            assert len(found.bots) < 2 or not goes or kind == "folder"

        strangers.watch(act)

    law("zz .", "script", goes=True)
    law("zz --fast", "shim", goes=True)
    hold(law, full, FEW, name=NAMES, kind=KINDS, goes=st.booleans())


def test_any_name_that_a_shell_fills_in(full: bool, strangers: Strangers, sandbox: Sandbox) -> None:
    """Under a shell's `*` a word that is a file's name is that hand-in, whatever it says; so it is behind NAME=."""

    def law(name: str, kind: str) -> None:
        strangers.clear()
        os.chdir(strangers.here)
        if not strangers.lay(name, kind):
            return
        expected = HandIn(str(strangers.here / name), typed=name)
        assert named(name) == ("", expected)
        assert named(f"somebody={name}").bot in (expected, f"somebody={name}")
        strangers.watch(lambda: [check(bot, strangers) for bot in find_named(GAME, [name], None, sandbox)])

    law("uci:sh zz .", "script")
    law("zz .", "shim")
    hold(law, full, FEW, name=NAMES, kind=KINDS)


def test_any_name_in_a_replay(full: bool, strangers: Strangers, sandbox: Sandbox) -> None:
    """A replay's names lead to hand-ins that are called so, and to sample bots, and to nothing else."""
    match = played(turns=4)

    def law(name: str, laid: str) -> None:
        strangers.clear()
        os.chdir(strangers.here)
        strangers.lay(laid, "shim")
        text, digest = name.replace("{here}", str(strangers.here)), "0" * 64
        with suppress(OperatorError, ValueError):  # as if it were the command line that it reads as
            digest = digest_of_words([str(strangers.here / "zz"), *split(text)[1:]])
        seats = tuple(msgspec.structs.replace(seat, name=text, digest=digest) for seat in match.header.seats)
        forged = msgspec.structs.replace(match, header=msgspec.structs.replace(match.header, seats=seats))
        strangers.watch(lambda: check(bot_of(forged, 0, str(strangers.here / "m"), None, sandbox), strangers))

    law("zz --fast", "x")
    hold(law, full, name=TEXTS, laid=NAMES)


WORDS = st.lists(TEXTS | st.sampled_from(["{here}", "{here}/.env", ".", "/etc/passwd"]), max_size=3)
KEPT_KINDS = st.sampled_from([archive.HAND_IN, archive.TYPED, archive.COMMAND, archive.ELSEWHERE])


@st.composite
def archives(draw: st.DrawFn) -> archive.ArchivedBot:
    """An archive of somebody's, with a program in it or with words alone."""
    kind = draw(KEPT_KINDS)
    words = tuple(draw(WORDS))
    if kind in (archive.COMMAND, archive.ELSEWHERE) and draw(st.booleans()):
        program = draw(st.sampled_from(["sh", "cat", "env", "{here}/zz", "http://127.0.0.1:9/", "zz"]))
        return archive.ArchivedBot("", (program, *words), kind=kind)
    name = draw(st.sampled_from(["zz", "zz.sh", "zz --fast", "uci:sh zz .", "~", "mise", "pyenv"]) | TEXTS)
    content = draw(st.sampled_from([PLAYS, "SHIM", "x"])).encode()
    return archive.ArchivedBot(name, words, False, {name: (content, draw(st.booleans()))}, kind=kind)


def filled(one: archive.ArchivedBot, strangers: Strangers) -> bytes:
    """The archive's bytes, with the operator's folder where it names that."""
    shim = SHIM.format(manager=strangers.other / "pyenv").encode()
    files = {name: (shim if content == b"SHIM" else content, runs) for name, (content, runs) in one.files.items()}
    words = tuple(word.replace("{here}", str(strangers.here)) for word in one.words)
    return msgspec.msgpack.encode(msgspec.structs.replace(one, files=files, words=words))


def test_any_archive(full: bool, strangers: Strangers, sandbox: Sandbox) -> None:
    """What is unpacked is a hand-in, and its arguments show nothing; words alone are refused."""

    def law(one: archive.ArchivedBot) -> None:
        content = filled(one, strangers)
        with suppress(OperatorError):
            assert archive.read(archive.without_rights(content)).kind == archive.HAND_IN

        def act() -> None:
            for bot in find_bots(GAME, [archive.unpack(content)], None, sandbox):
                assert isinstance(bot.spec, HandIn)
                assert not bot.spec.names_files
                check(bot, strangers)

        strangers.watch(act)

    hold(law, full, one=archives())


SPECS = st.fixed_dictionaries(
    {"type": st.sampled_from(["hand-in", "sample", "command-line", "speaking", "elsewhere"])},
    optional={
        "path": TEXTS | st.just("{here}/zz"),
        "name": TEXTS,
        "arguments": WORDS,
        "names_files": st.booleans(),
        "words": WORDS,
        "address": TEXTS,
    },
)


def test_any_store(full: bool, strangers: Strangers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going on with a store, or playing its matches again, builds hand-ins alone, whatever the store says."""
    folder = tmp_path / "store"
    folder.mkdir()
    store = begun(folder)

    def law(one: archive.ArchivedBot, spec: dict[str, Any]) -> None:
        packed = filled(one, strangers)
        with open_store(str(store)) as opened:
            file = opened.files.put(packed)
        digest = digest_of_words(list(one.words)) if not one.name else "0" * 64
        rewrite(store, "UPDATE bot_versions SET archive = ?, digest = ? WHERE bot = 1", file, digest)
        terms(store, bots=[{"name": "bot0", "bot": spec}])

        def go_on() -> None:
            with session.go_on(str(store), None, sandbox="require") as opened:
                check(opened.loop.roster.bot(0), strangers)

        def again() -> None:
            with open_store(str(store)) as opened:
                PlayingAgain(opened, opened.contests(), "require", None)

        strangers.watch(go_on)
        strangers.watch(again)

    law(archive.ArchivedBot("", ("sh", "-c", "true"), kind=archive.COMMAND), {"type": "elsewhere", "address": "x"})
    hold(law, full, FEW, one=archives(), spec=SPECS)
    seal(store)


def test_any_bundle(full: bool, strangers: Strangers, tmp_path: Path) -> None:
    """A bundle of results starts nothing at all."""
    good = bundle_of(tmp_path)

    def law(content: bytes) -> None:
        (tmp_path / "r.tar").write_bytes(content)
        with starts() as log, suppress(OperatorError), (tmp_path / "r.tar").open("rb") as file:
            list(bundle_check.check(tmp_path / "r.tar", file, bundle_check.Checked(), lambda count: None))
        assert log == []

    hold(law, full, content=changed(st.just(good)))


def bundle_of(folder: Path) -> bytes:
    """A bundle of a contest of one of our tests."""
    from dohyo.guests.bundles.bundle import write
    from tests.series.made_contests import hold as held

    held(folder / "b.db", game="drop-block", names=("a", "b", "c", "d"), rounds=1)
    with open_store(str(folder / "b.db")) as opened:
        write(session.look(opened, None), str(folder / "good.tar"))
    return (folder / "good.tar").read_bytes()
