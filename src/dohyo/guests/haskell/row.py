"""The row of Haskell; `dohyo.languages.language` says what a column means."""

from __future__ import annotations

from dohyo.languages.language import Language
from dohyo.languages.mentions import mentioned
from dohyo.languages.table import compiled

_TESTS = r"^import[ \t]++(?:qualified[ \t]++)?Test\."
_MAIN = r"^main[ \t]*+(?:::|=)"
# What ghc says of modules that it does not find.
_LACKS = r"Could not (?:find|load) module\W{1,4}([A-Z][\w.']*+)"

HASKELL = Language(
    "haskell",
    (".hs",),
    "apt install ghc",
    # Without -threaded its programs need a timer that sends signals, which the sandbox refuses to bots.
    compiled("ghc", "-O2", "-threaded", "-v0", "-outputdir", "objects", "{modules}", "-o", "{program}", "{main}"),
    mains=("Main", "main", "bot"),
    builder="dohyo.guests.haskell.modules:haskell_plan",
    main="dohyo.guests.haskell.modules:main_of",
    mentions=(mentioned(r"^import[ \t]+(?:qualified[ \t]+)?([\w.]+)", ".hs"),),
    settings=("ghc",),
    flush="hFlush stdout",
    tests=_TESTS,
    begins=_MAIN,
    lacks=_LACKS,
)
