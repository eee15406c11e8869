"""Every language that a bot may be written in: the one table.

A row says which endings a language's sources have, what builds and what runs them, and what to install when none of
that is on the machine. A language may have several ways; the first whose tools are all on the PATH is taken.

Places in the words of a way, filled by `dohyo.bots.making`:

    {source}            the main source in the copy of what was handed in, absolute
    {main} {stem}       the main source, and the same without its ending, relative to the build's folder
    {sources}           all sources, one word each, relative to the build's folder
    {includes}          C and C++: where headers are looked for, one word each
    {build} {program}   the build's folder, the program that the build makes there, absolute
    {class} {libraries} the class with `main`; the hand-in and its libraries, as a class path (Java, Scala)
    {ours}              the folder of what Dohyo adds to a language (`runtime/`)
    {python}            the bots' Python

A word that is the name of one of the way's tools becomes that tool's absolute path.
"""

from __future__ import annotations

import msgspec

from dohyo.bots.recipe import Words


class Way(msgspec.Struct, frozen=True):
    """One way to build and run a language.

    `tools` must all be on the PATH. `build` are command lines of which the first that succeeds counts; none for a
    language that runs from its source. `version` asks the first tool for its version. With `probe`, the way is
    usable only where that question is answered with exit status 0. `also` are programs that the tools start.
    """

    tools: Words
    run: Words
    build: tuple[Words, ...] = ()
    version: Words = ("--version",)
    probe: bool = False
    also: Words = ()


class Language(msgspec.Struct, frozen=True):
    """One language.

    `whole` says that all sources of a folder are compiled together; otherwise the one with a name of `mains` is
    built or run, and brings in the others itself. `install` is an example: a command line, or the maker's site.
    """

    name: str
    endings: Words
    install: str
    ways: tuple[Way, ...]
    whole: bool = False
    mains: Words = ("main", "bot")


def _compiled(*build: str, version: Words = ("--version",)) -> tuple[Way, ...]:
    return (Way((build[0],), ("{program}",), (build,), version),)


def _script(interpreter: str, *flags: str, version: Words = ("--version",)) -> Way:
    return Way((interpreter,), (interpreter, *flags, "{source}"), version=version)


# The newest standard first. An older program that uses a name which the library took since, or a keyword which the
# language dropped, builds with one of the next; C++23 comes last, because few programs need it.
def _gnu(compiler: str, *standards: str) -> Way:
    words = ("{includes}", "-o", "{program}", "{sources}", "-lm", "-pthread")
    builds = tuple((compiler, "-O2", f"-std={standard}", *words) for standard in standards)
    return Way((compiler,), ("{program}",), builds)


# A bot should start fast and think fast. The serial collector starts fewer threads and does not compete with the bot
# for the cores, and no file is left in /tmp. The tiered compilers stay as they are: TieredStopAtLevel=1, often
# recommended for a quick start, saved nothing of the 30 ms when measured, and would hold back for a whole match what
# the optimising compiler gains in a bot that searches.
# Texts are UTF-8 whatever the operator's locale: replies are compared byte by byte.
_JVM = (
    *("-Xshare:auto", "-XX:+UseSerialGC", "-XX:-UsePerfData"),
    *("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8"),
)
# javac itself lives for a second: there the quick compiler alone halves the time (0.7 s to 0.3 s).
_JAVAC = (
    *("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData"),
    *("-encoding", "UTF-8", "-proc:none", "-nowarn"),
)
_JAVA = Way(
    ("javac", "java"),
    ("java", *_JVM, "-cp", "{build}/classes:{libraries}", "{class}"),
    ((*_JAVAC, "-cp", "{libraries}", "-sourcepath", "classes", "-d", "classes", "{sources}"),),
    ("-version",),
)

# A bot's JavaScript may call readline() and print(), which contest sites define and Node does not.
_GLOBALS = ("--require", "{ours}/contest_globals.cjs")
_NODE = ("node", *_GLOBALS)
_DETECT = "--experimental-detect-module"

# tsc writes its JavaScript although the types do not fit, and they never do without the declarations of Node's types,
# which nobody hands in. Only what cannot be parsed (errors 1000 to 1999) is refused.
_TSC = """stem=$1; shift; said=$("$@"); [ -z "$said" ] || printf '%s\\n' "$said"
case $said in *"error TS1"[0-9][0-9][0-9]:*) exit 1;; esac
[ -s "js/$stem.js" ]"""
_TYPESCRIPT = (
    Way(
        ("tsc", "node"),
        (*_NODE, "{build}/js/{stem}.js"),
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
        (*_NODE, "{build}/js/{stem}.js"),
        (("esbuild", "{main}", "--bundle", "--platform=node", "--log-level=warning", "--outfile=js/{stem}.js"),),
    ),
    Way(("deno",), ("deno", "run", "--quiet", "--allow-all", *_GLOBALS, "{source}")),
    Way(("bun",), ("bun", "run", "--preload", _GLOBALS[1], "{source}")),
    # From Node 22.6 on; an older one refuses the option.
    Way(
        ("node",),
        ("node", "--experimental-strip-types", *_GLOBALS, "{source}"),
        version=("--experimental-strip-types", "--version"),
        probe=True,
    ),
)

_DOTNET = Way(
    ("dotnet",),
    ("dotnet", "{build}/out/{assembly}.dll"),
    (("dotnet", "build", "{project}", "-c", "Release", "-o", "out", "--nologo", "-nodeReuse:false", "-v:quiet"),),
    probe=True,  # a runtime without the SDK has no version to tell
)
_MCS = ("mcs", "-nologo", "-optimize+", "-unsafe+")
_MONO = Way(
    ("mcs", "mono"),
    ("mono", "{program}.exe"),
    (
        (*_MCS, "-r:System.Numerics", "-out:{program}.exe", "{sources}"),
        (*_MCS, "-out:{program}.exe", "{sources}"),  # where that library is not installed
    ),
)

_RUSTC = ("rustc", "-O", "--crate-name", "bot", "-o", "{program}", "{main}", "--edition")
_FPC = ("fpc", "-O2", "-v0e", "-o{program}", "{main}")
_OCAML = ("-w", "-a", "-o", "{program}", "{sources}")
_ZIG_CACHE = ("--cache-dir", "zig-cache", "--global-cache-dir", "zig-cache")

LANGUAGES: tuple[Language, ...] = (
    Language(
        "python",
        (".py", ".pyw", ".pyz"),
        "apt install python3",
        # Nothing is ever written beside the sources.
        (Way((), ("{python}", "-B", "{source}")),),
        mains=("main", "__main__", "bot"),
    ),
    Language("c", (".c",), "apt install gcc", tuple(_gnu(c, "gnu17", "gnu89") for c in ("gcc", "clang", "cc")), True),
    Language(
        "c++",
        (".cpp", ".cc", ".cxx", ".c++", ".cp", ".C"),
        "apt install g++",
        tuple(_gnu(c, "gnu++20", "gnu++17", "gnu++14", "gnu++2b") for c in ("g++", "clang++", "c++")),
        whole=True,
    ),
    Language("java", (".java",), "apt install default-jdk-headless", (_JAVA,), whole=True),
    Language(
        "javascript",
        (".js", ".mjs", ".cjs"),
        "apt install nodejs",
        (
            # An ES module in a file that ends in .js and lies beside no package.json is taken for one: by this option
            # from Node 20.10 on, by itself from 22.7 on.
            Way(
                ("node",),
                ("node", _DETECT, *_GLOBALS, "{source}"),
                version=(_DETECT, "--version"),
                probe=True,
            ),
            Way(("node",), (*_NODE, "{source}")),
        ),
        mains=("index", "main", "bot"),
    ),
    Language("typescript", (".ts",), "npm install --global typescript", _TYPESCRIPT, mains=("index", "main", "bot")),
    Language("c#", (".cs",), "apt install mono-mcs mono-runtime", (_DOTNET, _MONO), whole=True, mains=("Program",)),
    Language(
        "rust",
        (".rs",),
        "apt install rustc cargo",
        (Way(("rustc",), ("{program}",), tuple((*_RUSTC, edition) for edition in ("2021", "2024", "2018"))),),
    ),
    Language(
        "go",
        (".go",),
        "apt install golang-go",
        _compiled("go", "build", "-o", "{program}", "{sources}", version=("version",)),
        whole=True,
    ),
    Language("ruby", (".rb",), "apt install ruby", (_script("ruby"),)),
    Language("perl", (".pl",), "apt install perl", (_script("perl", version=("-e", "print $^V")),)),
    # PHP's warnings would otherwise stand among the replies.
    Language(
        "php",
        (".php",),
        "apt install php-cli",
        (_script("php", "-d", "display_errors=stderr"),),
        mains=("index", "main", "bot"),
    ),
    Language(
        "lua",
        (".lua",),
        "apt install lua5.4",
        tuple(_script(lua, version=("-v",)) for lua in ("lua", "lua5.4", "lua5.3", "luajit", "lua5.2", "lua5.1")),
    ),
    Language(
        "shell",
        (".sh", ".bash"),
        "apt install bash",
        (_script("bash"), _script("sh", version=())),
        mains=("main", "bot", "run"),
    ),
    Language(
        "haskell",
        (".hs",),
        "apt install ghc",
        # Without -threaded its programs want a timer that sends signals, which the sandbox refuses to bots.
        _compiled("ghc", "-O2", "-threaded", "-v0", "-outputdir", "objects", "-o", "{program}", "{main}"),
        mains=("Main", "main", "bot"),
    ),
    Language(
        "kotlin",
        (".kt",),
        "apt install kotlin",
        (
            Way(
                ("kotlinc", "java"),
                ("java", *_JVM, "-jar", "{build}/bot.jar"),
                (("kotlinc", "-nowarn", "{sources}", "-include-runtime", "-d", "bot.jar"),),
                ("-version",),
            ),
        ),
        whole=True,
    ),
    Language(
        "scala",
        (".scala",),
        "apt install scala",
        (
            Way(
                ("scalac", "scala"),
                ("scala", "-cp", "{build}/bot.jar", "{class}"),
                (("scalac", "-nowarn", "-d", "bot.jar", "{sources}"),),
                ("-version",),
                also=("java",),
            ),
            # The script of that name takes half a second to find Java; this one where its libraries are found.
            Way(
                ("scalac", "java"),
                ("java", *_JVM, "-cp", "{build}/bot.jar:{libraries}", "{class}"),
                (("scalac", "-nowarn", "-d", "bot.jar", "{sources}"),),
                ("-version",),
            ),
        ),
        whole=True,
    ),
    Language(
        "swift",
        (".swift",),
        "https://www.swift.org/install",
        _compiled("swiftc", "-O", "-o", "{program}", "{sources}"),
        whole=True,
    ),
    Language(
        "zig",
        (".zig",),
        "https://ziglang.org/download",
        _compiled(
            "zig",
            "build-exe",
            "-O",
            "ReleaseFast",
            "-femit-bin={program}",
            *_ZIG_CACHE,
            "{main}",
            version=("version",),
        ),
    ),
    Language(
        "d",
        (".d",),
        "apt install ldc",
        (
            *_compiled("ldc2", "-O2", "-release", "-od=objects", "-of={program}", "{sources}"),
            *_compiled("dmd", "-O", "-release", "-od=objects", "-of={program}", "{sources}"),
            *_compiled("gdc", "-O2", "-o", "{program}", "{sources}"),
        ),
        whole=True,
    ),
    Language(
        "pascal",
        (".pas", ".pp", ".dpr"),
        "apt install fp-compiler",
        (Way(("fpc",), ("{program}",), (_FPC, (*_FPC, "-Mobjfpc"), (*_FPC, "-Mdelphi")), ("-iV",)),),
    ),
    Language(
        "ocaml",
        (".ml",),
        "apt install ocaml-nox",
        (
            *_compiled("ocamlfind", "ocamlopt", "-package", "unix,str", "-linkpkg", *_OCAML),
            *_compiled(
                "ocamlopt", "-I", "+unix", "-I", "+str", "unix.cmxa", "str.cmxa", *_OCAML, version=("-version",)
            ),
        ),
    ),
    Language(
        "nim",
        (".nim",),
        "apt install nim",
        _compiled("nim", "compile", "-d:release", "--hints:off", "--nimcache:nimcache", "-o:{program}", "{main}"),
    ),
    Language("julia", (".jl",), "https://julialang.org/downloads", (_script("julia", "--startup-file=no"),)),
    Language("r", (".r", ".R"), "apt install r-base-core", (_script("Rscript"),)),
    Language(
        "fortran",
        (".f90", ".f95", ".f03", ".f08", ".f", ".for"),
        "apt install gfortran",
        _compiled("gfortran", "-O2", "-o", "{program}", "{sources}"),
    ),
    Language("tcl", (".tcl",), "apt install tcl", (_script("tclsh", version=()),)),
    Language("lisp", (".lisp", ".lsp", ".cl"), "apt install sbcl", (_script("sbcl", "--script"),)),
    Language("scheme", (".scm",), "apt install guile-3.0", (_script("guile", "--no-auto-compile"),)),
    Language("racket", (".rkt",), "apt install racket", (_script("racket"),)),
    # What compilers made elsewhere, and machines of any kind can run.
    Language(
        "java archive",
        (".jar",),
        "apt install default-jre-headless",
        (Way(("java",), ("java", *_JVM, "-jar", "{source}"), version=("-version",)),),
    ),
    Language(".net", (".exe",), "apt install mono-runtime", (Way(("mono",), ("mono", "{source}")),)),
)


def by_ending(name: str) -> Language | None:
    """The language of a file's name, by its ending; upper and lower case differ only where a language says so."""
    dot = name.rfind(".")
    ending = name[dot:] if dot > 0 else ""
    return _ENDINGS.get(ending) or _ENDINGS.get(ending.lower())


def by_name(name: str) -> Language:
    """The language called `name`; `KeyError` for one that is not in the table."""
    return _NAMES[name]


# Every program that a row names: of the operator's programs, a bot is shown these and no others.
TOOLS = frozenset(tool for language in LANGUAGES for way in language.ways for tool in way.tools) | {"cargo"}
SOURCE_ENDINGS = tuple(ending for language in LANGUAGES for ending in language.endings)

_ENDINGS = {ending: language for language in LANGUAGES for ending in language.endings}
_NAMES = {language.name: language for language in LANGUAGES}
