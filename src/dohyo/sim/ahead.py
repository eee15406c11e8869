"""Flat functions compiled ahead of time: a file of machine code that needs neither Numba nor NumPy to be called.

Theory of operation
-------------------
For a signature, Numba produces an LLVM module with everything that the function calls. All but the function itself is
made internal, and what nobody calls is removed: so no reference to Python is left that a loader would have to
resolve. The rest becomes machine code for this processor, position-independent, as a shared library needs it. A
linker makes that library if there is one; otherwise LLVM loads the object file.

The functions keep Numba's calling convention, which `dohyo.system.native` knows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dohyo.system import allowance, search_path
from dohyo.system.native import BYTES, FLOAT, INT, NONE, RECORD, ROW, Call, array_kind

LINKERS = ("cc", "gcc", "clang")
LINK_WITHIN = 20.0  # processor seconds

# Only arrays that compiled code has allocated have a destructor, and flat functions allocate nothing.
NEVER_CALLED = "define void @NRT_MemInfo_call_dtor(ptr %0) {\n  ret void\n}\n"
C_LIBRARY = frozenset({"memcpy", "memmove", "memset", "exp", "log", "pow", "sin", "cos", "tan", "sqrt", "fmod"})


class Compiled(NamedTuple):
    """A function that Numba has compiled in this process, and the types of its arguments, Numba's own."""

    dispatcher: Any
    types: tuple[Any, ...]


def object_file(
    functions: Sequence[Compiled], also: Collection[str] = (), *, any_processor: bool = False
) -> tuple[bytes, list[Call]]:
    """An object file with these functions, and how each is called.

    `also` are functions of the C library that they may call beside those of `C_LIBRARY`. It is for this processor,
    or for any of its kind.

    Raises `TypeError` for arguments of other kinds, `ValueError` for code that would need something of Numba's when
    it runs, and for functions that were read from Numba's cache instead of compiled.
    """
    whole, calls = module_of(functions)
    return machine_code(whole, also, any_processor=any_processor), calls


def module_of(functions: Sequence[Compiled]) -> tuple[Any, list[Call]]:
    """The functions as one module of LLVM's, and how each is called. Raises what `object_file` raises."""
    from llvmlite import binding as llvm  # type: ignore[import-untyped]

    whole: Any = None
    calls = []
    for number, function in enumerate(functions):
        module, call = _one(llvm, function, f"dohyo_{number}")
        calls.append(call)
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    return whole, calls


def machine_code(whole: Any, also: Collection[str] = (), *, any_processor: bool = False) -> bytes:
    """A module's object file; arguments as for `object_file`, and it raises `ValueError` as that does."""
    from llvmlite import binding as llvm

    target = llvm.Target.from_default_triple().create_target_machine(
        cpu="" if any_processor else llvm.get_host_cpu_name(),
        features="" if any_processor else llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="default",
    )
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(whole, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))
    allowed = C_LIBRARY | frozenset(also)
    for function in whole.functions:
        if function.is_declaration and not function.name.startswith("llvm.") and function.name not in allowed:
            raise ValueError(f"compiled code calls {function.name}, which only Numba has")
    return target.emit_object(whole)  # type: ignore[no-any-return]


def add_callers(whole: Any, calls: Sequence[Call], listed: Mapping[str, bytes]) -> list[str]:
    """Add to a module, for each of its functions, one that takes all arguments in one row of words.

    That is `status function(words, result, error)`, and returns these functions' symbols. `listed` are constants to
    add, by symbol; each ends with a zero.
    """
    from llvmlite import binding as llvm

    texts = []
    for call in calls:
        takes = [str(argument.type) for argument in whole.get_function(call.symbol).arguments][2:]
        loads = [
            f"  %p{at} = getelementptr i64, ptr %words, i64 {at}\n  %a{at} = load {kind}, ptr %p{at}\n"
            for at, kind in enumerate(takes)
        ]
        given = ", ".join(["ptr %result", "ptr %error", *(f"{kind} %a{at}" for at, kind in enumerate(takes))])
        texts.append(
            f"declare i32 @{call.symbol}({', '.join(['ptr', 'ptr', *takes])})\n"
            f"define i32 @{call.symbol}_of_words(ptr %words, ptr %result, ptr %error) {{\n{''.join(loads)}"
            f"  %status = call i32 @{call.symbol}({given})\n  ret i32 %status\n}}\n"
        )
    for symbol, content in listed.items():
        text = "".join(f"\\{byte:02x}" for byte in content + b"\0")
        texts.append(f'@{symbol} = constant [{len(content) + 1} x i8] c"{text}"\n')
    whole.link_in(llvm.parse_assembly("".join(texts)))
    return [f"{call.symbol}_of_words" for call in calls]


def _one(llvm: Any, function: Compiled, symbol: str) -> tuple[Any, Call]:
    """A function's module with nothing to be seen from outside but the function, under its new name."""
    found = function.dispatcher.overloads[function.types]
    module = llvm.parse_assembly(found.library.get_llvm_str())
    name = found.fndesc.llvm_func_name
    try:
        module.get_function(name)
    except NameError as error:
        raise ValueError("it was read from a cache, not compiled") from error
    module.link_in(llvm.parse_assembly(NEVER_CALLED))
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration:
            part.linkage = "external" if part.name == name else "internal"
    module.get_function(name).name = symbol
    takes = (_kind(each) for of in function.types for each in fields_of(of))
    return module, Call(symbol, tuple(takes), _kind(found.signature.return_type))


def fields_of(of: Any) -> tuple[Any, ...]:
    """The types that an argument of this type is handed on as: those of a record's fields, or itself."""
    from numba.core import types

    return tuple(of.types) if isinstance(of, types.NamedTuple) else (of,)


def _kind(found: Any) -> str:
    """The kind of a type of Numba's."""
    from numba.core import types

    if isinstance(found, types.Array) and isinstance(found.dtype, types.Record) and found.ndim == 1:
        return ROW
    if isinstance(found, types.Array) and found.dtype == types.uint8 and found.ndim == 1:
        return BYTES
    if isinstance(found, types.Record):
        return RECORD
    if isinstance(found, types.Array) and found.layout == "C":
        import numba

        return array_kind(numba.np.numpy_support.as_dtype(found.dtype).str, found.ndim)
    for known, kind in ((types.int64, INT), (types.float64, FLOAT), (types.none, NONE)):
        if found == known:
            return kind
    raise TypeError(f"{found} is neither an array in one piece, a record nor a number")


def link(file: Path, library: Path) -> bool:
    """Make a shared library of an object file; whether there is a linker and it could."""
    import subprocess

    for name in LINKERS:
        found = search_path.which(name)
        if found is None:
            continue
        command = (found, "-shared", "-s", "-o", str(library.absolute()), str(file.absolute()), "-lm")
        try:
            done = allowance.run(
                command,
                LINK_WITHIN,
                cwd="/",
                env=search_path.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return True
    return False
