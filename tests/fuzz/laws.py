"""The law of every reader of what strangers write, and how it is held: small by default, for long with `--full`.

Whatever the bytes are, and however a good file was changed: it is read, or refused by one `OperatorError`, whose
sentence can be said; nothing else is raised, and what is read takes no more memory than it may.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import hypothesis
from hypothesis import HealthCheck
from hypothesis import strategies as st

from dohyo.core.errors import OperatorError
from dohyo.i18n import LANGUAGES, Speaker

SMALL = 15  # examples of a test in an ordinary run
AT_ONCE = 500  # examples between two looks at the clock, with `--full`
SHARE = 400.0  # seconds of each of the nine tests with `--full`: an hour in all
LONGEST = 20_000  # characters of a sentence
MEMORY = 2 << 30  # bytes that a reader may take beyond what this process has

# What JSON, TOML and columns may hold, and what programs stumble over.
NUMBERS = (
    st.integers(-3, 12)
    | st.integers()
    | st.sampled_from([2**31, 2**32, -(2**31) - 1, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**30, 10**400, -(10**400)])
)
REALS = st.floats() | st.sampled_from([0.0, -0.0, -1.0, 1e300, -1e300, 5e-324, float("inf"), float("nan")])
TEXTS = (
    st.text(max_size=12)
    | st.sampled_from(["", "\0", "..", "/", "../../x", "-", "\x1b]0;x\x07", "a\nb", "'", "{0}", "[red]", "\ufeff"])
    | st.sampled_from(["1,2", "0,0,0,0", "nan", "1e999", "-1", "none"])
    | st.sampled_from(["9", "x", "\U0001f600"]).map(lambda letter: letter * 5000)
)
ATOMS = st.none() | st.booleans() | NUMBERS | REALS | TEXTS


@st.composite
def nested(draw: st.DrawFn) -> Any:
    """Lists, or objects, in each other, to a depth that many readers do not survive."""
    value: Any = draw(ATOMS)
    as_list = draw(st.booleans())
    for _ in range(draw(st.sampled_from([1, 5, 40, 250]))):
        value = [value] if as_list else {"a": value}
    return value


VALUES = (
    ATOMS
    | st.recursive(
        ATOMS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=6,
    )
    | nested()
)


def hold(law: Callable[..., None], full: bool, small: int = SMALL, /, **strategies: st.SearchStrategy[Any]) -> None:
    """Hold a law for values of `strategies`: a `small` number, or with `full` as many as there is time for."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    settings = hypothesis.settings(max_examples=AT_ONCE if full else small, suppress_health_check=checks)
    end = monotonic() + SHARE
    while True:
        settings(hypothesis.given(**strategies)(law))()
        if not full or monotonic() > end:
            return


def reads_or_refuses(read: Callable[[], object]) -> None:
    """Read, or refuse to by a sentence in every language."""
    try:
        with bounded():
            read()
    except OperatorError as error:
        for language in LANGUAGES:
            sentence = error.say(Speaker(language))
            assert 0 < len(sentence) < LONGEST


@contextmanager
def bounded(most: int = MEMORY) -> Iterator[None]:
    """Let this process take no more memory than it has, and `most` bytes: beyond that it gets a MemoryError."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


@st.composite
def changed(draw: st.DrawFn, good: st.SearchStrategy[bytes]) -> bytes:
    """Bytes of a good file, a few of them changed, put in, or taken away; or no such thing at all."""
    content = bytearray(draw(good))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(content) - 1)))
        match draw(st.sampled_from(["change", "put", "cut", "copy", "end"])):
            case "change" if content:
                content[at] = draw(st.integers(0, 255))
            case "put":
                content[at:at] = draw(st.binary(min_size=1, max_size=8))
            case "cut":
                del content[at : at + draw(st.integers(1, 64))]
            case "copy":
                content[at:at] = content[at : at + draw(st.integers(1, 64))]
            case _:
                del content[at:]
    return draw(st.just(bytes(content)) | st.binary(max_size=200))
