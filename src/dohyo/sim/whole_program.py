"""Flat functions compiled together to one piece of machine code: a batch's loops, and searches.

Theory of operation
-------------------
By default, Numba makes machine code for every called function, with a wrapper for calls from Python, and includes in
it everything that this function calls, again for each caller. Wondev Woman's search has eighty functions: half of its
compile time goes into code that nobody runs. Here a function that others call is a part: Numba finds its types and
translates it to LLVM's language, and no further. The outermost function is compiled as usual; its module includes the
parts, and LLVM optimises everything once. There the parts are made internal: nobody else calls them, so that LLVM may
put what is called in one place there, change what is handed on, and leave out what it has put elsewhere.

Numba's own way to compile several functions into one library (`numba.pycc`) does this for a single function, but
compiles the functions that it calls as above. So this module uses internal names of Numba, for a library and a
compiler. In a version without these names there is an exception; then a loop and `dohyo.search.bot` are
compiled the usual way, and a loop says so by a warning.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any, NamedTuple

from dohyo.core.policies import Field, ungraded
from dohyo.sim import patience
from dohyo.sim.compiled import (
    Function,
    build_all,
    compile_all,
    digest_over,
    foreign_function,
    import_numba,
    kept_whole,
    options,
)
from dohyo.sim.parts import fewer_passes, target_of_parts
from dohyo.sim.shipped_loops import NativeLoop, OtherTypeError, native_loop

MAX_TRIES = 8  # calls whose arguments differ in kind from those before; after so many Numba finds the types each time


def compile_whole(function: Function, parts: Mapping[str, Function], foreign: Mapping[str, str] | None = None) -> Any:
    """A flat function over names that its module leaves open, as `compile_all`; nothing is kept on disk.

    Raises what that raises, and anything at all where Numba's inner names are others.
    """
    numba = import_numba()
    given = {name: foreign_function(numba, name, types) for name, types in (foreign or {}).items()}
    (found,) = build_all(target_of_parts(are_kept=False), [function], parts, given, "")
    return numba.njit(found.py_func, pipeline_class=_pipeline_of_whole(), **options(function))


def compile_loops(
    functions: Sequence[Function],
    parts: Mapping[str, Function | int],
    before: Sequence[Function] = (),
    room: Sequence[Field] = (),
    *,
    apart: bool = False,
) -> list[CompiledLoop]:
    """Flat functions that Python calls, over names that their modules leave open; as `compile_all`, in half the time.

    `before` are those among the parts that leave names open themselves; `room` are fields that policies among them
    think in. Each function is kept on disk as one piece. `apart` promises that the arrays they are given lie apart:
    else they read a number from memory again after each one that is written to any other array.
    What ships with Dohyo as machine code is not compiled (`shipped_loops`).
    Raises `OperatorError` when Numba is needed and not installed, and `TypeError` when a flat function calls one that
    is not.
    """
    return [CompiledLoop([*before, function], parts, room, apart=apart) for function in functions]


class CompiledLoop:
    """One of them. It is machine code that ships, or compiled at its first call, for the types that it meets."""

    is_told = True  # whether somebody who waits for the compiler is told so

    together = 1  # of how many slots a span is best a multiple
    times_as_fast = 1  # as loops mostly are, by which spans are as long as it takes

    def __init__(
        self,
        functions: Sequence[Function],
        parts: Mapping[str, Function | int],
        room: Sequence[Field] = (),
        given: Mapping[str, Any] | None = None,
        told: str = "",
        *,
        apart: bool = False,
    ) -> None:
        """The last one of these functions, as it is now; `room` is what it wants of its scratch rows beside what
        all loops have. `given` is what Numba knows already, by name, and `told` distinguishes that from any other.
        `apart` is that of `compile_loops`.

        Raises what `compile_loops` raises.
        """
        self._functions, self._parts = functions, parts
        self._given, self._told, self._apart = given or {}, told, apart
        self.room = tuple(room)
        self._making = threading.Lock()
        self._made: Any = None
        self._whole: Any = None
        self._name: str | None = None  # what it is kept by, once it can be compiled
        self._version = ""
        self._failed: Exception | None = None
        self._native = None if RECORDED or self._given else native_loop(functions, parts)
        if self._native is None:
            self._prepare()

    def _prepare(self) -> None:
        """Make ready to compile it."""
        numba = import_numba()
        functions, parts = self._functions, self._parts
        self._version = f"{numba.__version__} {numba.config.OPT} whole, internal, any, {self._apart}{self._told}"
        self._name = name = digest_over(functions, parts, self._given, self._version)
        if numba.config.DISABLE_JIT:
            self._made = compile_all(functions, parts)[-1]
            return
        try:
            target = target_of_parts(are_kept=patience.IN_A_MATCH not in os.environ)
            function = build_all(target, functions, parts, self._given, self._told)[-1].py_func
            whole = _pipeline_of_whole(self._apart)
            if RECORDED:  # what is read from the disk has no code that could be stored elsewhere
                self._whole = numba.njit(function, pipeline_class=whole, **options(function))
            else:
                self._whole = kept_whole(function, name, whole)
        except Exception as error:  # another version of Numba could fail in any way; it is told at the first call
            self._failed = error

    def _of(self) -> str:
        """The policies and values among its parts that are nobody's usual ones: each is compiled for itself.

        A sample bot's policy is told by its file's name: the function is called the same in all of them.
        """
        own, told = ("dohyo.core.", "dohyo.sim.", "dohyo.search."), set()
        for name, part in self._parts.items():
            if name.startswith(("policy", "value")) and callable(part):
                package, _, module = (part := ungraded(part)).__module__.rpartition(".")
                if not part.__module__.startswith(own):
                    told.add(module if package.endswith(".bots") else part.__qualname__)
        return ", ".join(sorted(told))

    @property
    def has_changed(self) -> bool:
        """Whether its functions, or constants that they read, are now others than when it was made."""
        if self._name is None:
            return native_loop(self._functions, self._parts) is None
        return self._name != digest_over(self._functions, self._parts, self._given, self._version)

    @property
    def signatures(self) -> Any:
        """Numba's: the types that it was compiled for; one where it is machine code that ships."""
        if self._made is None:
            return [] if self._native is None else [self._native]
        return self._made.signatures

    def of_one_thread(self) -> Callable[..., Any]:
        """The same, to be called by one thread at a time, which is faster where arguments are as those before."""
        return _Direct(self, None if self._native is None or self._made is not None else self._native())

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        if self._made is None and self._native is not None:
            return self.of_one_thread()(*arguments)
        return self.compiled(*arguments)

    def compiled(self, *arguments: Any) -> Any:
        """Run it as Numba compiles it."""
        if self._made is None:
            with self._making:  # threads begin together, and one of them compiles
                if self._made is None:
                    self._made = self._compiled(arguments)
        return self._made(*arguments)

    def entry(self, arguments: Sequence[Any]) -> Any:
        """The machine code for arguments that it was compiled for; none where it is not compiled at all.

        It does not look at their types.
        """
        made = self._made
        if not hasattr(made, "overloads"):
            return None
        found = made.overloads.get(tuple(map(import_numba().typeof, arguments)))
        return None if found is None else found.entry_point

    def _compiled(self, arguments: Sequence[Any]) -> Any:
        """The function in one piece; where Numba's inner names are others, made of pieces, and that is told.

        Raises what Numba raises for a function that cannot be compiled for these arguments.
        """
        numba = import_numba()
        if self._native is not None and self._whole is None:
            self._prepare()
            if self._made is not None:
                return self._made
        types = tuple(map(numba.typeof, arguments))
        failed = self._failed
        if failed is None:
            try:
                with patience.told(self._of()) if self.is_told else nullcontext(), patience.uncollected():
                    self._whole.compile(types)
            except Exception as error:  # as above
                failed = error
            else:
                for record in RECORDED:
                    record.append(Recorded(self._functions, self._parts, self._whole, types))
                return self._whole
        made = compile_all(self._functions, self._parts)[-1]
        with patience.told(self._of()) if self.is_told else nullcontext():
            made.compile(types)  # raises what is wrong with the function itself
        name = self._functions[-1].__name__
        text = f"Numba {numba.__version__} cannot compile {name} in one piece; in parts it takes longer: {failed!r}"
        warnings.warn(text, RuntimeWarning, stacklevel=3)
        return made


class _Direct:
    """A loop: machine code that ships, until arguments come that it was not made for; then as Numba compiles it,
    called without Numba's search for the types where they are as they were before.

    Numba looks into a batch's arrays one by one at each call, which takes longer than a turn of one game.
    """

    def __init__(self, loop: CompiledLoop, native: NativeLoop | None) -> None:
        import numpy

        self._array: Any = numpy.ndarray
        self._loop, self._native = loop, native
        self._entry: Callable[..., Any] | None = None
        self._kinds: list[Any] = []
        self._kept: Sequence[Any] = ()  # the arguments that these kinds are of: a number of an object says what it
        self._tries = MAX_TRIES  # is only as long as the object is there

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        if self._native is not None:
            try:
                return self._native(*arguments)
            except OtherTypeError:
                self._native = None
        kinds = [self._kind(each) for each in arguments]
        if self._entry is not None and kinds == self._kinds:
            return self._entry(*arguments)
        result = self._loop.compiled(*arguments)
        if self._tries:
            self._tries -= 1
            self._kept = [None if type(each) is self._array else each for each in arguments]
            self._entry, self._kinds = self._loop.entry(arguments), kinds
        return result

    def _kind(self, argument: Any) -> Any:
        """What decides an argument's type; of a tuple of arrays its identity, as such a tuple never changes."""
        if type(argument) is self._array:
            return argument.dtype, argument.flags.num, argument.ndim
        return int if type(argument) is int else id(argument)


class Recorded(NamedTuple):
    """A loop that was compiled: its functions and parts, Numba's dispatcher, and the types of its arguments."""

    functions: Sequence[Function]
    parts: Mapping[str, Function | int]
    dispatcher: Any
    types: tuple[Any, ...]


RECORDED: list[list[Recorded]] = []  # the lists of those who note what is compiled: then nothing that ships is used


@contextmanager
def recording() -> Iterator[list[Recorded]]:
    """Note the loops that are made and compiled meanwhile."""
    found: list[Recorded] = []
    RECORDED.append(found)
    try:
        yield found
    finally:
        RECORDED.remove(found)


@cache
def _pipeline_of_whole(apart: bool = False) -> Any:
    """The compiler of a function that has all parts, as `numba.njit` takes it; `apart` is that of `compile_loops`."""
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

    class Whole(JITCodeLibrary):
        """A library in which everything that was linked in is internal when it is optimised."""

        def finalize(self: Any) -> None:
            self._own = {each.name for each in self._final_module.functions if not each.is_declaration}
            above: Any = super()
            above.finalize()

        def _optimize_final_module(self: Any) -> None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.name not in self._own:
                    function.linkage = "internal"
            above: Any = super()
            above._optimize_final_module()

    library_of: Any = Whole

    class Wholes(Compiler):
        """Numba's compiler, into such a library, which can be kept on disk."""

        def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, *rest: Any) -> None:
            above: Any = super()
            above.__init__(typingctx, targetctx, library, args, *rest)
            self.state.flags.noalias = apart

        def compile_extra(self, func: Any) -> Any:
            above: Any = super()
            self.state.library = library_of(self.state.targetctx.codegen(), func.__qualname__)
            self.state.library.enable_object_caching()
            return above.compile_extra(func)

        def define_pipelines(self) -> Any:
            above: Any = super()
            return fewer_passes(above.define_pipelines(), self.state.func_id.code)

    return Wholes
