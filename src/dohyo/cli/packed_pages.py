"""Which pages come with an installation: read here, and by hatch_build.py, which packs them into a wheel.

It imports nothing, because a build has nothing of Dohyo's.
"""

from __future__ import annotations

PATTERNS = (  # the pages, and examples that are no more than a file or two
    "docs/*.md",
    "docs/how-to/*.md",
    "examples/*.py",
    "examples/*/README.md",
    "examples/python/*.py",
    "examples/train/libraries/*",
)
