"""What a reader makes of a stranger's bytes is bounded: the worst that we know of, as long as the reader takes it.

Each file is read in a process of its own, which says how much memory that took. Memory and processor time are
measured and limited by the system for that process alone, so other work on the machine changes neither. A reader's
processes are forks of one, which has loaded already what the reader needs.

What is taken grows with the file: with `--full` it is as long as the reader takes it, otherwise a part of that, and
may take that part of the memory and of the time.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from dohyo.core import bounds
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import ORIGINAL, Ruling
from dohyo.guests.bundles import bundle, plain_tar
from dohyo.guests.bundles import check as bundle_check
from dohyo.guests.tune.record import LONGEST_QUESTION
from dohyo.match import hand_in_names as names
from dohyo.series import contest_file
from dohyo.series.exports.export import ResultLine
from dohyo.series.store import columns
from tests.hostile.forks import Forks

MOST = 1 << 30  # bytes of memory that a reader may take, and whatever else our process has
PROCESSOR = 64  # seconds
PART = 16  # of the longest file, where not all of it is read
MIB = 1 << 20

# What becomes large, or takes long, of a few bytes. Each is repeated.
VALUES = {
    "lists": b"[],",
    "objects": b"{},",
    "texts": b'"ab",',
    "wide texts": b'"\xf0\x9f\x8e\xb2",',
    "numbers": b"1000,",
    "fractions": b"0.1,",
    "pairs": b"[0,0],",
    "keys": b'{"a":{}},',
    "spaces": b" ",
}


class Reader(NamedTuple):
    """A reader: what it needs, how it reads a file whose name is in `path`, how much, and what stands around that."""

    imports: str
    code: str
    most: int
    before: bytes = b"["
    after: bytes = b"0]"


CONTEST = b'{"bundle":1,"name":"c","game":"drop-block","rules":1,"entrants":[],"terms":{"setup":['
LINE = b'[{"contest":"c","game":"g","match":0,"batch":0,"seed":0,"versions":[],"places":[],"longest":[],"scores":[],'
LINE += b'"faults":[],"ended":"","seconds":0,"replay":null,"bots":['
RULING = b'{\n  "rulings": [{"number":1,"kind":"annul","at":0,"batches":0,"matches":['
RESULT = b'{\n  "rulings": [],\n  "results": ' + LINE
BUNDLE = (
    "from dohyo.guests.bundles.check import Checked, check; from pathlib import Path",
    "list(check(Path(path), open(path, 'rb'), Checked(), print))",
)

READERS = {
    "terms in a store": Reader(
        "from dohyo.series.store.columns import read_json", "read_json(open(path).read())", columns.LONGEST_JSON
    ),
    "contest.json": Reader(*BUNDLE, bundle_check.LARGEST[bundle.CONTEST], CONTEST, b"0]}}"),
    "matches.json": Reader(*BUNDLE, bundle_check.LARGEST[bundle.MATCHES_JSON], LINE, b'"a"]}]'),
    "rulings in audit.json": Reader(  # one of them: where one is longer, no more of the file is read
        *BUNDLE, bundle_check.LARGEST_RULING, RULING, b'0]}],\n  "results": []\n}\n'
    ),
    "results in audit.json": Reader(*BUNDLE, bundle_check.LARGEST[bundle.AUDIT], RESULT, b'"a"]}]\n}\n'),
    "what a tuning is about": Reader(
        "from dohyo.guests.tune.record import read_question",
        "read_question(open(path).read(), 'tune.db')",
        LONGEST_QUESTION,
        b'{"game":"g","setup":{"x":[',
        b"0]}}",
    ),
    "a referee's output": Reader(
        "from dohyo.guests.arenas.match_contracts import *",
        "read('psyleague', open(path, 'rb').read(), 2)",
        256 << 10,
        b'{"ranks":[',
        b"0]}",
    ),
    "a contest file": Reader(
        "from dohyo.series.contest_file import read_file",
        "read_file(path)",
        contest_file.LARGEST,
        b"setup = [",
        b"0]",
    ),
    "a list of names": Reader(
        "from dohyo.match.hand_in_names import read_names", "read_names(path)", names.LARGEST, b"a = [", b"0]"
    ),
}
# Reads a file, and says how much memory there was and how much it then took.
READ = """
import sys
{imports}

def memory(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name))

begun = memory("VmRSS")
(path,) = asked["words"]
try:
    {code}
except Exception as error:
    print(type(error).__name__, str(error)[:200], file=sys.stderr)
print(begun, memory("VmHWM"))
"""


class Reading:
    """Processes that read files with one reader. A context manager."""

    def __init__(self, reader: Reader, folder: Path, part: int) -> None:
        self.reader = reader._replace(most=reader.most // part)
        self.part = part
        self.path = folder / "file.toml"
        write(self.reader, self.path, b"", 0)
        self._code = READ.format(imports=reader.imports, code=reader.code)
        # It reads a small file, whatever becomes of that: what it loads only then, each fork would load again.
        self._forks = Forks(f"asked = {{'words': [{str(self.path)!r}]}}\n{self._code}", folder)

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *wrong: object) -> None:
        self._forks.__exit__(*wrong)
        self.path.unlink()

    def taken(self, unit: bytes) -> float:
        """The part of `MOST` that a fork takes which reads the longest file of these. It fails where that takes long.

        What a process has without any file is not counted in parts.
        """
        count = (self.reader.most - len(self.reader.before) - len(self.reader.after)) // len(unit)
        write(self.reader, self.path, unit, count)
        words = (str(self.path),)
        done = self._forks.run(
            self._code, self.path.parent, *words, environment={}, RLIMIT_CPU=PROCESSOR // self.part
        )
        assert done.returncode == 0, done
        begun, most = map(int, done.stdout.splitlines()[-1].split())
        return (begun + (most - begun) * self.part) / MOST


def write(reader: Reader, path: Path, unit: bytes, count: int) -> None:
    """Write what is repeated into the file, so often."""
    content = reader.before + unit * count + reader.after
    if reader.code != BUNDLE[1]:
        path.write_bytes(content)
        return
    empty = {bundle.SUMS: b"", bundle.CONTEST: CONTEST + b"]}}", bundle.MATCHES_JSON: b"[]"}
    own = {CONTEST: bundle.CONTEST, LINE: bundle.MATCHES_JSON}.get(reader.before, bundle.AUDIT)
    with path.open("wb") as file:
        plain_tar.write(file, sorted({**empty, own: content}.items()))


@pytest.fixture(scope="module", params=READERS)
def reading(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, full: bool
) -> Iterator[Reading]:
    """Each reader, in a process of its own."""
    with Reading(READERS[request.param], tmp_path_factory.mktemp("read"), 1 if full else PART) as own:
        yield own


@pytest.mark.parametrize("unit", VALUES)
def test_what_becomes_of_a_byte_is_bounded(reading: Reading, unit: str) -> None:
    """No reader takes more than a gigabyte and a minute for the longest file that it takes, whatever is in it."""
    assert reading.taken(VALUES[unit]) < 1


@pytest.mark.parametrize(
    "text",
    [
        b"a." * 1000 + b"b = 1",
        b'"a".' * 1000 + b"b = 1",
        b"[" + b"a . " * 1000 + b"b]",
        b'# """\n' + b"'a'." * 99 + b"b=1",
    ],
)
def test_keys_of_many_parts_are_refused(text: bytes) -> None:
    """A key of TOML that has a thousand parts is refused before Python's reader takes the square of their number."""
    with pytest.raises(bounds.TooMuchError):
        bounds.read_toml(text)


def test_texts_and_remarks_may_have_as_many_dots_as_they_like() -> None:
    """Dots in texts, remarks and numbers are no parts of keys."""
    dots = "a." * 100
    text = f"# it's \"\"\" {dots}\nx = \"{dots}\"\ny = '{dots}'\nz = '''\n{dots}\n'''\n"
    text += f"w = [{'0.1, ' * 100}]\na.b.c = 1\n"
    assert bounds.read_toml(text.encode())["x"] == dots


def test_faults_of_results_that_were_ruled_about_are_counted(tmp_path: Path) -> None:
    """A few hundred bytes for each result may not say a hundred thousand faults: each would be a word in a list."""
    line = LINE.replace(b'"faults":[]', b'"faults":[{"a":99999}]')[1:] + b'"a"],"ruling":%d}'
    audit = b'{\n  "rulings": [],\n  "results": [' + b",".join(line % ruling for ruling in range(300)) + b"]\n}\n"
    contest = CONTEST + b"]}}"
    members = {bundle.SUMS: b"", bundle.CONTEST: contest, bundle.MATCHES_JSON: b"[]", bundle.AUDIT: audit}
    path = tmp_path / "r.tar"
    with path.open("wb") as file:
        plain_tar.write(file, sorted(members.items()))
    with path.open("rb") as file, pytest.raises(OperatorError, match="too many faults"):
        list(bundle_check.check(path, file, bundle_check.Checked(), lambda count: None))


def test_whether_somebody_asked_for_a_result_takes_no_room_for_each_match_of_each_ruling() -> None:
    """They may name four million, of as few matches as there are."""
    every = tuple(range(1000))
    rulings = tuple(Ruling(1 + at, "rejudge", 0.0, 0, matches=every) for at in range(100))
    line = msgspec.json.decode(LINE[1:] + b'"a"]}', type=ResultLine)
    audit = bundle_check._Audit(rulings, {(match, ORIGINAL): (line, 0) for match in every})
    contest = bundle_check._Contest(1, "c", "g", 1, {}, ())
    tracemalloc.start()
    bundle_check._check_about(audit, contest)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 * MIB
