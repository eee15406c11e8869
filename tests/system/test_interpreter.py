"""What our own Pythons search for modules, where variables of the environment name folders by relative paths."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.cli.typed import PATIENCE, SOURCE

SHOWN = "import sys, dohyo.cli; from dohyo.system import interpreter; print(*sys.path, sys.pycache_prefix, sep='\\n')"


def told(code: str, folder: Path, *options: str, **variables: str) -> list[str]:
    """The lines that a Python in this folder prints."""
    own = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    words = [sys.executable, *options, "-c", code]
    done = subprocess.run(words, cwd=folder, env=own, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("entry", ["", ".", "sub/..", "../here"])
def test_entries_that_depend_on_the_current_folder_are_left_out(tmp_path: Path, entry: str) -> None:
    """Whatever way an entry means the current folder, it is not searched; the rest stays as it was, in its order."""
    here = tmp_path / "here"
    (here / "sub").mkdir(parents=True)
    usual = told(SHOWN, here, "-P")
    assert told(SHOWN, here, "-P", PYTHONPATH=os.pathsep.join((entry, str(SOURCE)))) == usual
    assert told(SHOWN, here, "-P", PYTHONPATH=os.pathsep.join((str(SOURCE), entry))) == usual
    assert told(SHOWN, here, PYTHONPATH=os.pathsep.join((entry, str(SOURCE)))) == usual  # with '' for `python -c`


def test_other_relative_places_are_left_out(tmp_path: Path) -> None:
    """What a user has installed in a relative folder is not searched, and no compiled module is read from one."""
    installed = str(tmp_path / "base" / "lib" / "python" / "site-packages")
    code = f"import sys; sys.path += [{installed!r}, '__editable__.other.finder.__path_hook__']; {SHOWN}"
    shown = told(code, tmp_path, "-P", PYTHONUSERBASE="base", PYTHONPYCACHEPREFIX="compiled")
    assert installed not in shown
    assert shown[-2:] == ["__editable__.other.finder.__path_hook__", "None"]  # a name for a hook is no folder


def test_an_installation_stays(tmp_path: Path) -> None:
    """In a folder of this Python's own packages, which Python lists once, it is searched as the last one."""
    packages = Path(msgspec.__file__).parents[1]
    shown = told(f"{SHOWN}; import msgspec", packages, "-P", PYTHONPATH=os.pathsep.join(("", str(SOURCE))))
    assert shown[-2] == str(packages)


def test_a_checkout_stays_too(tmp_path: Path) -> None:
    """Where our own package was found only so, its folder stays, as the last one, and what we start gets its path."""
    (tmp_path / "dohyo").symlink_to(SOURCE / "dohyo")
    asked = "print(sys.path[-1], interpreter.environment()['PYTHONPATH'])"
    code = f"import sys, dohyo.cli; from dohyo.system import interpreter; {asked}"
    for entries in (":", ":/x"):
        (shown,) = told(code, tmp_path, "-P", PYTHONPATH=entries)
        assert shown == f"{tmp_path} {os.pathsep.join([str(tmp_path), *entries.split(':')[1:]]).rstrip(os.pathsep)}"
    (shown,) = told(code, tmp_path, PYTHONPATH="/x")  # found by the '' of `python -c`
    assert shown == f"{tmp_path} {tmp_path}{os.pathsep}/x"


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    """Where the current folder was removed, such entries mean nothing, and nothing fails."""
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"import os; os.rmdir({str(gone)!r}); {SHOWN}"
    assert "None" in told(code, gone, "-P", PYTHONPATH=os.pathsep.join(("", "sub", str(SOURCE))))


def test_a_python_that_ignores_its_variables(tmp_path: Path) -> None:
    """`python -I` takes no notice of PYTHONPATH, so nothing is left out, and nothing is said."""
    code = (
        f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import dohyo.cli; from dohyo.system import interpreter; "
    )
    assert told(f"{code} print(interpreter.has_dropped())", tmp_path, "-I", PYTHONPATH=":.") == ["False"]
    assert told(f"{code} print(interpreter.has_dropped())", tmp_path, "-P", PYTHONPATH=":.") == ["True"]
