"""The one table of languages. `language.py` says what each column means.

A language may have several ways; the first whose tools are all on the PATH is taken.

Places in the words of a way, filled by `dohyo.bots.build_plan`:

    {source}            the main source in the copy of what was handed in, absolute
    {main} {stem}       the main source, and the same without its ending, relative to the build's folder
    {sources}           all sources, one word each, relative to the build's folder
    {includes}          C and C++: where headers are looked for, one word each
    {build} {program}   the build's folder, the program that the build makes there, absolute
    {class} {libraries} the class with `main`; the hand-in and its libraries, as a class path (Java, Scala)
    {ours}              the folder of what Dohyo adds to a language (`runtime/`)
    {python}            the bots' Python
    {project} {assembly} C#: the project's file, and the name of what it makes
    {object}            C: the object file that one source is compiled to, for a program in C++
    {bin}               Rust: the program of the package that is meant
    {sanitizers}        C and C++, in a debug build: the file with the sanitizers' settings

A word that is the name of one of the way's tools becomes that tool's absolute path.
"""

from __future__ import annotations

from dohyo.languages import mentions
from dohyo.languages.language import Home, Language, Project, Way, Words


def _compiled(*build: str, version: Words = ("--version",), debug: tuple[Words, ...] = ()) -> tuple[Way, ...]:
    return (Way((build[0],), ("{program}",), (build,), version, debug=debug),)


def _script(interpreter: str, *flags: str, version: Words = ("--version",)) -> Way:
    return Way((interpreter,), (interpreter, *flags, "{source}"), version=version)


# The newest standard first. An older program may use a name that is now in the library, or a keyword that the
# language has dropped: then one of the next standards builds it; C++23 comes last, because few programs need it.
def _gnu(compiler: str, *standards: str) -> Way:
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
_JVM = (
    *("-Xshare:auto", "-XX:+UseSerialGC", "-XX:-UsePerfData"),
    *("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8"),
)
# javac itself lives for a second: for it, the quick compiler alone halves the time (0.7 s to 0.3 s).
_JAVAC = (
    *("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData"),
    *("-encoding", "UTF-8", "-proc:none", "-nowarn"),
)
_JAVA_SOURCES = ("-cp", "{libraries}", "-sourcepath", "classes", "-d", "classes", "{sources}")
_JAVA = Way(
    ("javac", "java"),
    ("java", *_JVM, "-cp", "{build}/classes:{libraries}", "{class}"),
    ((*_JAVAC, *_JAVA_SOURCES),),
    ("-version",),
    debug=((*_JAVAC, "-g", *_JAVA_SOURCES),),
    debug_run=("java", "-enableassertions", *_JVM, "-cp", "{build}/classes:{libraries}", "{class}"),
)

# A bot's JavaScript may call readline() and print(), which contest sites define and Node does not.
_GLOBALS = ("--require", "{ours}/contest_globals.cjs")
_NODE = ("node", *_GLOBALS)
_DETECT = "--experimental-detect-module"

# tsc writes its JavaScript even if the types do not fit, and they never fit without the declarations of Node's types,
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

_DOTNET_OPTIONS = ("-o", "out", "--nologo", "-nodeReuse:false", "-v:quiet")
_DOTNET = Way(
    ("dotnet",),
    ("dotnet", "{build}/out/{assembly}.dll"),
    (("dotnet", "build", "{project}", "-c", "Release", *_DOTNET_OPTIONS),),
    probe=True,  # a runtime without the SDK does not report a version
    debug=(("dotnet", "build", "{project}", "-c", "Debug", *_DOTNET_OPTIONS),),
)
_MCS = ("mcs", "-nologo", "-optimize+", "-unsafe+")
_MCS_DEBUG = ("mcs", "-nologo", "-debug", "-checked+", "-unsafe+", "-d:DEBUG,TRACE")
_MONO = Way(
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

_RUSTC = ("rustc", "-O", "--crate-name", "bot", "-o", "{program}", "{main}", "--edition")
_RUSTC_DEBUG = ("rustc", "-g", "-Copt-level=1", "-Coverflow-checks=yes", "-Cdebug-assertions=yes", *_RUSTC[2:])
_EDITIONS = ("2021", "2024", "2018")
_FPC = ("fpc", "-O2", "-v0e", "-o{program}", "{main}")
_FPC_MODES: tuple[Words, ...] = ((), ("-Mobjfpc",), ("-Mdelphi",))
_OCAML = ("-w", "-a", "-o", "{program}", "{sources}")
_ZIG_CACHE = ("--cache-dir", "zig-cache", "--global-cache-dir", "zig-cache")

_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inl", ".ipp", ".tpp")

LANGUAGES: tuple[Language, ...] = (
    Language(
        "python",
        (".py", ".pyw", ".pyz"),
        "apt install python3",
        # Python must not write files into the folder of the sources.
        (Way((), ("{python}", "-B", "{source}")),),
        mains=("main", "__main__", "bot"),
        builder="python",
        mentions=(mentions.python,),
        interpreters=("python",),
        stack="always",
        stack_settings=(("PYTHONFAULTHANDLER", "1"),),
        flush="print(answer, flush=True)",
        crash_forms=("python-stack", "python"),
    ),
    Language(
        "c",
        (".c",),
        "apt install gcc",
        tuple(_gnu(c, "gnu17", "gnu89") for c in ("gcc", "clang", "cc")),
        whole=True,
        builder="native",
        part_of="c++",
        mentions=(mentions.included,),
        headers=_HEADERS,
        flush='printf("%s\\n", answer); fflush(stdout);',
        stack="debug",
        crash_forms=("sanitizer", "undefined", "assertion"),
    ),
    Language(
        "c++",
        (".cpp", ".cc", ".cxx", ".c++", ".cp", ".C"),
        "apt install g++",
        tuple(_gnu(c, "gnu++20", "gnu++17", "gnu++14", "gnu++2b") for c in ("g++", "clang++", "c++")),
        whole=True,
        builder="native",
        mentions=(mentions.included,),
        headers=_HEADERS,
        flush="std::cout << answer << std::endl; (or fflush(stdout); after printf)",
        stack="debug",
        crash_forms=("sanitizer", "undefined", "assertion"),
    ),
    Language(
        "java",
        (".java",),
        "apt install default-jdk-headless",
        (_JAVA,),
        whole=True,
        builder="java-class",
        names_all=True,
        by_class=True,
        interpreters=("java",),
        memory=("-XX:MaxRAM={all}m", "-XX:MaxRAMPercentage=60"),
        settings=("java-*",),
        home=Home("JAVA_HOME", ("java", "javac", "kotlinc", "scala", "scalac")),
        flush="System.out.flush();",
        crash_forms=("at",),
    ),
    Language(
        "javascript",
        (".js", ".mjs", ".cjs"),
        "apt install nodejs",
        (
            # Makes Node recognise an ES module in a .js file without a package.json in its folder: needed from Node
            # 20.10 on, the default from 22.7 on.
            Way(
                ("node",),
                ("node", _DETECT, *_GLOBALS, "{source}"),
                version=(_DETECT, "--version"),
                probe=True,
            ),
            Way(("node",), (*_NODE, "{source}")),
        ),
        mains=("index", "main", "bot"),
        project=Project("package.json"),
        mentions=(mentions.javascript,),
        interpreters=("node", "nodejs"),
        memory=("--max-old-space-size={most}",),
        flush="process.stdout.write(answer + '\\n')",
        crash_forms=("at", "node-syntax"),
    ),
    Language(
        "typescript",
        (".ts",),
        "npm install --global typescript",
        _TYPESCRIPT,
        mains=("index", "main", "bot"),
        mentions=(mentions.typescript,),
        crash_forms=("at", "node-syntax"),
    ),
    Language(
        "c#",
        (".cs",),
        "apt install mono-mcs mono-runtime",
        (_DOTNET, _MONO),
        whole=True,
        mains=("Program",),
        builder="dotnet-project",
        settings=("mono",),
        home=Home("DOTNET_ROOT", ("dotnet",)),
        flush="Console.Out.Flush();",
        crash_forms=("net",),
    ),
    Language(
        "rust",
        (".rs",),
        "apt install rustc cargo",
        (
            Way(
                ("rustc",),
                ("{program}",),
                tuple((*_RUSTC, edition) for edition in _EDITIONS),
                debug=tuple((*_RUSTC_DEBUG, edition) for edition in _EDITIONS),
            ),
        ),
        project=Project(
            "Cargo.toml",
            "cargo",
            ("cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target", "--bin", "{bin}"),
            "apt install cargo",
            ("cargo", "build", "--offline", "--quiet", "--target-dir", "target", "--bin", "{bin}"),
        ),
        mentions=mentions.RUST,
        in_own_folder=True,
        home=Home("RUSTUP_HOME", ("rustc", "cargo")),
        debug_settings=(("RUST_BACKTRACE", "1"),),
        flush="std::io::stdout().flush().unwrap();",
        crash_forms=("rust",),
    ),
    Language(
        "go",
        (".go",),
        "apt install golang-go",
        _compiled(
            *("go", "build", "-o", "{program}", "{sources}"),
            version=("version",),
            # The race detector needs a C compiler; without it at least debuggers see all variables.
            debug=(
                ("go", "build", "-race", "-o", "{program}", "{sources}"),
                ("go", "build", "-gcflags=all=-N -l", "-o", "{program}", "{sources}"),
            ),
        ),
        whole=True,
        is_deep=False,  # a folder is a package
        stem="[A-Za-z][A-Za-z0-9]*",  # Go gives names a meaning: `_test`, `_windows`
        project=Project(
            "go.mod",
            "go",
            ("go", "build", "-o", "{program}", "."),
            debug=("go", "build", "-race", "-o", "{program}", "."),
        ),
        home=Home("GOROOT", ("go",)),
        debug_settings=(("GORACE", "halt_on_error=1"),),
        stack="always",
        flush="writer.Flush()",
        crash_forms=("go",),
    ),
    Language(
        "ruby",
        (".rb",),
        "apt install ruby",
        (_script("ruby"),),
        mentions=(mentions.ruby,),
        interpreters=("ruby",),
        flush="$stdout.sync = true",
        crash_forms=("ruby",),
    ),
    Language(
        "perl",
        (".pl",),
        "apt install perl",
        (_script("perl", version=("-e", "print $^V")),),
        interpreters=("perl",),
        flush="$| = 1;",
        crash_forms=("perl",),
    ),
    # PHP's warnings would otherwise be among the replies.
    Language(
        "php",
        (".php",),
        "apt install php-cli",
        (_script("php", "-d", "display_errors=stderr"),),
        mains=("index", "main", "bot"),
        mentions=(mentions.php,),
        interpreters=("php",),
        settings=("php*",),
        flush="fflush(STDOUT);",
        crash_forms=("php",),
    ),
    Language(
        "lua",
        (".lua",),
        "apt install lua5.4",
        tuple(_script(lua, version=("-v",)) for lua in ("lua", "lua5.4", "lua5.3", "luajit", "lua5.2", "lua5.1")),
        mentions=(mentions.lua,),
        settings=("lua*",),
        flush="io.stdout:flush()",
        crash_forms=("lua",),
    ),
    Language(
        "shell",
        (".sh", ".bash"),
        "apt install bash",
        (_script("bash"), _script("sh", version=())),
        mains=("main", "bot", "run"),
        is_aside=True,
    ),
    Language(
        "haskell",
        (".hs",),
        "apt install ghc",
        # Without -threaded its programs need a timer that sends signals, which the sandbox refuses to bots.
        _compiled("ghc", "-O2", "-threaded", "-v0", "-outputdir", "objects", "-o", "{program}", "{main}"),
        mains=("Main", "main", "bot"),
        mentions=(mentions.haskell,),
        settings=("ghc",),
        flush="hFlush stdout",
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
        flush="System.out.flush()",
        crash_forms=("at",),
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
            # The script `scala` takes half a second to find Java; this command is used if its libraries are found.
            Way(
                ("scalac", "java"),
                ("java", *_JVM, "-cp", "{build}/bot.jar:{libraries}", "{class}"),
                (("scalac", "-nowarn", "-d", "bot.jar", "{sources}"),),
                ("-version",),
            ),
        ),
        whole=True,
        builder="scala-object",
        names_all=True,
        mentions=(mentions.scala,),
        flush="System.out.flush()",
        crash_forms=("at",),
    ),
    Language(
        "swift",
        (".swift",),
        "https://www.swift.org/install",
        _compiled(
            *("swiftc", "-O", "-o", "{program}", "{sources}"),
            debug=(("swiftc", "-g", "-Onone", "-sanitize=address", "-o", "{program}", "{sources}"),),
        ),
        whole=True,
        flush="fflush(stdout)",
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
            debug=(("zig", "build-exe", "-O", "Debug", "-femit-bin={program}", *_ZIG_CACHE, "{main}"),),
        ),
        mentions=(mentions.zig,),
    ),
    Language(
        "d",
        (".d",),
        "apt install ldc",
        (
            *_compiled(
                *("ldc2", "-O2", "-release", "-od=objects", "-of={program}", "{sources}"),
                debug=(("ldc2", "-g", "-od=objects", "-of={program}", "{sources}"),),
            ),
            *_compiled(
                *("dmd", "-O", "-release", "-od=objects", "-of={program}", "{sources}"),
                debug=(("dmd", "-g", "-od=objects", "-of={program}", "{sources}"),),
            ),
            *_compiled(
                *("gdc", "-O2", "-o", "{program}", "{sources}"),
                debug=(("gdc", "-g", "-o", "{program}", "{sources}"),),
            ),
        ),
        whole=True,
        names_all=True,
        mentions=(mentions.d,),
        settings=("ldc2.conf",),
        flush="stdout.flush();",
    ),
    Language(
        "pascal",
        (".pas", ".pp", ".dpr"),
        "apt install fp-compiler",
        (
            Way(
                ("fpc",),
                ("{program}",),
                tuple((*_FPC, *mode) for mode in _FPC_MODES),
                ("-iV",),
                debug=tuple((*_FPC, "-gl", "-Criot", "-Sa", *mode) for mode in _FPC_MODES),
            ),
        ),
        mentions=(mentions.pascal,),
        settings=("fpc*",),
        flush="Flush(Output);",
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
        names_all=True,
        mentions=(mentions.ocaml,),
        settings=("ocamlfind.conf*",),
        flush="flush stdout",
    ),
    Language(
        "nim",
        (".nim",),
        "apt install nim",
        _compiled(
            *("nim", "compile", "-d:release", "--hints:off", "--nimcache:nimcache", "-o:{program}", "{main}"),
            debug=(("nim", "compile", "--hints:off", "--nimcache:nimcache", "-o:{program}", "{main}"),),
        ),
        mentions=(mentions.nim,),
        flush="flushFile(stdout)",
    ),
    Language("julia", (".jl",), "https://julialang.org/downloads", (_script("julia", "--startup-file=no"),)),
    Language(
        "r",
        (".r", ".R"),
        "apt install r-base-core",
        (_script("Rscript"),),
        settings=("R",),
    ),
    Language(
        "fortran",
        (".f90", ".f95", ".f03", ".f08", ".f", ".for"),
        "apt install gfortran",
        _compiled(
            *("gfortran", "-O2", "-o", "{program}", "{sources}"),
            debug=(("gfortran", "-g", "-O1", "-fcheck=all", "-fbacktrace", "-o", "{program}", "{sources}"),),
        ),
        names_all=True,
        mentions=mentions.FORTRAN,
    ),
    Language("tcl", (".tcl",), "apt install tcl", (_script("tclsh", version=()),)),
    Language(
        "lisp",
        (".lisp", ".lsp", ".cl"),
        "apt install sbcl",
        (_script("sbcl", "--script"),),
        interpreters=("sbcl",),
        memory=("--dynamic-space-size", "{most}MB"),  # it reserves all of its space at once
    ),
    Language("scheme", (".scm",), "apt install guile-3.0", (_script("guile", "--no-auto-compile"),)),
    Language(
        "racket",
        (".rkt",),
        "apt install racket",
        (_script("racket"),),
        settings=("racket",),
    ),
    # Results of compilers on other machines, which run on any machine.
    Language(
        "java archive",
        (".jar",),
        "apt install default-jre-headless",
        (Way(("java",), ("java", *_JVM, "-jar", "{source}"), version=("-version",)),),
        is_aside=True,
    ),
    Language(
        ".net",
        (".exe",),
        "apt install mono-runtime",
        (Way(("mono",), ("mono", "{source}")),),
        is_aside=True,
    ),
)
