"""Flat functions compiled to one piece of machine code, and not each by itself: for what is compiled ahead of time.

Theory of operation
-------------------
Left to itself, Numba makes machine code of every function that another one calls, with a wrapper to call it from
Python, and of all that this one calls in turn, once more in each. Wondev Woman's search has eighty functions: that
is half of what it takes to compile it, for code that nobody runs. Here a function that others call is a part:
Numba works out its types and writes it down in LLVM's language, and there it stays. What calls them all is compiled
as always; its module takes the parts in, and LLVM works through all of it once.

Numba's own way of compiling several functions into one library (`numba.pycc`) does so for a single function, too, but
compiles what that one calls as above. So this hangs on a library and a compiler of Numba's by their inner names.
Where a version lacks these an exception tells, and `dohyo.search.bot` compiles the usual way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import FunctionType
from typing import Any

from dohyo.sim.compiled import Function, Kept, Target, build_all, import_numba, options


def compile_whole(function: Function, parts: Mapping[str, Function]) -> Any:
    """A flat function over names that its module leaves open, as `compile_over`; nothing is kept on disk.

    Raises what that raises, and anything at all where Numba's inner names are others.
    """
    numba = import_numba()
    (found,) = build_all(_target(), [function], parts, {}, "")
    return numba.njit(found.py_func, **options(function))


@cache
def _target() -> Target:
    numba = import_numba()
    pipeline = _pipeline()

    def make(function: FunctionType, kept: Kept) -> Any:
        return numba.njit(function, pipeline_class=pipeline, **options(function))

    return Target("parts", numba.__version__, None, make)


def _pipeline() -> Any:
    """A compiler of parts, as `numba.njit` takes it."""
    from numba.core.codegen import AOTCodeLibrary
    from numba.core.compiler import Compiler

    class NoEngine:
        """Numba's maker of machine code, with nothing going to the engine that runs it."""

        def __init__(self, codegen: Any) -> None:
            self._codegen = codegen

        def __getattr__(self, name: str) -> Any:
            return getattr(self._codegen, name)

        def _add_module(self, module: Any) -> None:
            """A part is in no engine."""

        def set_env(self, env_name: str, env: Any) -> None:
            """What Python would hand on to a part that it calls; it calls none."""

    class Part(AOTCodeLibrary):
        """A part's library: what it calls is linked in, and left to whoever takes it in to be optimised."""

        def _optimize_final_module(self) -> None:
            """All of it is optimised once, in the end."""

        def get_pointer_to_function(self: Any, name: str) -> int:
            self._ensure_finalized()
            return 0  # there is no machine code

    library_of: Any = Part

    class Parts(Compiler):
        """Numba's compiler, into such a library, without wrappers."""

        def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, *rest: Any) -> None:
            above: Any = super()
            above.__init__(typingctx, targetctx, library, args, *rest)
            self.state.flags.no_cpython_wrapper = True
            self.state.flags.no_cfunc_wrapper = True

        def compile_extra(self, func: Any) -> Any:
            above: Any = super()
            self.state.library = library_of(NoEngine(self.state.targetctx.codegen()), func.__qualname__)
            return above.compile_extra(func)

    return Parts
