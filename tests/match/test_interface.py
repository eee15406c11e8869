"""The documented interface: `import dohyo` has these names, and costs little until they are used."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import dohyo


def test_every_name_is_there_and_says_what_it_is() -> None:
    """Each name in `__all__` can be had, is listed, has a docstring, and stands in the package's own."""
    for name in dohyo.__all__:
        value = getattr(dohyo, name)
        assert name in dir(dohyo)
        if name != "__version__":
            assert inspect.getdoc(value)
            assert name in (dohyo.__doc__ or "")


def test_a_listing_is_quiet() -> None:
    """What an editor or `dir` offers are the public names alone, few enough to be read."""
    assert dir(dohyo) == sorted(dohyo.__all__)
    assert len(dir(dohyo)) < 20


def test_a_seed_is_drawn() -> None:
    """Two matches without a seed are different ones, and each says by which seed it is played again."""

    class Last(dohyo.Bot):
        """Plays what comes last."""

        def act(self, observation: dohyo.Observation) -> dohyo.Action:
            return observation.legal_actions[-1]

    first, second = (dohyo.play("wondev-woman", [Last, Last], clock=60) for _ in range(2))
    assert first.header.seed != second.header.seed
    again = dohyo.play("wondev-woman", [Last, Last], seed=first.header.seed, clock=60)
    assert again.turns[-1].digest == first.turns[-1].digest


def test_the_arguments_of_play_are_stable() -> None:
    """A program that calls `dohyo.play` finds these arguments in every version."""
    assert list(inspect.signature(dohyo.play).parameters) == [
        "game", "bots", "seed", "setup", "clock", "resume", "first", "python", "pondering", "sandbox", "on_turn",
        "on_progress",
    ]  # fmt: skip


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A misspelt name is said to be missing, as in any module."""
    with pytest.raises(AttributeError, match="'dohyo' has no attribute 'pley'"):
        dohyo.pley  # noqa: B018


PROBES = {
    # Three are there: what forgets the current folder, the rule of where programs are searched, and their package.
    "import dohyo; import sys; print(sum(name.startswith('dohyo.') for name in sys.modules))": "3",
    "import dohyo; dohyo.play; import dohyo.match; print(callable(dohyo.play))": "True",
    "import dohyo.match.running; import dohyo; print(dohyo.play.__module__)": "dohyo.match.from_python",
    "import dohyo.match.play; from dohyo import play; import dohyo.match; print(play.__name__)": "play",
}


@pytest.mark.parametrize("probe", PROBES)
def test_names_and_rooms_do_not_get_in_each_others_way(probe: str) -> None:
    """Importing is cheap, and `dohyo.play` is the function even when the room `dohyo.play` was imported before."""
    assert subprocess.check_output([sys.executable, "-c", probe], text=True).strip() == PROBES[probe]
