"""numba-cuda for the tests, in a folder of its own inside the environment.

    python -m tests.cuda_library        install it there

It is not among the packages that every test has, because it slows down each start of Python in its environment
(42 ms in the place of 14), and tests start thousands. Nor is all of it needed: kernels are compiled to PTX, which no
linker and no card has to read; the test of that alone brings 300 MB of compilers.

In CI `tests.needs` installs it. Elsewhere the tests of graphics cards are skipped until somebody does.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

PACKAGES = ("numba-cuda", "cuda-bindings", "cuda-core", "cuda-pathfinder", "nvidia-nvvm", "nvidia-cuda-nvrtc")
ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(sys.prefix, "numba-cuda")
DONE = FOLDER / "installed.txt"


def is_here() -> bool:
    """Whether it is installed, beside everything else or in its folder."""
    return importlib.util.find_spec("numba_cuda") is not None or DONE.exists()


def environment(*, simulated: bool = False) -> dict[str, str]:
    """The environment of a process that uses it; without it, the test that asks is skipped.

    In the simulator the process has a card that is none.
    """
    from tests.skips import Reason, skip_for  # which know the programs that tests need, and these know us

    if not is_here():
        remedy = f"'{Path(sys.executable).name} -m tests.cuda_library' installs it"
        skip_for(Reason.COMPILER, f"numba-cuda is not installed ({remedy})")
    found = {**os.environ, "NUMBA_ENABLE_CUDASIM": str(int(simulated))}
    if importlib.util.find_spec("numba_cuda") is None:
        found["PYTHONPATH"] = _before(FOLDER, "PYTHONPATH")
        found["CUDA_PATH"] = found["CUDA_HOME"] = str(compilers := FOLDER / "nvidia" / "cu13")
        found["LD_LIBRARY_PATH"] = _before(compilers / "lib", "LD_LIBRARY_PATH")
    return found


def _before(folder: Path, variable: str) -> str:
    """The folders that a variable of the environment names, behind this one."""
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get(variable)])])


def redirect() -> None:
    """What numba-cuda does at each start of Python where it is installed as usual: `numba.cuda` is it."""
    importlib.import_module("_numba_cuda_redirector")


def install() -> bool:
    """Install it in its folder, in the versions that are pinned; whether that has worked."""
    uv = Path(sys.executable).with_name("uv")
    order = [str(uv), "pip", "install", "-q", "--python", sys.executable, "--target", str(FOLDER), "--no-deps"]
    try:
        done = subprocess.run([*order, "--constraints", str(ROOT / "constraints.txt"), *PACKAGES], check=False)
    except OSError:
        return False
    if done.returncode == 0:
        DONE.write_text("\n".join(PACKAGES) + "\n", encoding="utf-8")
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(0 if is_here() or install() else 1)
