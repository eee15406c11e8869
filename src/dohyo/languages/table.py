"""The one table of languages. `language.py` says what each column means.

A language may have several ways; the first whose tools are all on the PATH is taken.

Places in the words of a way, filled by `dohyo.bots.build_plan`:

    {source}            the main source in the copy of what was handed in, absolute
    {main} {stem}       the main source, and the same without its ending, relative to the build's folder
    {sources}           all sources, one word each, relative to the build's folder
    {includes}          C and C++: where headers are looked for, one word each
    {build} {program}   the build's folder, the program that the build makes there, absolute
    {ours}              the folder of what Dohyo adds to a language (`runtime/`)
    {python}            the bots' Python
    {object}            C: the object file that one source is compiled to, for a program in C++
    {bin}               Rust: the program of the package that is meant
    {package}           Go: the folder of the module with the program
    {sanitizers}        C and C++, in a debug build: the file with the sanitizers' settings

A word that is the name of one of the way's tools becomes that tool's absolute path.
"""

from __future__ import annotations

from dohyo.languages.language import Home, Language, Project, Way, Words

# --- ways that need more than a line, or that several rows share


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


# --- what a source says of itself

# No blank, which would part the places in crash reports; `-` and `@` begin no name.
_ANY_STEM = r"\w[\w.+-]*"

# Patterns by which a source says that it only tests the program: it needs a library that is on no machine which only
# plays. Strangers write what is searched: each pattern reads a text once, from the beginnings of lines.
_PYTHON_TESTS = r"^(?:import|from)[ \t]++(?:pytest|unittest|nose|hypothesis)\b"
_C_TESTS = (
    r"^[ \t]*+#[ \t]*+include[ \t]*+(?:[<\"](?:gtest|gmock|catch2|boost/test|cppunit|CppUTest|cxxtest|criterion|"
    r"UnitTest\+\+)/|[<\"](?:catch|catch_amalgamated|doctest|cmocka|CppUnitTest)\.h(?:pp)?[>\"]|<check\.h>)"
)
_SCRIPT_TESTS = (
    r"^(?:.*\b(?:require[ \t]*+\([ \t]*+|from[ \t]++))?(?:import[ \t]++)?['\"]"
    r"(?:mocha|chai|jest|@jest/globals|jasmine|tape|ava|vitest|node:test)['\"]|^describe[ \t]*+\("
)
_GO_TESTS = r"^//[ \t]*+(?:\+build|go:build)[ \t]++ignore\b|^(?:import[ \t]++|[ \t]++)\"testing\""
_RUBY_TESTS = r"^require[ (]*+['\"](?:minitest|test/unit|rspec)\b"
_SWIFT_TESTS = r"^(?:@testable[ \t]++)?import[ \t]++XCTest\b|^@testable[ \t]++import\b"
_DART_TESTS = r"^import[ \t]++['\"]package:(?:test|flutter_test)/"
# The same, where a program begins: the main one of several scripts, or of all sources of a folder.
_PYTHON_MAIN = r"^if[ \t\f]+__name__[ \t\f]*==[ \t\f]*['\"]__main__['\"]"
_GO_MAIN = r"^func[ \t]++main[ \t]*+\("
_D_MAIN = r"^[ \t]*+(?:void|int|auto)[ \t]++main[ \t]*+\("
_SWIFT_MAIN = r"^@main\b"
_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inl", ".ipp", ".tpp")

# --- the rows

LANGUAGES: tuple[Language, ...] = (
    Language(
        "python",
        (".py", ".pyw", ".pyz"),
        "apt install python3",
        # Python must not write files into the folder of the sources.
        (Way((), ("{python}", "-B", "{source}")),),
        mains=("main", "__main__", "bot"),
        builder="dohyo.bots.python_sources:python_plan",
        main_line=_PYTHON_MAIN,
        mentions=("python",),
        interpreters=("python",),
        stack="always",
        stack_settings=(("PYTHONFAULTHANDLER", "1"),),
        flush="print(answer, flush=True)",
        crash_forms=("python-stack", "python"),
        tests=_PYTHON_TESTS,
    ),
    Language(
        "c",
        (".c",),
        "apt install gcc",
        tuple(gnu(c, "gnu17", "gnu89") for c in ("gcc", "clang", "cc")),
        whole=True,
        builder="dohyo.bots.native:native_plan",
        part_of="c++",
        mentions=("included",),
        headers=_HEADERS,
        stem=_ANY_STEM,
        flush='printf("%s\\n", answer); fflush(stdout);',
        stack="debug",
        crash_forms=("sanitizer", "undefined", "assertion"),
        tests=_C_TESTS,
    ),
    Language(
        "c++",
        (".cpp", ".cc", ".cxx", ".c++", ".cp", ".C"),
        "apt install g++",
        tuple(gnu(c, "gnu++20", "gnu++17", "gnu++14", "gnu++2b") for c in ("g++", "clang++", "c++")),
        whole=True,
        builder="dohyo.bots.native:native_plan",
        mentions=("included",),
        headers=_HEADERS,
        stem=_ANY_STEM,
        flush="std::cout << answer << std::endl; (or fflush(stdout); after printf)",
        stack="debug",
        crash_forms=("sanitizer", "undefined", "assertion"),
        tests=_C_TESTS,
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
                ("node", DETECT, *GLOBALS, "{source}"),
                version=(DETECT, "--version"),
                probe=True,
            ),
            Way(("node",), (*NODE, "{source}")),
        ),
        mains=("index", "main", "bot"),
        project=Project("package.json", plan="dohyo.bots.node:node_plan", is_aside=True),
        mentions=("javascript",),
        interpreters=("node", "nodejs"),
        memory=("--max-old-space-size={most}",),
        flush="process.stdout.write(answer + '\\n')",
        crash_forms=("at", "node-syntax"),
        tests=_SCRIPT_TESTS,
    ),
    Language(
        "typescript",
        (".ts",),
        "npm install --global typescript",
        TYPESCRIPT,
        mains=("index", "main", "bot"),
        mentions=("typescript",),
        crash_forms=("at", "node-syntax"),
        tests=_SCRIPT_TESTS,
    ),
    Language(
        "rust",
        (".rs",),
        "apt install rustc cargo",
        (
            Way(
                ("rustc",),
                ("{program}",),
                tuple((*RUSTC, edition) for edition in EDITIONS),
                debug=tuple((*RUSTC_DEBUG, edition) for edition in EDITIONS),
            ),
        ),
        project=Project(
            "Cargo.toml",
            "cargo",
            ("cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target", "--bin", "{bin}"),
            "apt install cargo",
            ("cargo", "build", "--offline", "--quiet", "--target-dir", "target", "--bin", "{bin}"),
            "dohyo.bots.projects:cargo_plan",
        ),
        mentions=("rust_modules", "rust_included", "rust_paths"),
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
        compiled(
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
            ("go", "build", "-o", "{program}", "{package}"),
            debug=("go", "build", "-race", "-o", "{program}", "{package}"),
            plan="dohyo.bots.projects:go_plan",
        ),
        home=Home("GOROOT", ("go",)),
        debug_settings=(("GORACE", "halt_on_error=1"),),
        stack="always",
        flush="writer.Flush()",
        crash_forms=("go",),
        tests=_GO_TESTS,
        begins=_GO_MAIN,
    ),
    Language(
        "ruby",
        (".rb",),
        "apt install ruby",
        (script("ruby"),),
        mentions=("ruby",),
        interpreters=("ruby",),
        flush="$stdout.sync = true",
        crash_forms=("ruby",),
        tests=_RUBY_TESTS,
    ),
    Language(
        "perl",
        (".pl",),
        "apt install perl",
        (script("perl", version=("-e", "print $^V")),),
        interpreters=("perl",),
        flush="$| = 1;",
        crash_forms=("perl",),
    ),
    # PHP's warnings would otherwise be among the replies.
    Language(
        "php",
        (".php",),
        "apt install php-cli",
        (script("php", "-d", "display_errors=stderr"),),
        mains=("index", "main", "bot"),
        mentions=("php",),
        interpreters=("php",),
        settings=("php*",),
        flush="fflush(STDOUT);",
        crash_forms=("php",),
    ),
    Language(
        "lua",
        (".lua",),
        "apt install lua5.4",
        tuple(script(lua, version=("-v",)) for lua in ("lua", "lua5.4", "lua5.3", "luajit", "lua5.2", "lua5.1")),
        mentions=("lua",),
        settings=("lua*",),
        flush="io.stdout:flush()",
        crash_forms=("lua",),
    ),
    Language(
        "shell",
        (".sh", ".bash"),
        "apt install bash",
        (script("bash"), script("sh", version=())),
        mains=("main", "bot", "run"),
        is_aside=True,
    ),
    Language(
        "swift",
        (".swift",),
        "https://www.swift.org/install",
        compiled(
            *("swiftc", "-O", "-o", "{program}", "{sources}"),
            debug=(("swiftc", "-g", "-Onone", "-sanitize=address", "-o", "{program}", "{sources}"),),
        ),
        whole=True,
        flush="fflush(stdout)",
        tests=_SWIFT_TESTS,
        begins=_SWIFT_MAIN,
    ),
    Language(
        "zig",
        (".zig",),
        "https://ziglang.org/download",
        compiled(
            "zig",
            "build-exe",
            "-O",
            "ReleaseFast",
            "-femit-bin={program}",
            *ZIG_CACHE,
            "{main}",
            version=("version",),
            debug=(("zig", "build-exe", "-O", "Debug", "-femit-bin={program}", *ZIG_CACHE, "{main}"),),
        ),
        mentions=("zig",),
    ),
    Language(
        "d",
        (".d",),
        "apt install ldc",
        (
            *compiled(
                *("ldc2", "-O2", "-release", "-od=objects", "-of={program}", "{sources}"),
                debug=(("ldc2", "-g", "-od=objects", "-of={program}", "{sources}"),),
            ),
            *compiled(
                *("dmd", "-O", "-release", "-od=objects", "-of={program}", "{sources}"),
                debug=(("dmd", "-g", "-od=objects", "-of={program}", "{sources}"),),
            ),
            *compiled(
                *("gdc", "-O2", "-o", "{program}", "{sources}"),
                debug=(("gdc", "-g", "-o", "{program}", "{sources}"),),
            ),
        ),
        whole=True,
        names_all=True,
        mentions=("d",),
        settings=("ldc2.conf",),
        flush="stdout.flush();",
        begins=_D_MAIN,
    ),
    Language(
        "pascal",
        (".pas", ".pp", ".dpr"),
        "apt install fp-compiler",
        (
            Way(
                ("fpc",),
                ("{program}",),
                tuple((*FPC, *mode) for mode in FPC_MODES),
                ("-iV",),
                debug=tuple((*FPC, "-gl", "-Criot", "-Sa", *mode) for mode in FPC_MODES),
            ),
        ),
        mentions=("pascal",),
        settings=("fpc*",),
        flush="Flush(Output);",
    ),
    Language(
        "ocaml",
        (".ml",),
        "apt install ocaml-nox",
        (
            *compiled("ocamlfind", "ocamlopt", "-package", "unix,str", "-linkpkg", *OCAML),
            *compiled(
                "ocamlopt", "-I", "+unix", "-I", "+str", "unix.cmxa", "str.cmxa", *OCAML, version=("-version",)
            ),
        ),
        names_all=True,
        mentions=("ocaml",),
        settings=("ocamlfind.conf*",),
        flush="flush stdout",
    ),
    Language(
        "nim",
        (".nim",),
        "apt install nim",
        compiled(
            *("nim", "compile", "-d:release", "--hints:off", "--nimcache:nimcache", "-o:{program}", "{main}"),
            debug=(("nim", "compile", "--hints:off", "--nimcache:nimcache", "-o:{program}", "{main}"),),
        ),
        mentions=("nim",),
        flush="flushFile(stdout)",
    ),
    Language(
        "dart",
        (".dart",),
        "https://dart.dev/get-dart",
        compiled(
            *("dart", "compile", "exe", "-o", "{program}", "{main}"),
            debug=(("dart", "compile", "exe", "--enable-asserts", "-o", "{program}", "{main}"),),
        ),
        mentions=("dart",),
        tests=_DART_TESTS,
        home=Home("DART_SDK", ("dart",), "bin"),
        flush="await stdout.flush();",
    ),
    Language("julia", (".jl",), "https://julialang.org/downloads", (script("julia", "--startup-file=no"),)),
    Language(
        "r",
        (".r", ".R"),
        "apt install r-base-core",
        (script("Rscript"),),
        settings=("R",),
    ),
    Language(
        "fortran",
        (".f90", ".f95", ".f03", ".f08", ".f", ".for"),
        "apt install gfortran",
        compiled(
            *("gfortran", "-O2", "-o", "{program}", "{sources}"),
            debug=(("gfortran", "-g", "-O1", "-fcheck=all", "-fbacktrace", "-o", "{program}", "{sources}"),),
        ),
        names_all=True,
        mentions=("fortran_modules", "fortran_included"),
    ),
    Language("tcl", (".tcl",), "apt install tcl", (script("tclsh", version=()),)),
    Language(
        "lisp",
        (".lisp", ".lsp", ".cl"),
        "apt install sbcl",
        (script("sbcl", "--script"),),
        interpreters=("sbcl",),
        memory=("--dynamic-space-size", "{most}MB"),  # it reserves all of its space at once
    ),
    Language("scheme", (".scm",), "apt install guile-3.0", (script("guile", "--no-auto-compile"),)),
    Language(
        "racket",
        (".rkt",),
        "apt install racket",
        (script("racket"),),
        settings=("racket",),
    ),
)
