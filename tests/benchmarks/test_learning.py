"""The benchmark of learning: what the examples print is read, put beside its goal, and what is missing is named."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest

import dohyo.rl


def load(path: Path, name: str) -> ModuleType:
    """A file as a module of this name."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def learning(root: Path) -> Iterator[ModuleType]:
    """The benchmark, as a module."""
    yield load(root / "benchmarks" / "learning.py", "learning_benchmark")
    del sys.modules["learning_benchmark"]


@pytest.fixture
def told(learning: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[list[str]]]:
    """Examples that are not run: each prints the text for its file. Returns their words, as they are asked for."""

    def say(**texts: str) -> list[list[str]]:
        asked: list[list[str]] = []

        def ask(folder: Path, *words: str) -> tuple[str, float]:
            asked.append([folder.name, *words])
            key = next(key for key in texts if key in " ".join(words))
            return texts[key], 2.0

        monkeypatch.setattr(learning, "ask", ask)
        return asked

    return say


def typed(learning: ModuleType, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the benchmark prints."""
    before, sys.argv = sys.argv, ["learning.py", *words]
    try:
        learning.main()
    finally:
        sys.argv = before
    return capsys.readouterr().out


def test_what_an_example_prints_is_put_beside_its_goal(
    learning: ModuleType,
    told: Callable[..., list[list[str]]],
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The examples' own lines, as they print them: of both kinds a share with its interval."""
    zero = root / "examples" / "alpha_zero"
    monkeypatch.setattr(sys, "path", [str(zero / "zero"), *sys.path])
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    measure = load(zero / "measure.py", "measure_example")
    for module in ("network", "measure_example"):
        sys.modules.pop(module, None)
    lines = {}
    for name, results in (("good", [1.0] * 39 + [0.5]), ("bad", [1.0] * 20 + [0.0] * 20)):
        monkeypatch.setattr(measure, "measure", lambda *_, found=results: found)
        monkeypatch.setattr(measure, "load", lambda path: None)
        monkeypatch.setattr(sys, "argv", ["measure.py", "weights.npz"])
        measure.main()
        lines[name] = capsys.readouterr().out
    text = "won 3 of 4 matches against three random players, where 25 % would be even:\n"
    asked = told(measure=lines["good"], evaluate=f"{text}85.0%, 95 % interval 83.1% to 87.2%; mean score +0.7\n")
    out = typed(learning, capsys, "--only", "zero,trained")
    assert "zero_score=0.988  goal 0.95: reached  (800 playouts against UCT's 10000, 100 matches, 95 %" in out
    assert "trained_share=0.850  goal 0.85: reached  (95 % interval 83.1% to 87.2%; 2 s of processor time)" in out
    assert out.endswith("goals reached: 2 of 2\n")
    assert asked[0][2] == str(zero / "zero" / "weights.npz")
    asked = told(measure=lines["bad"], train="")
    out = typed(learning, capsys, "--only", "short", "--seconds", "7")
    assert "short_score=0.500  goal 0.95: not reached  (trained for 7 s; 800 playouts" in out
    assert "4 s of processor time" in out
    assert asked[0][3:] == ["--seconds", "7", "--every", "7"]
    assert asked[0][2] == asked[1][2]


def test_libraries_are_tried_where_they_are(
    learning: ModuleType,
    told: Callable[..., list[list[str]]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One score, or a first and a last one; who lacks something is named with it, and is in no count."""
    tail = "\n\ndef learn(size: int = 1) -> "
    for name, source in {
        "few": "import absent.one\nfrom missing import two\nimport json" + tail + "float:\n    return 0.0\n",
        "one": "import json" + tail + "float:\n    return 0.0\n",
        "pair": "import json" + tail + "tuple[float, float]:\n    return 0.0, 0.0\n",
        "policy": "import json" + tail + "PPO:\n    return PPO()\n",
    }.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.setattr(learning, "LIBRARIES", tmp_path)
    asked = told(one="some words\n0.75\n", pair="[-0.25, -0.2]\n")
    out = typed(learning, capsys, "--only", "libraries")
    assert f"few: not measured; not installed: absent, missing ({tmp_path.name}/few.py says how)\n" in out
    assert "one_score=0.750  goal 0.4: reached" in out
    assert "pair_gain=0.050  goal 0.1: not reached  (from -0.25 to -0.20;" in out
    assert out.endswith("goals reached: 1 of 2\n")
    assert len(asked) == 2


def test_the_learners_are_found(learning: ModuleType) -> None:
    """Among the examples for the field's libraries, with what they import."""
    found = {
        path.stem: learning.imported(path.read_text(encoding="utf-8"))
        for path in learning.LIBRARIES.glob("*.py")
        if learning.LEARNERS.search(path.read_text(encoding="utf-8"))
    }
    assert "sb3_contrib" in found["maskable_ppo"]
    assert "torch" in found["clean_ppo"]
    assert set(learning.SMALL) & set(found)


def test_steps_are_counted(learning: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions by the processor time of their steps; the first, which compiles, is in neither."""
    now = [0.0]

    class Slow:
        def __init__(self, name: str, count: int, **options: Any) -> None:
            self.mask, self.took = numpy.ones((count, 3), numpy.int8), iter([100.0, 0.5, 0.5, 0.5, 0.5])

        def reset(self, seed: int) -> Any:
            return None, {"action_mask": self.mask}

        def step(self, actions: Any) -> Any:
            assert actions.shape == self.mask.shape[:1]
            now[0] += next(self.took)
            return None, None, None, None, {"action_mask": self.mask}

    monkeypatch.setattr(dohyo.rl, "VectorEnv", Slow)
    monkeypatch.setattr(learning.time, "process_time", lambda: now[0])
    (found,) = learning.steps(["any"], 2.0)
    assert found.found == learning.GAMES_AT_ONCE * 2
    assert found.line() == "steps_a_second any=1,024  (one thread; 2 s of processor time)"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--only", "speed"], "--only takes zero"),
        (["--seconds", "0"], "above 0"),
        (["--weights", "no"], "is no file"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    learning: ModuleType, words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one sentence, before anything is measured."""
    with pytest.raises(SystemExit) as left:
        typed(learning, capsys, *words)
    assert left.value.code == 2
    assert named in capsys.readouterr().err
