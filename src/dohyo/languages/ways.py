"""Ways to build and run a language that need more than a line of the table; `table.py` says what `{places}` mean."""

from __future__ import annotations

from dohyo.languages.language import Way, Words


def compiled(*build: str, version: Words = ("--version",), debug: tuple[Words, ...] = ()) -> tuple[Way, ...]:
    return (Way((build[0],), ("{program}",), (build,), version, debug=debug),)


def script(interpreter: str, *flags: str, version: Words = ("--version",)) -> Way:
    return Way((interpreter,), (interpreter, *flags, "{source}"), version=version)


# The newest standard first. An older program may use a name that is now in the library, or a keyword that the
# language has dropped: then one of the next standards builds it; C++23 comes last, because few programs need it.
def gnu(compiler: str, *standards: str) -> Way:
    words = ("{includes}", "-o", "{program}", "{sources}", "-lm", "-pthread")
    builds = tuple((compiler, "-O2", f"-std={standard}", *words) for standard in standards)
    objects = (compiler, "-O2", f"-std={standards[0]}", "{includes}", "-pthread", "-c", "-o", "{object}", "{main}")
    checked = (compiler, *_CHECKED)
    return Way(
        (compiler,),
        ("{program}",),
        builds,
        object=objects,
        debug=tuple((*checked, f"-std={standard}", *words) for standard in standards),
        debug_object=(*checked, *objects[2:]),
    )


# A debug build: symbols for debuggers and reports, sanitizers for memory and undefined behaviour, whose first finding
# ends the program, and the checks of the C++ library (an index behind the end of a vector). object-size is left out:
# it would report first, and in fewer words, what the other sanitizer reports in full.
_CHECKED = (
    *("-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
    *("-fno-sanitize=object-size", "-D_GLIBCXX_ASSERTIONS", "-include", "{sanitizers}"),
)


# A bot's JavaScript may call readline() and print(), which contest sites define and Node does not.
GLOBALS = ("--require", "{ours}/contest_globals.cjs")
NODE = ("node", *GLOBALS)
DETECT = "--experimental-detect-module"
NODE_STARTERS = ("node", "nodejs", "ts-node", "tsx", "bun")  # what `npm start` may give a program to

# tsc writes its JavaScript even if the types do not fit, and they never fit without the declarations of Node's types,
# which nobody hands in. Only what cannot be parsed (errors 1000 to 1999) is refused.
# From version 6 on, it refuses to build a source beside settings that it is not told of.
_TSC = """stem=$1; shift; rm -f tsconfig.json; said=$("$@"); [ -z "$said" ] || printf '%s\\n' "$said"
case $said in *"error TS1"[0-9][0-9][0-9]:*) exit 1;; esac
[ -s "js/$stem.js" ]"""
# The same by the settings of a package, which say where its JavaScript goes.
_TSC_PROJECT = """made=$1; shift; said=$("$@"); [ -z "$said" ] || printf '%s\\n' "$said"
case $said in *"error TS1"[0-9][0-9][0-9]:*) exit 1;; esac
[ -s "$made" ] && exit; printf 'tsc made no %s: package.json and tsconfig.json do not fit.\\n' "$made"; exit 1"""
TSC_PROJECT = (
    *("/bin/sh", "-c", _TSC_PROJECT, "sh", "{made}", "tsc", "--project", "."),
    *("--noEmitOnError", "false", "--skipLibCheck"),
)
TYPESCRIPT = (
    Way(
        ("tsc", "node"),
        (*NODE, "{build}/js/{stem}.js"),
        (
            (
                *("/bin/sh", "-c", _TSC, "sh", "{stem}"),
                *("tsc", "--outDir", "js", "--rootDir", ".", "--module", "commonjs"),
                *("--target", "es2022", "--skipLibCheck", "--esModuleInterop", "{main}"),
            ),
        ),
    ),
    Way(
        ("esbuild", "node"),
        (*NODE, "{build}/js/{stem}.js"),
        (("esbuild", "{main}", "--bundle", "--platform=node", "--log-level=warning", "--outfile=js/{stem}.js"),),
    ),
    Way(("deno",), ("deno", "run", "--quiet", "--allow-all", *GLOBALS, "{source}")),
    Way(("bun",), ("bun", "run", "--preload", GLOBALS[1], "{source}")),
    # From Node 22.6 on; an older one refuses the option.
    Way(
        ("node",),
        ("node", "--experimental-strip-types", *GLOBALS, "{source}"),
        version=("--experimental-strip-types", "--version"),
        probe=True,
    ),
)

RUSTC = ("rustc", "-O", "--crate-name", "bot", "-o", "{program}", "{main}", "--edition")
RUSTC_DEBUG = ("rustc", "-g", "-Copt-level=1", "-Coverflow-checks=yes", "-Cdebug-assertions=yes", *RUSTC[2:])
EDITIONS = ("2021", "2024", "2018")
FPC = ("fpc", "-O2", "-v0e", "-o{program}", "{main}")
FPC_MODES: tuple[Words, ...] = ((), ("-Mobjfpc",), ("-Mdelphi",))
OCAML = ("-w", "-a", "-o", "{program}", "{sources}")
ZIG_CACHE = ("--cache-dir", "zig-cache", "--global-cache-dir", "zig-cache")
