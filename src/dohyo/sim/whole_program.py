"""Flat functions compiled together to one piece of machine code, for compiling ahead of time.

Theory of operation
-------------------
By default, Numba makes machine code for every called function, with a wrapper for calls from Python, and includes in
it everything that this function calls, again for each caller. Wondev Woman's search has eighty functions: half of its
compile time goes into code that nobody runs. Here a function that others call is a part: Numba finds its types and
translates it to LLVM's language, and no further. The outermost function is compiled as usual; its module includes the
parts, and LLVM optimises everything once.

Numba's own way to compile several functions into one library (`numba.pycc`) does this for a single function, but
compiles the functions that it calls as above. So this module uses internal names of Numba, for a library and a
compiler. In a version without these names there is an exception, and `dohyo.search.bot` compiles the usual way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import FunctionType
from typing import Any

from dohyo.sim.compiled import DiskCache, Function, Target, build_all, import_numba, options


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

    def make(function: FunctionType, kept: DiskCache) -> Any:
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
