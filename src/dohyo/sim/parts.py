"""Parts of a piece of machine code: flat functions in LLVM's language, and no further; kept on disk.

Theory of operation
-------------------
Numba takes longer to find the types of functions and to translate them than LLVM takes for the machine code (7 of 12
seconds in aBOTcalypse). Each new loop over the same rules, with another policy say, would pay for that again.
So what a part became is kept as Numba keeps machine code, but as LLVM's bitcode, with all that it calls, in a folder
named by a digest of what it does (`dohyo.sim.compiled`). A part that leaves names open is not kept, nor one that
calls what is not kept; nor are those of a bot, whose cache is for itself alone.

Numba tells functions of one name apart by numbers, which another process gives to others, and LLVM takes functions of
one name for the same one. So a part that is kept bears its digest in its name; what is Numba's own in it is internal.

This module uses internal names of Numba. In a version without these names there is an exception (`whole_program`).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from dohyo.sim import by_hand
from dohyo.sim.compiled import DiskCache, Target, can_be_kept, forgiving, import_numba, is_seldom, options

VERSION = zlib.crc32(Path(__file__).read_bytes())  # of what is here: a part that was made by another is not used
MARK = "dohyo"  # what the names of kept parts bear, before their digest
MARKED = re.compile(rf"B{len(MARK) + 17}v{MARK}[0-9a-f]{{16}}")  # the same as Numba writes it, behind its length
IS_KEPT = "dohyo_part_is_kept"  # an attribute of functions that Numba compiles as parts
ADDRESS = "numba.dynamic.globals"  # how names of globals that hold an address begin
UNNEEDED = {
    "WithLifting",
    "InlineClosureLikes",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "NopythonRewrites",
    "AnnotateTypes",
    "DumpParforDiagnostics",
}  # passes of Numba's


@cache
def target_of_parts(*, are_kept: bool = True) -> Target:
    """What functions are compiled for that others call; whether they are kept on disk."""
    numba = import_numba()

    def make(function: FunctionType, kept: DiskCache, name: str) -> Any:
        found = by_hand.instead_of(function)
        if found is not None:
            return found
        called = function.__globals__.values()
        is_kept = can_be_kept(function, kept) and all(getattr(each, IS_KEPT, True) for each in called)
        made = numba.njit(function, pipeline_class=_pipeline(MARK + name if is_kept else ""), **options(function))
        if is_kept and hasattr(made, "enable_caching"):  # not where Numba is told to compile nothing
            made._cache = forgiving(_cache()(function), kept)
        setattr(made, IS_KEPT, is_kept)
        if any(map(by_hand.wants_literals, called)):
            setattr(made, by_hand.KEEPS, True)
        else:
            made.get_call_template = _for_any(made.get_call_template)
        return made

    name, config = ("parts", numba.config) if are_kept else ("parts that are not kept", None)
    return Target(name, f"{numba.__version__} {numba.config.OPT} part {VERSION}", config, make, is_part=True)


def _for_any(found: Callable[..., Any]) -> Callable[..., Any]:
    """A dispatcher's `get_call_template`, for which a constant is a whole number like others.

    Else Numba would compile a part again for each constant that is handed on to it. LLVM knows them anyway, where it
    puts the part in the place of its calls. Numbers keep their widths: loops over narrow ones are vectors of these.
    """
    from numba.core import types

    def any_number(kind: Any) -> Any:
        return types.int64 if isinstance(kind, types.IntegerLiteral) else kind

    return lambda args, kws: found(tuple(map(any_number, args)), {name: any_number(kws[name]) for name in kws})


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


@cache
def _library() -> Any:
    """The class of a part's library, which has no machine code; `read` makes one of what was kept."""
    from llvmlite import binding as llvm  # type: ignore[import-untyped]
    from numba.core.codegen import AOTCodeLibrary

    unused: Any = None
    with suppress(
        AttributeError
    ):  # before llvmlite 0.45; then a part is not kept if it has an address it never reads
        unused = llvm.create_new_module_pass_manager()
        unused.add_global_dead_code_eliminate_pass()

    class Part(AOTCodeLibrary):
        """What it calls is linked in, and left to whoever takes it in to be optimised."""

        def __init__(self, codegen: Any, name: str) -> None:
            above: Any = super()
            above.__init__(NoEngine(codegen), name)

        @classmethod
        def read(cls, codegen: Any, kept: tuple[str, bytes]) -> Any:
            name, bitcode = kept
            library: Any = cls(codegen, name)
            library._final_module = llvm.parse_bitcode(bitcode)
            library._finalize_final_module()
            return library

        def _optimize_final_module(self) -> None:
            """All of it is optimised once, in the end."""

        def get_pointer_to_function(self: Any, name: str) -> int:
            self._ensure_finalized()
            return 0  # there is no machine code

        def can_be_kept(self: Any) -> bool:
            """Whether nothing in it is an address in this process."""
            self._ensure_finalized()
            self._kept = module = self._final_module.clone()
            for function in module.functions:
                if not function.is_declaration and MARKED.search(function.name) is None:
                    function.linkage = "internal"  # its name has a number of this process
            if unused is not None:
                unused.run(module, self._codegen._pass_builder())
            return not any(each.name.startswith(ADDRESS) for each in module.global_variables)

        def serialize_using_object_code(self: Any) -> tuple[str, bytes]:
            """What is kept of it, where Numba would keep machine code."""
            return self.name, self._kept.as_bitcode()

    return Part


def _pipeline(name: str) -> Any:
    """The compiler of a part, into such a library, without wrappers; of a part that is kept, by this name."""
    from numba.core.compiler import Compiler

    library_of = _library()

    class Parts(Compiler):
        def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, *rest: Any) -> None:
            above: Any = super()
            above.__init__(typingctx, targetctx, library, args, *rest)
            self.state.flags.no_cpython_wrapper = True
            self.state.flags.no_cfunc_wrapper = True

        def compile_extra(self, func: Any) -> Any:
            above: Any = super()
            self.state.library = part = library_of(self.state.targetctx.codegen(), func.__qualname__)
            result = above.compile_extra(func)
            if is_seldom(func):
                part._final_module.get_function(result.fndesc.llvm_func_name).add_function_attribute("noinline")
            return result

        def define_pipelines(self) -> Any:
            above: Any = super()
            if name:
                self.state.func_id.unique_id = name
                self.state.func_id.unique_name = f"{self.state.func_id.func_qualname}${name}"
            return fewer_passes(above.define_pipelines(), self.state.func_id.code)

    return Parts


def fewer_passes(pipelines: list[Any], code: CodeType) -> list[Any]:
    """Numba's pipelines without the passes that find nothing to do in flat functions: these have no `with`, no
    literal loops and no arrays as a whole, and hardly ever functions inside, as a comprehension may be one."""
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        return pipelines
    for pipeline in pipelines:
        pipeline.passes = [each for each in pipeline.passes if each[0].__name__ not in UNNEEDED]
    return pipelines


@cache
def _cache() -> Any:
    """Numba's cache on disk, of libraries as they are here."""
    from numba.core.caching import CompileResultCacheImpl, FunctionCache
    from numba.core.compiler import CompileResult

    read = _library().read

    class OfParts:
        """Numba's context of a processor, with such libraries."""

        def __init__(self, context: Any) -> None:
            self._context = context

        def __getattr__(self, name: str) -> Any:
            return getattr(self._context, name)

        def codegen(self) -> Any:
            return self

        def unserialize_library(self, kept: tuple[str, bytes]) -> Any:
            return read(self._context.codegen(), kept)

    class Reader(CompileResultCacheImpl):
        def rebuild(self, target_context: Any, payload: Any) -> Any:
            results: Any = CompileResult
            return results._rebuild(OfParts(target_context), *payload)._replace(target_context=target_context)

        def check_cachable(self, cres: Any) -> bool:
            return bool(cres.library.can_be_kept())

    class Kept(FunctionCache):
        _impl_class = Reader

    return Kept
