"""What commands share: how one is made, the options of several commands, how their words are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo.cli.layout import Grouped
from dohyo.core.errors import OperatorError
from dohyo.i18n import LANGUAGES, Speaker, languages
from dohyo.i18n.catalogue import is_known, of_locale

if TYPE_CHECKING:
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.sandbox import Sandbox
    from dohyo.series.request import ManyMatchesRequest

LONGEST_VALUE = 1 << 20  # characters of a file that is a setup's value
WIDEST = 112  # columns of a terminal that the help uses: longer lines are hard to read


def application(**settings: Any) -> typer.Typer:
    """A typer application in plain text, without frames, that does not change our tracebacks."""
    return typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
        **{"add_completion": False, "cls": Grouped, **settings},
    )


def command_of(app: typer.Typer) -> Any:
    """The application as a command that typer can run."""
    return typer.main.get_command(app)


# --- the language of messages: from `--lang`, otherwise `DOHYO_LANG`, otherwise the locale


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language for messages about a command line that may be wrong elsewhere."""
    return asked_language(arguments) or of_locale(environment)


def asked_language(arguments: Sequence[str]) -> str:
    """The language that these words ask for, also with one dash as other programs' words are; empty for none."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for at, word in enumerate(own):
        option, equals, asked = word.partition("=")
        if not equals:
            asked = own[at + 1] if at + 1 < len(own) else ""
        if option in ("--lang", "-lang") and is_known(asked):
            return asked
    return ""


def _resolve(context: typer.Context, value: str | None) -> str:
    """The language of this command: from its own `--lang`, from the one before its name, or from the locale."""
    if value is None and context.parent is not None:
        value = context.parent.params.get("lang")
    if value is None:
        return of_locale(os.environ)
    if not is_known(value):
        raise OperatorError("unknown-language", name=value, known=", ".join(languages()))
    return value


Language = Annotated[
    str | None,
    typer.Option("--lang", metavar="|".join(LANGUAGES), help="Language of messages.", callback=_resolve),
]


# --- the game: a command's first argument, which people often omit, or write after the bot


def find_game(command: str, word: str, behind: Sequence[str]) -> Game:
    """The game that `word` names, one that lies here too.

    Raises `OperatorError`, which names a game among the words `behind` it.
    """
    from dohyo import games
    from dohyo.match import own_games

    try:
        if "." in word:  # a name has none
            from dohyo.executors.refereed import game_of_word

            return game_of_word(word)
        return own_games.find(word)
    except OperatorError as error:
        if error.key != "unknown-game":
            raise
        known = games.all_games()
        for at, other in enumerate(behind):
            if other in known:
                rest = [*behind[:at], *behind[at + 1 :]]
                right = " ".join(["dohyo", command, other, word, *rest])
                raise OperatorError("game-behind", word=word, game=other, right=right) from error
        raise (missing_game(f"dohyo {command}", word) if os.path.exists(word) else None) or error from error


def missing_game(command: str, word: str) -> OperatorError | None:
    """The error for a command whose only argument is not a game: the game is missing, not a bot."""
    from dohyo import games

    try:
        games.find(word)
    except OperatorError as error:
        if error.key != "unknown-game" or error.message.values.get("nearest"):
            return error
        return OperatorError("game-missing", command=command, word=word, known=error.message.values["known"])
    return None


# --- what bots run in


def sandbox_for(sandbox: str, trust: bool, speaker: Speaker) -> Sandbox:
    """The requested sandbox; prints a warning if there is none and the bots may come from strangers."""
    from dohyo.sandbox import choose

    box = choose(sandbox)
    if box.is_none and not trust:
        sys.stderr.write(speaker.say("sandbox-none") + "\n")
        sys.stderr.flush()
    return box


# --- a match: clock, builds, setup


def read_clock_terms(game: Game, clock: str | float | None) -> dict[str, Any]:
    """The clock of many matches, as `clock` and `mode` of their terms.

    It counts `fair` time if the system can measure that, unless the operator says otherwise.
    """
    from dohyo.match.clocks import read_clock
    from dohyo.system.proc import fair_mode

    mode = fair_mode()
    return {"clock": None if clock is None else read_clock(game, clock, mode=mode), "mode": mode}


def terms_of(asked: ManyMatchesRequest, game: Game) -> dict[str, Any]:
    """What all matches of a comparison or a tuning are played on; seed and seats are the command's matter."""
    more = {"sandbox": asked.sandbox, "restart": asked.restart, "pondering": asked.pondering}
    return {"setup": dict(asked.setup), **read_clock_terms(game, asked.clock), **more}


def is_debug(build: str | None, clock: object, speaker: Speaker) -> bool:
    """Whether debug builds are asked for; tells of their slower clock where no `clock` is given."""
    if build is not None and clock is None:
        typer.echo(speaker.say("build-debug-slower"), err=True)
    return build is not None


def read_setup(words: Sequence[str]) -> dict[str, str]:
    """What was typed as KEY=VALUE; the value @FILE is what the file holds."""
    setup: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise OperatorError("setup-not-key-value", given=word)
        if key in setup:
            raise OperatorError("setup-twice", key=key)
        setup[key] = _of_file(value) if value.startswith("@") else value
    return setup


def _of_file(value: str) -> str:
    """What a file holds that the operator names as @FILE: text, and not too much. Raises `OperatorError`."""
    import io

    from dohyo.system.plain_files import open_plain

    path = os.path.expanduser(value[1:])
    try:
        with io.TextIOWrapper(open_plain(path, typed=True), encoding="utf-8") as file:
            text = file.read(LONGEST_VALUE + 1)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = error if isinstance(error, OSError) else "UTF-8?"
        raise OperatorError("setup-file", path=value[1:], reason=reason) from error
    if len(text) > LONGEST_VALUE:
        raise OperatorError("setup-file-long", path=value[1:], most=LONGEST_VALUE >> 20)
    return text


# --- the files of a match: `--save` and `--html`


class Outputs:
    """A replay's file and its page, each only if it is asked for; `speaker` says the page, `seat` for whom it is.

    Unless by `force`, a replay replaces nothing but a replay, and a page nothing but a page. `written` are the files
    that are there.
    """

    def __init__(
        self, save: str | None, html: str | None, speaker: Speaker, force: bool = False, seat: int | None = None
    ) -> None:
        self.written: list[str] = []
        self._force = force
        self.save = save
        self.html = html
        self.speaker = speaker
        self.seat = seat
        self.kept = ""  # the word that means this match by now, `last` or `last-from`
        self.source = save  # the file that has the match, for who wants it analysed

    def check(self) -> None:
        """Raise `OperatorError` now for a place that could not be written to later."""
        if self.save is None and self.html is None:
            return
        from dohyo.cli.overwriting import check_outputs

        check_outputs((("--save", self.save), ("--html", self.html)), self._force)

    def write(self, replay: Replay, analysis: Sequence[dict[str, Any]] = ()) -> list[str]:
        """Write what was asked for, the page with the analysis (`dohyo.web.content`); the names of the files.

        Raises `OperatorError` at the first that cannot be written.
        """
        if self.save is not None:
            from dohyo.match.replays import replays

            replays.save(replay, self.save)
            self.written.append(self.save)
        if self.html is not None:
            from dohyo.core import notices
            from dohyo.match import files
            from dohyo.web import page
            from dohyo.web.content import beginning_of

            command = self._command() if self.seat is None else ""
            text = page.html(replay, self.speaker, analysis=analysis, seat=self.seat, command=command)
            files.write_whole(self.html, text.encode())
            self.written.append(self.html)
            if (shown := beginning_of(replay)) is not replay:
                notices.tell("page-cut", path=self.html, turns=shown.played, of=replay.played)
        return self.written

    def _command(self) -> str:
        """What makes the page with an analysis, typed in the folder where it is; empty without a file of the replay.

        The page may be given to others, with whom the word `last` means no match or another one.
        """
        from dohyo.match.command_lines import command

        replay, page = (os.path.basename(name) if name else "" for name in (self.source, self.html))
        return command("analyse", replay, "--html", page) if replay else ""
