"""Which files a source in Scala names: by its imports, and by the names that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dohyo.languages.mentions import DEEPEST, LONGEST, parts_of

_IMPORT = r"^[ \t]*+import[ \t]++([\w.]++)(\{[^}\n]*+\})?"
_PACKAGE = r"^[ \t]*+package[ \t]++([\w.]++)"


def named_in_scala(text: str) -> Iterator[str]:
    """The files that a Scala source may mean: those that its imports name, relative to the folder in which its
    packages begin, and those in its folder that have a name that it uses."""
    packages = ".".join(re.findall(_PACKAGE, text, re.MULTILINE))[:LONGEST]
    own = parts_of(packages)[:DEEPEST]
    homes = ["", *("../" * depth for depth in range(1, len(own) + 1))]
    for found in re.finditer(_IMPORT, text, re.MULTILINE):
        parts = parts_of(found[1][:LONGEST])[:DEEPEST]
        last = re.findall(r"\w++", found[2] or "")
        named = [[*parts, name] for name in last] or [parts]
        for path in (each[:length] for each in named for length in range(len(each), 0, -1)):
            yield from (f"{home}{'/'.join(path)}.scala" for home in homes)
    for name in dict.fromkeys(re.findall(r"\b[A-Z]\w*+", text)):
        yield f"{name}.scala"
