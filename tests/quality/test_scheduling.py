"""Which worker runs which tests: a file's on one, what takes longest first; and products that are run in part."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tests import conftest
from tests.covering import covering
from tests.quality.project import FEW_PLUGINS, ROOT
from tests.scheduling import A_TEST, USUAL, seconds

CONFTEST = """
import os
import pytest
import scheduling

def pytest_configure(config):
    config.addinivalue_line("markers", "xdist_group: xdist's")
    scheduling.TESTS = config.rootpath
    scheduling.register(config)

@pytest.fixture(autouse=True)
def noted(request):
    with open("ran", "a") as file:
        file.write(f"{request.path.stem} {os.environ['PYTEST_XDIST_WORKER']}\\n")
"""
FILE = "import pytest\n@pytest.mark.parametrize('n', range({tests}))\ndef test_some(n): pass\n"
SHARED = "\n@pytest.mark.xdist_group('shared')\ndef test_shared(): pass\n"


def test_a_files_tests_stay_on_one_worker(tmp_path: Path) -> None:
    """So do those of one group, whatever their files; the file with most tests begins first."""
    shutil.copy(ROOT / "tests" / "scheduling.py", tmp_path)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for name, tests in {"few": 2, "many": 9, "some": 5, "others": 3}.items():
        folder = tmp_path / f"of_{name}"
        folder.mkdir()
        (folder / "__init__.py").touch()
        (folder / f"test_{name}.py").write_text(FILE.format(tests=tests))
    for name in ("one", "two"):
        (tmp_path / "of_few" / f"test_{name}.py").write_text("import pytest\n" + SHARED)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "2",
            "--dist",
            "loadgroup",
            "-p",
            "no:cacheprovider",
            *FEW_PLUGINS.split(),
            ".",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ran = [line.split() for line in (tmp_path / "ran").read_text().splitlines()]
    workers: dict[str, set[str]] = {}
    for file, worker in ran:
        workers.setdefault("shared" if file in ("test_one", "test_two") else file, set()).add(worker)
    assert len(ran) == 2 + 9 + 5 + 3 + 2
    assert {len(each) for each in workers.values()} == {1}, workers
    assert {file for file, _ in ran[:2]} <= {"test_many", "test_some"}


def test_the_longest_name_that_fits_says_how_long_a_test_takes() -> None:
    """A file may take longer than its folder's usual; what the table does not name takes as long as most."""
    assert seconds("tests/laws/test_batch.py", 5) == 5 * A_TEST["tests/laws/test_batch.py"]
    assert seconds("tests/laws/test_plain.py", 5) == 5 * A_TEST["tests/laws/"]
    assert seconds("tests/core/test_bits.py", 5) == 5 * USUAL


def test_the_table_names_what_is_there() -> None:
    """No folder or file of the table has gone."""
    assert [name for name in A_TEST if name.startswith("tests/") and not (ROOT / name).exists()] == []


@pytest.mark.parametrize("sizes", [(4, 3), (2, 2), (1, 5), (4, 2, 3)])
def test_every_value_is_covered(sizes: tuple[int, ...]) -> None:
    """An ordinary run has each value of every list; a full one every combination, once."""
    lists = [[f"{at}-{n}" for n in range(size)] for at, size in enumerate(sizes)]
    found = covering(*lists)
    assert [each.values for each in found] == list(product(*lists))
    usual = [each.values for each in found if not each.marks]
    assert {value for values in usual for value in values} == {value for each in lists for value in each}
    assert len(usual) == max(sizes)


def test_no_name_of_a_test_is_long(request: pytest.FixtureRequest) -> None:
    """Workers send each other the names of all tests, several times: a parameter of megabytes is not in one."""
    assert max(len(item.nodeid) for item in request.session.items) < 600


def test_a_long_parameter_is_called_by_its_beginning_and_its_length() -> None:
    """Short ones are left to pytest, which knows how to write them."""
    assert conftest.pytest_make_parametrize_id("x" * 80) is None
    assert conftest.pytest_make_parametrize_id(1) is None
    assert conftest.pytest_make_parametrize_id("\n" + "x" * 99) == "\\n" + "x" * 79 + " and so on, 100 in all"
    assert conftest.pytest_make_parametrize_id(b"\xff" * 81) == "\\xff" * 80 + " and so on, 81 in all"
