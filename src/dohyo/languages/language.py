"""The columns of the table of languages: what is known about a language, and about one way to build and run it."""

from __future__ import annotations

from typing import Literal

import msgspec

from dohyo.languages.mentions import Mentions

Words = tuple[str, ...]

# How sources become a build plan: by the words of a way alone ("words"), or with a function of `dohyo.bots`:
# `projects.native_plan` finds the source with `main` and the headers, `java.java_plan` and `java.scala_plan` find the
# class to start, and so does `kotlin.kotlin_plan`; `csharp.csharp_plan` the project, `haskell.haskell_plan` the
# folders of modules, and `python2` the interpreter.
Builder = Literal[
    "words", "native", "java-class", "scala-object", "kotlin-main", "dotnet-project", "haskell-modules", "python"
]


class Way(msgspec.Struct, frozen=True):
    """One way to build and run a language.

    `tools` must all be on the PATH. `build` are command lines of which the first that succeeds counts; none for a
    language that runs from its source. `version` asks the first tool for its version. With `probe`, the way is usable
    only if that command ends with exit status 0. `also` are programs that the tools start. `object` compiles one
    source, `{main}`, to `{object}`, for a program in a language that takes this one's sources too.

    `debug`, `debug_object` and `debug_run` are the same as `build`, `object` and `run` for a debug build: with
    symbols, and all checks that the language has. Without `debug` a debug build is the ordinary one.
    """

    tools: Words
    run: Words
    build: tuple[Words, ...] = ()
    version: Words = ("--version",)
    probe: bool = False
    also: Words = ()
    object: Words = ()
    debug: tuple[Words, ...] = ()
    debug_object: Words = ()
    debug_run: Words = ()


class Project(msgspec.Struct, frozen=True):
    """A folder that says how it is built, in a file called `manifest`: with this tool, by these words.

    Both are empty if the manifest only names a source. `debug` are the words of a debug build. `install` says how to
    get the tool.
    """

    manifest: str
    tool: str = ""
    build: Words = ()
    install: str = ""
    debug: Words = ()


class Home(msgspec.Struct, frozen=True):
    """An operator's environment variable that says where a language is installed, and the programs that read it.

    With `folder`, those programs lie in that folder of the installation, and are found there if the PATH has none.
    """

    variable: str
    programs: Words
    folder: str = ""


class Language(msgspec.Struct, frozen=True):
    """One language: a row of the table.

    Recognised by: `endings` of its sources, and the manifest of a `project`. `is_aside` says that it is not the bot's
    language if there is another one: a compiler's output, or scripts that start the rest. If `part_of` is present
    too, its sources count as sources of that language.

    Built by: the first of `ways` whose tools are here, with its `builder`. `whole` says that all sources of a folder
    are compiled together, with those in subfolders if it `is_deep`; otherwise the one with a name of `mains` is built
    or run, and loads the others itself. `names_all` says that every source that a single source names has to be given
    to the compiler. `stem` is a pattern for the names of sources that its compiler takes. `install` is an example: a
    command line, or the maker's site.

    What is none of the program: `tests` is a pattern of a line that only sources of tests have, `begins` of one with
    which a program begins, where several sources of a folder may have such a line (`patterns.py`).

    What belongs together: `mentions` find the files that a source names; `by_class`: the names are classes, found by
    Java's rules; `in_own_folder`: files that `b` names may be in the folder `b`. `headers` are endings of files that
    may have a source of the same name in the same folder.

    Started by: `interpreters` are the programs by whose names a command line is known for this language. `memory` are
    their options for a memory limit: `{all}` of it, and `{most}`, six tenths, in MiB. `settings` are names in /etc
    that its programs need, `*` for any ending; `home` says where it may be installed. `debug_settings` are variables
    with values that programs of debug builds get. `stack` says which builds print where they are when SIGABRT ends
    them, and `stack_settings` are the variables that they need for it.

    For messages: `flush`, the code that flushes an answer, `crash_forms`, the names of the forms of its crash reports
    (`crash_forms.py`), and `lacks`, a pattern by which its compiler names a module that is not there.
    """

    name: str
    endings: Words
    install: str
    ways: tuple[Way, ...]
    whole: bool = False
    mains: Words = ("main", "bot")
    builder: Builder = "words"
    project: Project | None = None
    is_aside: bool = False
    part_of: str = ""
    is_deep: bool = True
    names_all: bool = False
    stem: str = r"[A-Za-z][A-Za-z0-9_]*"
    tests: str = ""
    begins: str = ""
    mentions: tuple[Mentions, ...] = ()
    by_class: bool = False
    in_own_folder: bool = False
    headers: Words = ()
    interpreters: Words = ()
    memory: Words = ()
    settings: Words = ()
    home: Home | None = None
    debug_settings: tuple[tuple[str, str], ...] = ()
    stack: Literal["", "debug", "always"] = ""
    stack_settings: tuple[tuple[str, str], ...] = ()
    flush: str = ""
    crash_forms: Words = ()
    lacks: str = ""
