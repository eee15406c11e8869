"""Folders in Haskell, as Cabal and Stack have them, built by ghc alone."""

from __future__ import annotations

import pytest

from dohyo.core.errors import OperatorError
from tests import skips
from tests.bots.conftest import Resolve, Write, run

HASKELL = {
    "app/Main.hs": "module Main (main) where\nimport Game.See (see)\nmain :: IO ()\nmain = see",
    "src/Game/See.hs": "module Game.See (see) where\nimport Words\nsee = getLine >>= putStrLn . (seen ++)",
    "src/Words.hs": 'module Words where\nseen :: String\nseen = "seen "',
    "test/Spec.hs": "main :: IO ()\nmain = undefined",
}
LAMBDA = {  # which a manifest has to say, and another program, which is none of the bot
    "src/Words.hs": 'module Words where\nseen :: String\nseen = (\\case { () -> "seen " }) ()',
    "tools/Make.hs": "main :: IO ()\nmain = undefined",
}
CABAL = """
library
  hs-source-dirs: src
  exposed-modules: Words, Game.See
executable bot
  main-is: Main.hs
  hs-source-dirs: app
  default-extensions:
    TupleSections,
    LambdaCase
  build-depends: base
"""
HPACK = """
default-extensions:
- LambdaCase
executables:
  bot:
    main: Main.hs
    source-dirs: app
"""


@pytest.mark.parametrize(
    "files",
    [HASKELL, {**HASKELL, **LAMBDA, "bot.cabal": CABAL}, {**HASKELL, **LAMBDA, "package.yaml": HPACK}],
    ids=" ".join,
)
def test_a_folder_of_modules(files: dict[str, str], write: Write, one: Resolve) -> None:
    """Modules are found in all folders, extensions are those of the manifest, and what tests the bot is left out."""
    skips.program("ghc")
    bot = one(write(files))
    assert (run(bot), bot.language) == ("seen hello", "haskell")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"app/Main.hs": "import Data.Nowhere\nmain = pure ()", "src/A.hs": "module A where"},
            "needs what is not there: Data.Nowhere;|lacks ghc",
        ),
        ({"a/Run.hs": "main = pure ()", "b/Start.hs": "main = pure ()"}, r"\(a/Run.hs, b/Start.hs\)"),
    ],
    ids=lambda value: "" if isinstance(value, str) else " ".join(value),
)
def test_what_cannot_be_told(files: dict[str, str], said: str, write: Write, one: Resolve) -> None:
    """A module that is not there is named, and so are two programs in one folder."""
    with pytest.raises(OperatorError, match=said):
        one(write(files))
