"""What `docs/learning.md` shows works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_the_examples_of_the_document_run(root: Path) -> None:
    """Every block of Python in the document runs by itself."""
    blocks = BLOCK.findall((root / "docs" / "learning.md").read_text())
    assert len(blocks) == 7
    for block in blocks:
        exec(compile(block, "docs/learning.md", "exec"), {})
