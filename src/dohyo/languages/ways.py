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


# A bot should start fast and think fast. The serial collector starts fewer threads and does not compete with the bot
# for the cores, and no file is left in /tmp. The tiered compilers stay as they are: TieredStopAtLevel=1, often
# recommended for a quick start, saved nothing of the 30 ms when measured, and would lose, for the whole match, what
# the optimising compiler gains in a bot that searches. Texts are UTF-8 whatever the operator's locale: replies are
# compared byte by byte.
JVM = (
    *("-Xshare:auto", "-XX:+UseSerialGC", "-XX:-UsePerfData"),
    *("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8"),
)
# javac itself lives for a second: for it, the quick compiler alone halves the time (0.7 s to 0.3 s).
_JAVAC = (
    *("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData"),
    *("-encoding", "UTF-8", "-proc:none", "-nowarn"),
)
# Only what the program needs is compiled: `{sources}`, and what these name beside them. A class that was built before
# and lies in the folder is no use.
_JAVA_SOURCES = ("-cp", "{libraries}", "-sourcepath", ".", "-Xprefer:source", "-d", "classes", "{sources}")
JAVA = Way(
    ("javac", "java"),
    ("java", *JVM, "-cp", "{build}/classes:{libraries}", "{class}"),
    ((*_JAVAC, *_JAVA_SOURCES),),
    ("-version",),
    debug=((*_JAVAC, "-g", *_JAVA_SOURCES),),
    debug_run=("java", "-enableassertions", *JVM, "-cp", "{build}/classes:{libraries}", "{class}"),
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
                *(
                    "/bin/sh",
                    "-c",
                    _TSC,
                    "sh",
                    "{stem}",
                    "tsc",
                    "--outDir",
                    "js",
                    "--rootDir",
                    ".",
                    "--module",
                    "commonjs",
                ),
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

_DOTNET_OPTIONS = ("-o", "out", "--nologo", "-nodeReuse:false", "-v:quiet")
# An author's project may be for another .NET than this one's: then this one builds it for itself.
_FOR_THIS = "-p:TargetFramework={framework}"
_DOTNET_BUILD = ("dotnet", "build", "{project}", "-c")
DOTNET = Way(
    ("dotnet",),
    ("dotnet", "{build}/out/{assembly}.dll"),
    tuple((*_DOTNET_BUILD, "Release", *_DOTNET_OPTIONS, *more) for more in ((), (_FOR_THIS,))),
    probe=True,  # a runtime without the SDK does not report a version
    debug=tuple((*_DOTNET_BUILD, "Debug", *_DOTNET_OPTIONS, *more) for more in ((), (_FOR_THIS,))),
)
_MCS = ("mcs", "-nologo", "-optimize+", "-unsafe+")
_MCS_DEBUG = ("mcs", "-nologo", "-debug", "-checked+", "-unsafe+", "-d:DEBUG,TRACE")
MONO = Way(
    ("mcs", "mono"),
    ("mono", "{program}.exe"),
    (
        (*_MCS, "-r:System.Numerics", "-out:{program}.exe", "{sources}"),
        (*_MCS, "-out:{program}.exe", "{sources}"),  # if that library is not installed
    ),
    debug=(
        (*_MCS_DEBUG, "-r:System.Numerics", "-out:{program}.exe", "{sources}"),
        (*_MCS_DEBUG, "-out:{program}.exe", "{sources}"),
    ),
    debug_run=("mono", "--debug", "-O=-inline", "{program}.exe"),
)

RUSTC = ("rustc", "-O", "--crate-name", "bot", "-o", "{program}", "{main}", "--edition")
RUSTC_DEBUG = ("rustc", "-g", "-Copt-level=1", "-Coverflow-checks=yes", "-Cdebug-assertions=yes", *RUSTC[2:])
EDITIONS = ("2021", "2024", "2018")
FPC = ("fpc", "-O2", "-v0e", "-o{program}", "{main}")
FPC_MODES: tuple[Words, ...] = ((), ("-Mobjfpc",), ("-Mdelphi",))
OCAML = ("-w", "-a", "-o", "{program}", "{sources}")
ZIG_CACHE = ("--cache-dir", "zig-cache", "--global-cache-dir", "zig-cache")
