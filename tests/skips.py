"""The only ways to skip a test, so that a skip is counted, explained, and refused where it must not happen.

With CI=true a skipped test is a failure, except for the reasons that no amount of installing can mend; those
are listed, each with its sentence, just above pytest's closing line. Elsewhere every skip is allowed.
A bare `pytest.skip` or `pytest.mark.skipif` has no reason of the table, and so is never allowed in CI.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NoReturn

import pytest

from tests import needs


class Reason(StrEnum):
    """Why a test cannot run here; all but MISSING are allowed in CI."""

    GPU = "gpu"
    """The machine has no graphics card that the test could use."""
    KERNEL = "kernel"
    """The kernel, as it is configured, lacks a feature that `dohyo doctor` reports as missing."""
    COMPILER = "compiler"
    """A language's tools are missing, and the machine's package tool has none either."""
    LONG = "long"
    """It takes long, and runs with `--full`."""
    PEER = "peer"
    """Another program, beside which ours is only compared, is not installed; the tests bring none."""
    MISSING = "missing"
    """Something that could have been installed is not there."""


ALLOWED_IN_CI = frozenset(Reason) - {Reason.MISSING}
_MARK = re.compile(r"\[(" + "|".join(Reason) + r")\] (.*)", re.DOTALL)


def skip_for(reason: Reason, sentence: str) -> NoReturn:
    """Skip the test that runs now; `sentence` says what is missing. Works at a module's top level too."""
    pytest.skip(f"[{reason}] {sentence}", allow_module_level=True)


def program(name: str) -> str:
    """The path of the program `name` from the table in `tests.needs`; without it, the test is skipped."""
    path = needs.path_of(name)
    if path is not None:
        return path
    need = needs.BY_NAME[name]
    reason = Reason.MISSING if needs.apt_has(need.debian) else Reason.COMPILER
    skip_for(reason, f"{name} is not on this machine")


def reason_of(message: str) -> tuple[Reason | None, str]:
    """The reason and the sentence that a skip's message holds; no reason for a skip not made here."""
    found = _MARK.search(message)
    return (Reason(found[1]), found[2]) if found else (None, message)


def allowed_in_ci(message: str) -> bool:
    """Whether CI lets a skip with this message pass."""
    return reason_of(message)[0] in ALLOWED_IN_CI
