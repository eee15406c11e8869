"""The columns of the table of languages: what is known about a language, and about one way to build and run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from dohyo.languages.crash_forms import Traceback
    from dohyo.languages.mentions import Mentions
else:  # what `help(Language)` reads; each module is loaded by those who need it
    Mentions = Traceback = object

Words = tuple[str, ...]


class Way(msgspec.Struct, frozen=True):
    """One way to build and run a language.

    `tools` must all be on the PATH. `build` are command lines of which the first that succeeds counts; none for a
    language that runs from its source. `version` asks the first tool for its version. With `probe`, the way is usable
    only if that command ends with exit status 0. `also` are programs that the tools start. `object` compiles one
    source, `{main}`, to `{object}`, for a program in a language that takes this one's sources too.

    `beside` are pairs of two of its tools: the first is taken from the folder of the second, where it lies there too.
    `installed` are patterns of files that programs need of the installation of the first tool, relative to the folder
    above the one in which that lies (`Tools.installed`).

    `debug`, `debug_object` and `debug_run` are the same as `build`, `object` and `run` for a debug build: with
    symbols, and all checks that the language has. Without `debug` a debug build is the ordinary one.
    """

    tools: Words
    run: Words
    build: tuple[Words, ...] = ()
    version: Words = ("--version",)
    probe: bool = False
    also: Words = ()
    beside: tuple[tuple[str, str], ...] = ()
    installed: Words = ()
    object: Words = ()
    debug: tuple[Words, ...] = ()
    debug_object: Words = ()
    debug_run: Words = ()


class Project(msgspec.Struct, frozen=True):
    """A folder that says how it is built, in a file called `manifest`: with this tool, by these words.

    Both are empty if the manifest only names a source. `debug` are the words of a debug build. `install` says how to
    get the tool. `plan` is a function `plan(spec, name, content, tools, language)`, named as those of a row: the
    `BuildPlan` of a folder, or None where its manifest says nothing of a program. A manifest that `is_aside` counts
    where no other one is.
    """

    manifest: str
    tool: str = ""
    build: Words = ()
    install: str = ""
    debug: Words = ()
    plan: str = ""
    is_aside: bool = False


class Home(msgspec.Struct, frozen=True):
    """An operator's environment variable that says where a language is installed, and the programs that read it.

    With `folder`, those programs lie in that folder of the installation, and are found there if the PATH has none.
    """

    variable: str
    programs: Words
    folder: str = ""


class Language(msgspec.Struct, frozen=True):
    """One language: a row of the table.

    Functions of a row are named as "package.module:function" and imported when they are called: in the process that
    reads hand-ins (`docs/security.md`), which sees the standard library, Dohyo, and the package that brings the row.

    Recognised by: `endings` of its sources, and the manifest of a `project`. `is_aside` says that it is not the bot's
    language if there is another one: a compiler's output, or scripts that start the rest. If `part_of` is present
    too, its sources count as sources of that language. Files with a name of `no_sources` are none.

    Built by: the first of `ways` whose tools are here. `whole` says that all sources of a folder are compiled
    together, with those in subfolders if it `is_deep`; otherwise the one with a name of `mains` is built or run, or
    the only one in which a line has the pattern `main_line`, and loads the others itself. `names_all` says that every
    source that a single source names has to be given to the compiler. `stem` is a pattern for the names of sources
    that its compiler takes. `reads_utf16` says that its compilers read that too. `install` is an example: a command
    line, or the maker's site.

    Built by rules that no column holds: `builder` is a function `builder(sources, tools, alone=...)`, the `BuildPlan`
    of `Sources`; `alone` says that one file was named, and is meant. Without a builder `build_plan.make` fills the
    words of the way. `main` is a function `main(content, language, spec)`: which file of a folder is the main source.

    What is none of the program: `tests` is a pattern of a line that only sources of tests have, `begins` of one with
    which a program begins, where several sources of a folder may have such a line.

    What belongs together: `mentions` find the files that a source names: functions from its text to paths, those of
    `mentions.py` by name. Or `beside` does, a function `beside(source, near)` from a path and what lies near it
    (`source_dependencies.Near`) to paths. `in_own_folder`: files that `b` names may be in the folder `b`. `headers`
    are endings of files that may have a source of the same name in the same folder. `keeps_folders` says that folders
    around its sources have a meaning, and wrap nothing.

    Started by: `interpreters` are the programs by whose names a command line is known for this language. `memory` are
    their options for a memory limit: `{all}` of it, and `{most}`, six tenths, in MiB. `settings` are names in /etc
    that its programs need, `*` for any ending; `home` says where it may be installed. `debug_settings` are variables
    with values that programs of debug builds get, `build_settings` those of its tools in a build. `stack` says which
    builds print where they are when SIGABRT ends them, and `stack_settings` are the variables that they need for it.
    What a guest's row says here is for bots that use one of its programs, and that none of our own rows names.

    For messages: `flush`, the code that flushes an answer, `crash_forms`, the forms of its crash reports (those of
    `crash_forms.py` by name), and `lacks`, a pattern by which its compiler names a module that is not there.
    """

    name: str
    endings: Words
    install: str
    ways: tuple[Way, ...]
    whole: bool = False
    mains: Words = ("main", "bot")
    builder: str = ""
    main: str = ""
    project: Project | None = None
    is_aside: bool = False
    part_of: str = ""
    no_sources: Words = ()
    main_line: str = ""
    is_deep: bool = True
    names_all: bool = False
    stem: str = r"[A-Za-z][A-Za-z0-9_]*"
    reads_utf16: bool = False
    tests: str = ""
    begins: str = ""
    mentions: tuple[str | Mentions, ...] = ()
    beside: str = ""
    in_own_folder: bool = False
    headers: Words = ()
    keeps_folders: bool = False
    interpreters: Words = ()
    memory: Words = ()
    settings: Words = ()
    home: Home | None = None
    debug_settings: tuple[tuple[str, str], ...] = ()
    build_settings: tuple[tuple[str, str], ...] = ()
    stack: Literal["", "debug", "always"] = ""
    stack_settings: tuple[tuple[str, str], ...] = ()
    flush: str = ""
    crash_forms: tuple[str | Traceback, ...] = ()
    lacks: str = ""

    @property
    def tools(self) -> frozenset[str]:
        """The operator's programs that build and run the language, as a bot sees them: found on the PATH by name."""
        tools = {tool for way in self.ways for tool in way.tools}
        return frozenset(tools | ({self.project.tool} if self.project and self.project.tool else set()))

    @property
    def programs(self) -> frozenset[str]:
        """All programs that the row names, but for those in command lines of a build: tools and interpreters."""
        also = {tool for way in self.ways for tool in way.also}
        return self.tools | also | set(self.interpreters)
