"""What the isolated reader may say is wrong: a sentence of ours about the hand-in, complete, and nothing else."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from dohyo.bots import isolated_reader
from dohyo.bots.isolated_reader import OF_MACHINE
from dohyo.system import interpreter


def test_an_error_about_the_hand_in_is_taken() -> None:
    """A known key with all its details is the error."""
    error = isolated_reader._told("wrong", [{"key": "bot-empty-file", "values": {"bot": "x"}}])
    assert "bot 'x' is an empty file" in error.say()


@pytest.mark.parametrize(
    "given",
    [
        [{"key": "nonsense", "values": {}}],
        [{"key": "bot-empty-file", "values": {"folder": "x"}}],
        [{"key": "bot-empty-file"}],
        [{"key": 7, "values": {}}],
        [{"key": "bot-empty-file", "values": 7}],
        ["bot-empty-file"],
        *([{"key": key, "values": {}}] for key in OF_MACHINE),
    ],
    ids=str,
)
def test_what_a_reader_may_not_say(given: list[Any]) -> None:
    """An unknown key, one without its details, and an error of the machine make the reader fail, and no contest."""
    with pytest.raises(isolated_reader._FailedError):
        isolated_reader._told("wrong", given)


def test_a_complete_error_of_the_machine_is_refused_too() -> None:
    """A reader that gives every detail cannot end a whole contest either."""
    with pytest.raises(isolated_reader._FailedError):
        isolated_reader._told("wrong", [{"key": "bot-cache-unusable", "values": {"folder": "x", "error": "y"}}])


def test_its_process_starts_without_what_it_does_not_need() -> None:
    """Every hand-in waits for its start, a fifth of which would be modules that `msgspec` can do without."""
    names = "inspect", "tokenize", "typing_extensions"
    code = f"{isolated_reader.STUB.removesuffix('main()')}print([n for n in {names} if sys.modules.get(n)])"
    command = interpreter.alone(code, *isolated_reader.import_folders())
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"
