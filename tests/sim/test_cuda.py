"""Batches on a graphics card: kernels compile for it, play the rules without it, and what is missing is said."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from dohyo import games
from dohyo.core.cheap_random import match_seed, mixed
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import protocol_defaults
from dohyo.core.options import resolve
from dohyo.sim import BatchMatch, kernels
from dohyo.sim import cuda as card
from tests import cuda_library
from tests.sim import emulated
from tests.skips import Reason, skip_for

# Without --full: those that are executed, and of the others one of each kind, of a batch and of an environment.
COMPILED = ("acting", "answer", "roll", "step", "widen")
GAMES = ("drop-block", "shoot-em-up", "wondev-woman", "abotcalypse")


def run(root: Path, module: str, *arguments: str, simulated: bool = False) -> str:
    """What a program among the tests prints, in a process of its own."""
    environment = cuda_library.environment(simulated=simulated)
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def assembly(root: Path, tmp_path_factory: pytest.TempPathFactory, full: bool) -> dict[tuple[str, str], Path]:
    """Folders with the kernels' PTX, by game and compute capability."""
    folders = {}
    for game in GAMES if full else GAMES[:1]:
        for capability in ("9.0", "7.5") if full else ("9.0",):
            folders[game, capability] = folder = tmp_path_factory.mktemp("ptx")
            print(run(root, "tests.sim.ptx", game, str(folder), capability, *(() if full else COMPILED)))
    return folders


def is_assembly_of_cards(assembly: dict[tuple[str, str], Path], full: bool) -> None:
    """Every kernel becomes PTX, without --full some; where the rules have integers only, a rollout has no double."""
    for (game, capability), folder in assembly.items():
        texts = {file.stem: file.read_text() for file in folder.glob("*.ptx")}
        every = {"begin", "illegal", "step", "roll", "acting", "legal", "widen", "play", "turn"}
        assert every <= texts.keys() if full else set(COMPILED) == texts.keys()
        for text in texts.values():
            assert f".target sm_{capability.replace('.', '')}" in text
            assert ".visible .entry" in text
        assert bool(re.search(r"\.f(32|64)\b", texts["roll"])) == (game == "abotcalypse")


def test_what_was_compiled_for_a_card_plays_the_rules(assembly: dict[tuple[str, str], Path], full: bool) -> None:
    """The assembly of a rollout, executed by an emulator, ends in the states and totals of a CPU's."""
    # In one test: another one could be another worker's, which compiles it again.
    is_assembly_of_cards(assembly, full)
    steps = 300 if full else 30
    for (game, _), folder in assembly.items():
        setup = {"turns": 25} if game == "drop-block" else {}
        emulated.play(game, (folder / "roll.ptx").read_text(), steps, setup)
        if game == "drop-block":
            emulated.step(game, (folder / "step.ptx").read_text(), 60 if full else 7, {"turns": 5})


def test_the_simulated_card_plays_the_rules(root: Path, full: bool) -> None:
    """Stepped, rolled out, observed and asked as callers do, a batch on the card is the batch of plain rules."""
    size = ("5", "100") if full else ("2", "8")
    said = run(root, "tests.sim.on_card", *size, *(GAMES if full else GAMES[:1]), simulated=True)
    assert said.splitlines() == agreements(GAMES if full else GAMES[:1])


def agreements(games: tuple[str, ...]) -> list[str]:
    """What the program says when all has gone well."""
    each = (*(f"{game} steps" for game in games), "wrong actions", "copies", "streams", "cards")
    return [*(f"{game} agrees" for game in games), "callers agree", *(f"{what} agree" for what in each)]


def test_the_benchmark_runs(root: Path) -> None:
    """Its script does what it says, at a size for the simulator; figures it has none there."""
    program = (
        "import runpy, sys; from tests import cuda_library; cuda_library.redirect();"
        "from tests.sim import on_card; on_card.simulate();"
        "sys.argv = ['gpu.py', '--slots', '2', '--steps', '2', '--rounds', '1'];"
        "runpy.run_path('benchmarks/gpu.py', run_name='__main__')"
    )
    environment = cuda_library.environment(simulated=True)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert re.search(r"^slots=2 rollout_turns_a_second=[\d.e+]+$", done.stdout, re.MULTILINE), done.stderr
    assert re.search(r"^slots=2 observed_step_turns_a_second=[\d.e+]+$", done.stdout, re.MULTILINE), done.stderr
    assert re.search(r"^best_rollout_turns_a_second=[\d.e+]+ goal=1e9 reached=", done.stdout, re.M), done.stderr


def test_a_real_card_plays_the_rules(root: Path) -> None:
    """The same on a card, where there is one."""
    if not has_card():
        skip_for(Reason.GPU, "no graphics card can be used here")
    said = run(root, "tests.sim.on_card", "1000", "40", *GAMES)
    graphs = ["graphs agree"] if importlib.util.find_spec("torch") else []
    assert said.splitlines() == [*agreements(GAMES), *graphs]


def has_card() -> bool:
    try:
        card.open_card()
    except OperatorError:
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_the_answer_of_a_game_is_known_to_the_card(name: str) -> None:
    """The same one that the host would be given for an illegal action, in each of our games without asking."""
    game = games.find(name)
    state = game.new_state(resolve(game.options, {}), game.seats[0])
    assert card.constant_answer(game) == game.protocol.answer(state, 0, Fault(FaultKind.ILLEGAL, "x"))


def test_a_default_answer_is_the_first_concession_or_the_first_legal_action() -> None:
    """As the protocol's default says; an answer that looks at the state is the host's."""
    game = games.find("drop-block")
    for rules, answer in ((game.rules, kernels.FIRST_LEGAL), (SimpleNamespace(CONCESSIONS=(7, 8)), 7)):
        usual = protocol_defaults(rules, {})["answer"]
        assert card.constant_answer(SimpleNamespace(rules=rules, protocol=SimpleNamespace(answer=usual))) == answer
    asked = SimpleNamespace(answer=lambda s, seat, fault: s.turn)
    assert card.constant_answer(SimpleNamespace(rules=game.rules, protocol=asked)) == kernels.NO_ANSWER


def test_a_game_copied_to_the_first_place_keeps_its_seeds() -> None:
    """What a rollout on the card does to the batch's seed: slot 0 then has the seeds of the slot that it is about."""
    assert mixed(0) == 0
    for slot in (0, 1, 77, 2**32 - 1):
        for game in (0, 1, 1000):
            assert match_seed(12345 ^ mixed(slot), 999, 0, game) == match_seed(12345, 999, slot, game)


class NoCardError(Exception):
    """In the place of numba-cuda's exceptions."""


def library(count: int = 1, driver: Any = (13, 0), compiler: Any = (13, 5), capability: Any = (9, 0)) -> Any:
    """Just so much of numba-cuda as is asked before a card is used; an exception is raised where it stands."""

    def answer(value: Any) -> Any:
        def ask() -> Any:
            if isinstance(value, Exception):
                raise value
            return value

        return ask

    return SimpleNamespace(
        CudaSupportError=NoCardError,
        gpus=[None] * count,
        driver=SimpleNamespace(driver=SimpleNamespace(get_version=answer(driver)), CudaAPIError=NoCardError),
        runtime=SimpleNamespace(get_version=answer(compiler)),
        get_current_device=answer(SimpleNamespace(name=b"Tesla P4", compute_capability=capability)),
    )


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ({"count": 0}, r"No NVIDIA .*the driver finds none.*device=\"cpu\""),
        (
            {"driver": NoCardError("Error at driver init: \n\nNo library.\nDo this.")},
            r"can be used here \(No library\);",
        ),
        ({"driver": (12, 4)}, r"is for CUDA 12\.4, .* needs one for 13\.0 or newer; .*numba-cuda\[cu12\]\."),
        ({"capability": (6, 1)}, r"'Tesla P4' has the compute capability 6\.1, and CUDA 13 needs 7\.5"),
        ({"compiler": RuntimeError("no libnvrtc")}, r"does not start \(no libnvrtc\); .*dohyo\[cuda\]"),
    ],
    ids=["no card", "no driver", "old driver", "old card", "no compiler"],
)
def test_what_a_card_lacks_is_said_in_a_sentence(found: dict[str, Any], sentence: str) -> None:
    """No card, one that is too old, its driver, the compiler: each has its sentence with the remedy."""
    card.check_card(library())
    with pytest.raises(OperatorError, match=sentence):
        card.check_card(library(**found))


def test_without_the_library_a_batch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """`device="cuda"` needs numba-cuda; another device than the known ones is a mistake of the caller."""
    game = games.find("drop-block")
    card.open_card.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OperatorError, match=r"need numba-cuda.*pip install 'dohyo\[cuda\]'"):
        BatchMatch(game, 1, device="cuda")
    with pytest.raises(ValueError, match="device is one of cpu, cuda, cuda:0, cuda:1 and on, not 'tpu'"):
        BatchMatch(game, 1, device="tpu")


def test_memory_that_a_card_has_not_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array too large for the card: how much is missing. Other errors go through."""
    error = NoCardError()
    place = card.Card.__new__(card.Card)
    place.given_stream, place._gpu = None, nullcontext()

    def refuse(values: Any, stream: Any) -> Any:
        raise error

    place._cuda = SimpleNamespace(to_device=refuse)
    with pytest.raises(NoCardError):
        place.array(numpy.zeros(3))
    error.code = 2  # type: ignore[attr-defined]
    with pytest.raises(OperatorError, match="no room for 24 bytes"):
        place.array(numpy.zeros(3))


@pytest.mark.parametrize(
    ("array", "on_card"),
    [
        (SimpleNamespace(__cuda_array_interface__={}), True),
        (SimpleNamespace(__dlpack_device__=lambda: (2, 0)), True),
        (SimpleNamespace(__dlpack_device__=lambda: (1, 0)), False),
        (numpy.zeros(3), False),
        ([1, 2, 3], False),
    ],
    ids=["CUDA array interface", "DLPack, card", "DLPack, CPU", "NumPy", "list"],
)
def test_arrays_on_a_card_are_known(array: Any, on_card: bool) -> None:
    """Whose memory an array is in is asked of the array, whatever library it comes from."""
    assert card.is_on_card(array) == on_card
