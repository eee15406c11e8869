"""Records the stores that `test_older.py` opens: by the code of each revision that wrote another form of store.

    python tests/series/store/older/record.py

It needs the whole history, and takes each revision's sources from it; what a revision asks of other packages has to
be installed. A recording is not made again when the code changes: it is what people have on their disks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]

# What is recorded: the version of the tables, and the revision whose code made it. No revision wrote the tables of
# 0001 alone: they came with those of 0002. The first one is of the day that contests came.
REVISIONS = {
    "0002-first": "e62d7752",
    "0002-last": "990287f8~1",
    "0003": "a50af205~1",
    "0004": "a50af205",
    "0005": "35faea32",
}
ASKED = "while read word; do if [ $word = EOD ]; then"
BOTS = {
    "still": f"echo READY; {ASKED} echo N; fi; done",
    "up": f"echo READY; {ASKED} echo U; fi; done",
    "mumbler": f"echo READY; {ASKED} echo mumble; fi; done",
    "quitter": f"echo READY; {ASKED} exit 3; fi; done",
    "right": f"echo READY; {ASKED} echo R; fi; done",
}
RUN = ("contest", "run", "--game", "drop-block", *(f"./{name}" for name in BOTS), "--setup", "turns=12")
MORE = ("--seed", "3", "--clock", "60", "--sandbox", "none", "--store", "older.db")
FORMAT = ("--format", "ladder", "--option", "batch=4", "--batches", "2")


def record(name: str, revision: str) -> None:
    """Hold two batches of a ladder by the code of a revision, and keep what it left and what it says of it."""
    commit = subprocess.run(["git", "rev-parse", "--short=12", revision], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.strip()  # fmt: skip
    with tempfile.TemporaryDirectory() as place:
        folder, code = Path(place) / "work", Path(place) / "code"
        folder.mkdir()
        code.mkdir()
        packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "x"], cwd=code, input=packed, check=True)
        for bot, script in BOTS.items():
            (folder / bot).write_text(f"#!/bin/sh\n{script}\n")
            (folder / bot).chmod(0o755)
        environment = {**os.environ, "PYTHONPATH": str(code / "src")}
        dohyo = [sys.executable, "-W", "ignore", "-m", "dohyo"]
        subprocess.run([*dohyo, *RUN, *FORMAT, *MORE], cwd=folder, env=environment, check=True)
        told = subprocess.run([*dohyo, "contest", "standings", "older.db", "--json"], cwd=folder, env=environment,
                              capture_output=True, text=True, check=True).stdout  # fmt: skip
        (folder / "told.json").write_text(json.dumps({"revision": commit, **json.loads(told)}, indent=1) + "\n")
        for rest in ("older.db-wal", "older.db-shm"):
            with suppress(FileNotFoundError):
                (folder / rest).unlink()
        with tarfile.open(HERE / f"{name}.tar.xz", "w:xz") as made:
            for path in ("told.json", "older.db", "older.db.files"):
                made.add(folder / path, path, filter=_plain)
    print(f"{name}: {commit}, {(HERE / f'{name}.tar.xz').stat().st_size} bytes")


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Nothing of who recorded it; no leases."""
    if "/leases" in info.name or "/unfinished" in info.name:
        return None
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


if __name__ == "__main__":
    for name, revision in REVISIONS.items():
        record(name, revision)
