"""What docs/simulation.md shows works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from dohyo.sim import BatchMatch


def test_the_examples_of_the_page_run(root: Path, tmp_path: Path) -> None:
    """Every block of Python on the page runs by itself, and its arrays have the shapes that it says."""
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs" / "simulation.md").read_text(), re.DOTALL)
    assert len(blocks) == 2
    for number, block in enumerate(blocks):
        file = tmp_path / f"block_{number}.py"  # compiled functions have a file
        file.write_text(block.replace("rollout(1000", "rollout(10"))
        names: dict[str, object] = {"__name__": f"block_{number}"}
        exec(compile(file.read_text(), str(file), "exec"), names)
        batch = names["batch"]
        assert isinstance(batch, BatchMatch)
        for name, shape in re.findall(r"(?m)^(\w+) = batch.*# (\(256, [\d, ]+\))", block):
            assert str(getattr(names[name], "shape", None)) == shape
