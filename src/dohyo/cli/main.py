"""The command `dohyo`: its commands by name, and what is printed when something goes wrong.

Theory of operation
-------------------
A start loads only what it uses. This module imports little more than typer. The module of a command is imported when
that command is used, and imports what it needs for its work inside its functions. So every `--help` stays fast.

Every command ends in `run`, which returns the exit status: 0 for success; 1 if a bot misbehaved and the operator
asked for that status; 2 for a mistake of the operator, with one sentence; 128 + n for a signal. Anything else is a
defect of Dohyo and shows its traceback.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence
from functools import cache, partial
from types import TracebackType
from typing import Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from dohyo import __version__, clean
from dohyo.cli.layout import Grouped
from dohyo.cli.options import Language, application, command_of, language_of
from dohyo.cli.signals import Ended, exit_status, listen
from dohyo.core import notices
from dohyo.core.errors import BuildError, OperatorError
from dohyo.i18n import ENGLISH, LANGUAGES, Speaker
from dohyo.i18n.catalogue import broken
from dohyo.system import interpreter, search_path

# Our own: each is the module of its name in this package, with a typer application called `app`, and has its sentence
# in `listing.OURS`. Guests bring more.
OURS = ("cache", "check", "compare", "contest", "doctor", "games", "help", "play", "replay", "schema", "version")

COMPLETES = "_DOHYO_COMPLETE"  # typer's variable, by which a shell asks what may follow
SCREEN = "dohyo.terminal.screen"
CLOSED_PIPE = 128 + 13  # SIGPIPE, a name that Windows lacks
OUTPUT_FAILS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


class Commands(Grouped):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, as the help has them; those of `doors.Commands` are listed elsewhere."""
        return list(commands())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; none if there is none."""
        if cmd_name in OURS or cmd_name in commands():
            return _command(cmd_name, str(ctx.obj), COMPLETES in os.environ)
        if cmd_name not in more_commands():
            return None
        made = command_of(application_of(cmd_name, Speaker(str(ctx.obj))))
        return _in_language(made, cmd_name, ctx.obj)

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """What `dohyo` is, and where to look next."""
        super().format_help_text(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            from dohyo.cli.listing import where_to_look

            formatter.write_text(where_to_look(ctx.obj))

    def listed(self, context: Any) -> Any:
        """The commands that people are told of, in their groups; none is imported."""
        from dohyo.cli.listing import listed

        return listed(str(context.obj))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What a shell offers for the first word: the commands, of which none is imported, or options."""
        from dohyo.cli.completion import commands as offered

        if incomplete[:1] == "-":
            return super().shell_complete(ctx, incomplete)
        return offered((row for each in self.listed(ctx) for row in each.rows), incomplete)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; an unknown one is the operator's mistake."""
        if args[0] not in OURS and args[0] not in commands() and not args[0].startswith("-"):
            from dohyo.core.options import nearest

            known = [*commands(), *more_commands()]
            if args[0] not in known:
                raise OperatorError(
                    "unknown-command", name=args[0], nearest=nearest(args[0], known), known=", ".join(known)
                )
        return super().resolve_command(ctx, args)

    def make_context(self, *words: Any, **more: Any) -> Any:
        """Read the words, which may print the help or the version. Typer's own status for a closed pipe is 1."""
        try:
            return super().make_context(*words, **more)
        except BrokenPipeError as error:
            raise Ended(CLOSED_PIPE) from error

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Typer itself would not report which signal ended it, and would report a closed pipe."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except KeyboardInterrupt as interrupt:
            raise Ended(exit_status(interrupt)) from interrupt
        except BrokenPipeError as error:
            raise Ended(CLOSED_PIPE) from error


@cache
def commands() -> dict[str, str]:
    """Every command of `dohyo` that `--help` lists: its name, and its sentence there."""
    from dohyo.cli.listing import listed

    return {name: says for each in listed(LANGUAGES[0]) for name, says in each.rows}


@cache
def _command(name: str, language: str, completes: bool) -> Any:
    """A command of the table; made once, as a group makes all that is below it, which takes longer than most do."""
    command = command_of(application_of(name))
    if completes:
        from dohyo.cli.completion import taught

        taught(command)
    return _in_language(command, name, language)


def more_commands() -> list[str]:
    """The other ones, as the programs that games bring along; finding them takes time."""
    from dohyo.cli.guests import more

    return [name for name in more() if name not in commands()]


def application_of(name: str, speaker: Speaker = ENGLISH) -> typer.Typer:
    """What makes the command of that name, one of `commands` or of `more_commands`, whose help `speaker` says."""
    if name in OURS:
        found: typer.Typer = importlib.import_module(f"dohyo.cli.{name}").app
        return found
    from dohyo import doors
    from dohyo.cli.guests import below, more

    if name not in below(""):
        made: typer.Typer = doors.load(more()[name].app)(name, speaker)
        return made
    brought: typer.Typer = doors.load(below("")[name].app)
    return brought


@cache
def whole_command(language: str) -> Any:
    """The command `dohyo` itself."""
    return _in_language(command_of(app), "", language)


def _in_language(command: Any, path: str, language: str) -> Any:
    """The command, typed as `path`, with its help in that language."""
    if language == LANGUAGES[0]:
        return command
    from dohyo.cli.help_texts import translate

    return translate(command, path, language)


app = application(cls=Commands, add_completion=True)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"dohyo {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def dohyo(
    context: typer.Context,
    lang: Language = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Dohyo, the arena for programs that play games."""
    if context.invoked_subcommand is None:
        from dohyo.cli.help_lists import overview
        from dohyo.cli.listing import listed, told

        language = str(context.obj)
        typer.echo(overview(listed(language), context, partial(told, language=language)))


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line; the exit status."""
    language = language_of(arguments, os.environ)
    speaker = Speaker(language)
    if os.environ.get(COMPLETES):  # a shell wants to know what may follow
        from dohyo.cli.completion import answer

        answer(whole_command(language), language)
    try:
        if sys.platform == "win32":
            raise OperatorError("no-windows")
        _check_folders()
        if any(word.endswith("-completion") for word in arguments[:1]):
            importlib.import_module("dohyo.cli.completion").check_shell()
        command = whole_command(language)
        with notices.heard_by(lambda key, said: importlib.import_module(SCREEN).note(speaker.say(key, **said))):
            for path in broken(language) if language not in LANGUAGES else ():
                notices.tell("words-broken", path=path)
            _check_words(arguments)
            if asked := os.environ.get("DOHYO_LANG"):
                importlib.import_module("dohyo.cli.languages").check(asked, arguments)
            if interpreter.has_dropped():
                notices.tell("relative-python-path", example="PYTHONPATH=${PYTHONPATH:+$PYTHONPATH:}/x")
            status = command.main(args=list(arguments), prog_name="dohyo", standalone_mode=False, obj=language)
        return status if isinstance(status, int) else 0
    except OperatorError as error:
        log = clean.block(error.log.rstrip()) if isinstance(error, BuildError) else ""
        return _refuse(_with_command(error, arguments).say(speaker), log)
    except TyperException as error:
        from dohyo.cli.usage import complaint, understood

        return _refuse(complaint(error, understood(arguments, commands(), application_of), speaker))
    except (Ended, KeyboardInterrupt) as error:
        ended = error if isinstance(error, Ended) else Ended(exit_status(error))
        if ended.status != CLOSED_PIPE:
            typer.echo(ended.sentence or speaker.say("interrupted"), err=True)
        return ended.status
    except OSError as error:
        # The packages below name the file in their own sentences. Without a file, it is our own output.
        if error.filename is not None or error.errno not in OUTPUT_FAILS:
            raise
        return _refuse(speaker.say("cannot-print", reason=error))
    except Exception as error:
        from dohyo.one_file import of_a_game

        if (told := of_a_game(error)) is None:
            raise
        return _refuse(told.say(speaker))


def _with_command(error: OperatorError, arguments: Sequence[str]) -> OperatorError:
    """The error; where it proposes another contest, with the whole command for that."""
    if "another" not in error.message.values:
        return error
    from dohyo.series.another import with_command

    return with_command(error, list(arguments))


def _check_words(arguments: Sequence[str]) -> None:
    """Refuse an option that is the name of a file here: a shell inserts it for `*`, and a stranger may have named it.

    Words after `--` are not checked, nor are words after the first word of a command that is not listed: they may
    belong to a program.
    """
    words = list(arguments)
    words = words[: words.index("--")] if "--" in words else words
    own = 2 if words[:1] == ["--lang"] else 1 if words and words[0].startswith("--lang=") else 0
    typed = words[own : own + 1]
    if typed and typed[0] not in OURS and typed[0] not in commands():
        plain = [at for at, word in enumerate(words) if at > own and not word.startswith("-")]
        words = words[: plain[0]] if plain else words
    for word in words:
        if word.startswith("-") and len(word) > 1 and os.path.lexists(word):
            raise OperatorError("option-is-file", word=word)


def _check_folders() -> None:
    """Refuse a cache, or a game, that depends on the current folder: both run, and a hand-in may have such a name."""
    for variable, several in (("DOHYO_CACHE", False), ("DOHYO_GAMES", True)):
        value = os.environ.get(variable, "")
        for named in filter(None, value.split(os.pathsep) if several else [value]):
            if not os.path.isabs(os.path.expanduser(named)):
                raise OperatorError("relative-folder", variable=variable, path=named, absolute=os.path.abspath(named))


def _refuse(sentence: str, log: str = "") -> int:
    """Print what is wrong for the operator; the exit status for that."""
    typer.echo(f"{sentence}\n\n{log}" if log else sentence, err=True)
    return 2


def main() -> NoReturn:
    """The command `dohyo`, for the shell."""
    search_path.clean_environment()
    listen(lambda: f"{Speaker(language_of(sys.argv[1:], os.environ)).say('ended-at-once')}\n")
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # In an old encoding some characters of ours, or of a bot's, cannot be written.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.excepthook = _print_defect
    try:
        status = run(sys.argv[1:])
    except BrokenPipeError:  # nobody reads what is wrong, either
        status = CLOSED_PIPE
    if status == CLOSED_PIPE:
        _forget_output()
    sys.exit(status)


def _forget_output() -> None:
    """Let Python, which flushes at its end, not find the closed pipe again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(nowhere, stream.fileno())


def game_program() -> NoReturn:
    """A command of `dohyo` that is a program by itself, such as `arena`: the script's name says which one."""
    sys.argv.insert(1, os.path.splitext(os.path.basename(sys.argv[0]))[0])
    main()


def _print_defect(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """The traceback of a defect of ours, which may quote what strangers wrote."""
    import traceback

    sys.stderr.write(clean.block("".join(traceback.format_exception(kind, error, trace))))
