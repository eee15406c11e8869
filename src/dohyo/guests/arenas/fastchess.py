"""The command line of fastchess and cutechess-cli, read as a contest or, with -sprt, as a comparison.

    -engine cmd=./a name=A -engine cmd=./b name=B -each st=0.1 -rounds 100 -repeat -concurrency 4

Where the two differ, fastchess counts. A word that means the same here is read, a word that does not is refused by
its name (`REFUSED`, `REFUSED_OF_ENGINES`); a word about how often something is printed or saved, or in which form,
changes no match, and is passed over (`WITHOUT_EFFECT`, `PRINTED`). docs/coming-from.md has the whole table.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from dohyo import doors
from dohyo.bots.typed_words import named
from dohyo.core.errors import OperatorError
from dohyo.guests.arenas import understood as shared
from dohyo.guests.arenas.understood import Understood, bot_word, command_of, number, single, unknown
from dohyo.i18n import Message
from dohyo.series import formats

if TYPE_CHECKING:
    from dohyo.core.game import Game

TOOL = "fastchess or cutechess"
USUAL_ROUNDS = 2  # of fastchess
USUAL_GAME = "chess"
STANDARD = "standard"  # -variant: the game that these programs are for
CHESS960 = ("fischerandom", "chess960")  # -variant: the same game, by its option

# Words that are refused: the sentence with the remedy.
REFUSED: Mapping[str, str] = {
    **dict.fromkeys(("maxmoves", "tb", "tbpieces", "tbignore50", "tbadjudicate"), "words-by-rules"),
    **dict.fromkeys(("bookmode", "quick"), "words-openings"),
    **dict.fromkeys(("noswap", "reverse"), "words-seats"),
    **dict.fromkeys(("crc32", "epdout", "testEnv", "show-latency"), "words-printed"),
    **dict.fromkeys(("log", "debug"), "words-kept"),
    **dict.fromkeys(("config", "engines"), "words-goes-on"),
    **dict.fromkeys(("use-affinity", "no-affinity", "affinity"), "words-machine"),
    "compliance": "words-check",
}
REFUSED_OF_ENGINES: Mapping[str, str] = {
    **dict.fromkeys(("initstr", "trust", "whitepov"), "words-protocol"),
    **dict.fromkeys(("book", "bookdepth"), "words-openings"),
    "dir": "words-folder",
    "stderr": "words-kept",
    "conf": "words-engine-file",
}
# A match ends as it is, goes on after a crash, and is stored at once; the table is printed while it runs.
WITHOUT_EFFECT = ("ratinginterval", "scoreinterval", "outcomeinterval", "autosaveinterval")
# Numbers, with their bounds.
NUMBERS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("rounds", "games", "repeat", "concurrency"), (1, shared.MOST)),
    "srand": (0, 10**shared.MAX_DIGITS),
    **dict.fromkeys(WITHOUT_EFFECT, (0, shared.MOST)),
}
ALWAYS_SO = ("recover", "force-concurrency")
# How results are printed: each with what may stand behind it; none: one word of any kind.
PRINTED: Mapping[str, tuple[str, ...] | None] = {
    "output": ("format=fastchess", "format=cutechess"),
    "report": ("penta=true", "penta=false"),
    "resultformat": None,
}
OF_ENGINES = ("cmd", "name", "args", "arg", "tc", "st", "timemargin", "restart", "proto")
PONDER = "ponder"  # of cutechess-cli: a word without a value
LIMITS = {"nodes": "nodes", "depth": "depth", "plies": "depth"}  # of every search of a UCI engine
DRAW = ("movenumber", "movecount", "score")
RESIGN = ("movecount", "score", "twosided")
OPENINGS = ("file", "format", "order", "plies", "start", "policy")
PLIES = "16"  # of a game in a book of openings
CANDIDATE = "candidate"  # the option of formats in which one bot plays all others, as -seeds 1 means it
SPRT = ("elo0", "elo1", "alpha", "beta", "model")
NUMBER = re.compile(r"[+-]?\d{1,9}(\.\d{0,9})?")
SECONDS = re.compile(r"\d{1,6}(\.\d{0,6})?")
CLOCK = re.compile(r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>[\d.]+):)?(?P<seconds>[\d.]+)(?:\+(?P<increment>[\d.]+))?")
ENDLESS_STRIKES = 1_000_000
RESTARTS = ("on", "off", "auto")  # whether each match starts the engine again
# What -pgnout may be followed by, and with which value it is what our file is; of a game without PGN also min=true.
OF_PGN = dict.fromkeys(("nodes", "seldepth", "nps", "hashfull", "tbhits", "pv", "timeleft", "latency"), "false")
Engine = dict[str, list[str]]


class FastchessWords:
    """The words as they are read, one option after the other."""

    def __init__(self) -> None:
        self.engines: list[Engine] = []
        self.each: Engine = {}
        self.own: list[tuple[str, str | None]] = []
        self.once: dict[str, list[str]] = {}
        self.sprt: dict[str, str] | None = None
        self.openings: dict[str, str] | None = None
        self.ends: dict[str, str] = {}  # the options by which a match ends by scores
        self.pgn: str | None = None
        self.append = ""  # whether games are to be added to those in the file
        self.is_bare = False  # the file of games has no comments
        self.notation = ""

    def take(self, option: str, values: list[str]) -> None:
        """One option with its values. Raises `OperatorError` for what is not read, or stands there twice."""
        bare = option.lstrip("-")
        if (own := shared.own_word(option, values)) is not None:
            self.own.append(own)
        elif bare == "engine":
            self.engines.append(_engine(option, values))
        elif bare == "each":
            self.each = _merged(self.each, _engine(option, values), option)
        elif bare in READ:
            if bare in self.once:
                raise OperatorError("words-twice", word=option)
            self.once[bare] = values
            READ[bare](self, option, values)
        else:
            known = [f"-{name}" for name in ("engine", "each", *READ, *REFUSED, *shared.OWN)]
            raise unknown(option, known, TOOL)

    # --- each option's values, as far as one alone can be judged

    def take_number(self, option: str, values: list[str]) -> None:
        """A number within its bounds; -repeat has one in cutechess alone."""
        if values or option.lstrip("-") != "repeat":
            least, most = NUMBERS[option.lstrip("-")]
            number(option, single(option, values, Message("takes.whole")), least, most)

    def take_wait(self, option: str, values: list[str]) -> None:
        """-wait, of which only 0 is what happens here."""
        if number(option, single(option, values, "0"), 0):
            raise OperatorError("words-machine", word=f"{option} {values[0]}")

    def take_text(self, option: str, values: list[str]) -> None:
        """A text, which may come in several words."""
        if not values:
            raise OperatorError("words-lacks", word=option, takes=Message("takes.value"))

    def take_tournament(self, option: str, values: list[str]) -> None:
        """-tournament."""
        takes = ", ".join(formats.all_formats())
        if _format(single(option, values, takes)) is None:
            raise OperatorError("words-value", word=option, value=values[0], takes=takes)

    def take_seeds(self, option: str, values: list[str]) -> None:
        """-seeds, of which only 1 is what a gauntlet has here."""
        if number(option, single(option, values, "1"), 0) != 1:
            raise OperatorError("words-value", word=option, value=values[0], takes="1")

    def take_sprt(self, option: str, values: list[str]) -> None:
        """-sprt."""
        found = _pairs(option, values, SPRT)
        for key, value in found.items():
            if key != "model" and not NUMBER.fullmatch(value):
                raise OperatorError("words-value", word=f"{option} {key}", value=value, takes=Message("takes.number"))
        if found.get("model", "logistic") != "logistic":
            raise OperatorError("words-model", model=found["model"])
        if missing := [key for key in SPRT[:2] if key not in found]:
            raise OperatorError("words-lacks", word=f"{option} {missing[0]}=", takes=Message("takes.number"))
        self.sprt = found

    def take_pgn(self, option: str, values: list[str]) -> None:
        """-pgnout, as either program takes it: file=FILE ..., or FILE [min] [fi]."""
        keys = ("file", "notation", "match_line", "min", "append", *OF_PGN)
        for at, value in enumerate(values):
            key, equals, given = value.partition("=")
            if not equals and at == 0:
                self.pgn = value
            elif not equals and value in ("min", "fi"):
                self.is_bare |= value == "min"
            elif key == "file" and given and self.pgn is None:
                self.pgn = given
            elif key == "notation" and given == "san" and not self.notation:
                self.notation = value
            elif key == "min" and given in ("true", "false"):
                self.is_bare = given == "true"
            elif key == "append" and given in ("true", "false") and not self.append:
                self.append = value
            elif key not in keys or not equals:
                raise unknown(value, [f"{each}=" for each in keys], TOOL)
            elif given != OF_PGN.get(key):
                raise OperatorError("words-pgn", word=value)
        if not self.pgn:
            raise OperatorError("words-lacks", word=option, takes=Message("takes.file"))

    def take_openings(self, option: str, values: list[str]) -> None:
        """-openings, of which every match gets one of the book by its seed: order=random."""
        self.openings = _pairs(option, values, OPENINGS)
        for key, known in (("format", ("epd", "pgn")), ("start", ("1",)), ("policy", ("default",))):
            if self.openings.get(key, known[0]) not in known:
                takes = ", ".join(known)
                raise OperatorError("words-value", word=f"{option} {key}", value=self.openings[key], takes=takes)
        if "file" not in self.openings:
            raise OperatorError("words-lacks", word=f"{option} file=", takes=Message("takes.file"))

    def take_draw(self, option: str, values: list[str]) -> None:
        """-draw, by scores near 0."""
        found = _numbers(option, values, DRAW)
        self.ends["draw"] = f"{found['movenumber']}/{found['movecount']}/{found['score']}"

    def take_resign(self, option: str, values: list[str]) -> None:
        """-resign, by scores of a side against itself."""
        twosided = [value for value in values if value.startswith("twosided=")]
        for value in twosided:
            if value not in ("twosided=true", "twosided=false"):
                raise OperatorError("words-value", word=f"{option} twosided", value=value[9:], takes="true, false")
        found = _numbers(option, [value for value in values if value not in twosided[:1]], RESIGN)
        self.ends["resign"] = f"{found['movecount']}/{found['score']}" + "/both" * ("twosided=true" in twosided)

    # --- what several options say together

    def setup_of_ends(self, game: Game) -> list[str]:
        """What -draw and -resign are as options of the game. Raises `OperatorError` if it has no such."""
        for name in self.ends:
            if not any(option.name == name for option in game.options):
                raise OperatorError("words-by-rules", word=f"-{name}", count=1)
        return [word for name, value in self.ends.items() for word in ("--setup", f"{name}={value}")]

    def game(self) -> Game:
        """The game. Raises `OperatorError` if none is named, and chess is none of ours."""
        given = [str(value) for name, value in self.own if name == "game"]
        if len(given) > 1:
            raise OperatorError("words-twice", word="-game")
        variant = self.text("variant")
        if given and variant is not None:
            raise OperatorError("words-value", word="-variant", value=variant, takes="-")
        name = given[0] if given else variant or STANDARD
        return shared.game_of(USUAL_GAME if name in (STANDARD, *CHESS960) else name, "words-no-game")

    def setup_of_variant(self) -> list[str]:
        """What -variant is in the setup of chess."""
        return ["--setup", "variant=chess960"] if self.text("variant") in CHESS960 else []

    def setup_of_openings(self, game: Game) -> list[str]:
        """What -openings is in the game's setup. Raises `OperatorError` where it is nothing, or something else."""
        if self.openings is None:
            return []
        if not any(option.name == "opening" for option in game.options):
            raise OperatorError("words-openings", word="-openings")
        if self.openings.get("order") != "random":
            raise OperatorError("words-book", word="-openings")
        if self.has_games and self.openings.get("plies", PLIES) != PLIES:
            raise OperatorError("words-plies", word=f"plies={self.openings['plies']}", plies=PLIES)
        return ["--setup", f"opening=@{self.openings['file']}"]

    @property
    def has_games(self) -> bool:
        """Whether the book of openings has games, which are cut off, and not positions."""
        if self.openings is None:
            return False
        is_epd = self.openings["file"].lower().endswith(".epd")
        return self.openings.get("format", "epd" if is_epd else "pgn") == "pgn"

    def notes(self) -> tuple[str, ...]:
        """What is to be said of words that are read, and mean a little less here."""
        printed = ("words.printed",) if any(word in self.once for word in PRINTED) else ()
        return (*printed, *(("words.plies",) if self.has_games and "plies" not in (self.openings or {}) else ()))

    def pgn_words(self, game: Game) -> list[str]:
        """What -pgnout, -event, -site are for a comparison. Raises `OperatorError` for a file to be replaced."""
        if self.pgn is None:  # nothing else shows the names of event and site, there as here
            return []
        if self.append == "append=false":
            raise OperatorError("words-append", word=self.append)
        tags = [word for tag in ("event", "site") if tag in self.once for word in (f"--{tag}", str(self.text(tag)))]
        return ["--pgn", self.pgn, *tags, *(["--no-comments"] if self.is_bare and game.pgn is not None else [])]

    def rounds(self, game: Game) -> int:
        """The rounds, in each of which two bots play a seed from both seats."""
        seats = 2 if game.seats[0] <= 2 else game.seats[0]
        for option in ("games", "repeat"):
            for value in self.once.get(option, []):
                if int(value) != seats:
                    raise OperatorError("words-games", word=f"-{option} {value}", seats=seats)
        return int(self.once.get("rounds", [str(USUAL_ROUNDS)])[0])

    def text(self, option: str) -> str | None:
        """The text of an option; none if it was not given."""
        return " ".join(self.once[option]) if option in self.once else None

    def own_words(self, omitted: Sequence[str]) -> list[str]:
        """Our own words, as they are typed. Raises `OperatorError` for one of those to be `omitted`."""
        found: list[str] = []
        for name, value in self.own:
            if name in omitted:
                raise OperatorError("words-other-command", word=f"-{name}", command=_other(name))
            if name != "game":
                found += [f"--{name}"] if value is None else [f"--{name}", value]
        return found


Take = Callable[[FastchessWords, str, list[str]], None]


def _passed_over(found: FastchessWords, option: str, values: list[str]) -> None:
    """Read a word that changes nothing."""
    if option.lstrip("-") in ALWAYS_SO:
        shared.nothing(option, values)
        return
    takes = PRINTED[option.lstrip("-")]
    value = single(option, values, Message("takes.value") if takes is None else ", ".join(takes))
    if takes is not None and value not in takes:
        raise OperatorError("words-value", word=option, value=value, takes=", ".join(takes))


READ: Mapping[str, Take] = {
    **dict.fromkeys(NUMBERS, FastchessWords.take_number),
    **dict.fromkeys(("variant", "event", "site"), FastchessWords.take_text),
    "wait": FastchessWords.take_wait,
    "tournament": FastchessWords.take_tournament,
    "seeds": FastchessWords.take_seeds,
    "sprt": FastchessWords.take_sprt,
    "draw": FastchessWords.take_draw,
    "resign": FastchessWords.take_resign,
    "pgnout": FastchessWords.take_pgn,
    "openings": FastchessWords.take_openings,
    **dict.fromkeys((*ALWAYS_SO, *PRINTED), _passed_over),
}


def _other(name: str) -> str:
    """The command that has an option of ours."""
    return "dohyo compare" if name in shared.COMPARE_ONLY else "dohyo contest run"


def _pairs(option: str, values: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Values of the form KEY=VALUE. Raises `OperatorError` for others, unknown keys, and a key that comes twice."""
    found: dict[str, str] = {}
    for each in values:
        key, equals, value = each.partition("=")
        if key not in known or not equals:
            raise unknown(f"{option} {each}", [f"{option} {name}=" for name in known], TOOL)
        if not value:
            raise OperatorError("words-lacks", word=f"{option} {each}", takes=Message("takes.value"))
        if key in found:
            raise OperatorError("words-twice", word=f"{option} {key}")
        found[key] = value
    return found


def _numbers(option: str, values: Sequence[str], known: Sequence[str]) -> dict[str, int]:
    """Numbers of the form KEY=N, with what a missing one means there. Raises `OperatorError`."""
    given = _pairs(option, values, known)
    for key in ("movecount", "score"):
        if key not in given:
            raise OperatorError("words-lacks", word=f"{option} {key}=", takes=Message("takes.whole"))
    most = {"movenumber": 9999, "movecount": 9999, "score": 99999}
    return {
        "movenumber": 0,
        **{
            key: number(f"{option} {key}=", value, int(key == "movecount"), most[key]) for key, value in given.items()
        },
    }


def _engine(option: str, values: Sequence[str]) -> Engine:
    """What stands behind -engine or -each, by key. Raises `OperatorError` for what is not read."""
    found: Engine = {}
    for each in values:
        key, equals, value = each.partition("=")
        if key in REFUSED_OF_ENGINES:
            raise OperatorError(REFUSED_OF_ENGINES[key], word=each)
        is_option = key.startswith("option.") and len(key) > len("option.")
        is_read = is_option or key in OF_ENGINES or key in LIMITS
        if each != PONDER and not (equals and is_read):
            known = [f"{name}=" for name in (*OF_ENGINES, *LIMITS, *REFUSED_OF_ENGINES)]
            raise unknown(each, [*known, PONDER], TOOL)
        if key in found and key != "arg":
            raise OperatorError("words-twice", word=f"{option} {key}")
        if key == "restart" and value not in RESTARTS:
            raise OperatorError("words-value", word=key, value=value, takes=", ".join(RESTARTS))
        found.setdefault(key, []).append(value)
    return found


def _merged(first: Engine, second: Engine, option: str) -> Engine:
    """Both together. Raises `OperatorError` for a key that has a value in each."""
    if twice := [key for key in first if key in second and key != "arg"]:
        raise OperatorError("words-twice", word=f"{option} {twice[0]}")
    return {
        **first,
        **second,
        **({"arg": first["arg"] + second["arg"]} if "arg" in first and "arg" in second else {}),
    }


def _bot(engine: Engine, game: Game) -> str:
    """The word for an engine, as `dohyo contest run` takes it."""
    from dohyo.core import parameters

    if not (command := engine.get("cmd", [""])[0]).strip():
        raise OperatorError("words-lacks", word="-engine cmd=", takes=Message("takes.command"))
    try:
        arguments = [*shlex.split(engine.get("args", [""])[0]), *engine.get("arg", [])]
    except ValueError as error:
        raise OperatorError(
            "words-value", word="args=", value=engine["args"][0], takes=Message("takes.command")
        ) from error
    name = engine.get("name", [""])[0]
    values = {key.removeprefix("option."): each[0] for key, each in engine.items() if key.startswith("option.")}
    if (spoken := _spoken(engine, command, game)) is not None:
        # An engine's option is found by `_` for a space too, and no shell splits that.
        given = [f"option.{key.replace(' ', '_')}={value}" for key, value in values.items()]
        given += [f"go.{LIMITS[key]}={engine[key][0]}" for key in LIMITS if key in engine]
        return bot_word(name, f"{spoken}:{command_of(command, arguments, given)}")
    for key in ("proto", *LIMITS):
        if key in engine:
            word = f"{key}={engine[key][0]}"
            raise OperatorError("words-protocol" if key == "proto" else "words-search", word=word)
    for key in values:
        if not parameters.is_name(key):
            raise OperatorError("words-option", word=f"option.{key}")
    return bot_word(name, command_of(command, arguments, parameters.words(values)))


def _spoken(engine: Engine, command: str, game: Game) -> str | None:
    """What an engine speaks, UCI unless it says so: in a game with engines, whatever is none of its sample bots."""
    from dohyo.bots.samples import samples_of

    spoken = engine.get("proto", ["uci"])[0]
    kind = doors.brought("players").get(spoken)
    if game.uci is None or kind is None or not kind.is_program:
        return None
    return spoken if "proto" in engine or command not in samples_of(game) else None


def _clock(engines: Sequence[Engine]) -> str | None:
    """The clock that all engines have, as --clock takes it; none without any word of it.

    Raises `OperatorError` if they differ, and for a clock that there is not.
    """
    keys = ("tc", "st", "timemargin")
    for key in keys:
        if len({tuple(engine.get(key, [])) for engine in engines}) > 1:
            raise OperatorError("words-one-clock", word=f"{key}=")
    control, turn, margin = (engines[0].get(key, [""])[0] if engines else "" for key in keys)
    if control and turn:
        raise OperatorError("words-two-clocks", first=f"tc={control}", second=f"st={turn}")
    if control:
        clock = _whole_match(control)
    elif not turn:
        if margin:
            raise OperatorError("words-lacks", word="st=", takes=Message("takes.plain-seconds"))
        return None
    elif not SECONDS.fullmatch(turn) or not float(turn):
        raise OperatorError("words-value", word="st=", value=turn, takes=Message("takes.plain-seconds"))
    else:
        clock = shown(float(turn))
    if margin and (late := number("timemargin=", margin, 0)):
        clock += f",grace={shown(late / 1000)},strikes={ENDLESS_STRIKES}"
    return clock


def _pondering(engines: Sequence[Engine], game: Game) -> list[str]:
    """Whether engines ponder, as --pondering says it. Raises `OperatorError` if only some are to."""
    count = sum(PONDER in engine for engine in engines)
    if count and game.uci is None:
        raise OperatorError("words-protocol", word=PONDER)
    if count not in (0, len(engines)):
        raise OperatorError("words-one-pondering", word=PONDER)
    return ["--pondering"] if count else []


def shown(seconds: float) -> str:
    """A time as --clock takes it."""
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


def _whole_match(control: str) -> str:
    """The clock of a time control: a time for the whole match, or for so many moves, and so much more for each."""
    found = CLOCK.fullmatch(control)
    given = {} if found is None else {name: value for name, value in found.groupdict().items() if value is not None}
    if "seconds" not in given or not all(SECONDS.fullmatch(value) for value in given.values()):
        raise OperatorError("words-value", word="tc=", value=control, takes="MOVES/MINUTES:SECONDS+INCREMENT")
    seconds = 60 * float(given.get("minutes", 0)) + float(given["seconds"])
    moves = f"{given['moves']}/" if int(given.get("moves", 0)) else ""
    return f"{moves}{shown(seconds)}+{shown(float(given.get('increment', 0)))}"


def read(words: Sequence[str]) -> Understood:
    """What this command line means. Raises `OperatorError` for a word that is not read."""
    found, typed = FastchessWords(), shared.groups(words, TOOL)
    for option, values in typed:
        if (key := REFUSED.get(option.lstrip("-"))) is not None:
            # All at once that are refused for this reason: who pastes a command omits them together.
            alike = list(dict.fromkeys(each for each, _ in typed if REFUSED.get(each.lstrip("-")) == key))
            raise OperatorError(key, word=", ".join(alike), count=len(alike))
        found.take(option, values)
    engines = [_merged(found.each, engine, "-engine") for engine in found.engines]
    if not engines:
        raise OperatorError("words-lacks", word="-engine", takes="cmd=COMMAND")
    game = found.game()
    bots, clock = [_bot(engine, game) for engine in engines], _clock(engines)
    if clock is not None and any(name == "clock" for name, _ in found.own):
        raise OperatorError("words-two-clocks", first="st=", second="-clock")
    rounds = found.rounds(game)
    terms = [*found.setup_of_variant(), *found.setup_of_openings(game), *found.setup_of_ends(game)]
    terms += ["--clock", clock] if clock is not None else []
    terms += _pondering(engines, game)
    terms += ["--seed", found.once["srand"][0]] if "srand" in found.once else []
    terms += ["--workers", found.once.get("concurrency", ["1"])[0]]
    if game.pgn is None and (found.notation or (found.pgn is not None and "min=false" in found.once["pgnout"])):
        raise OperatorError("words-pgn", word=found.notation or "min=false")
    restarts = [value for engine in engines for value in engine.get("restart", ())]
    if found.sprt is not None:
        return _comparison(found, game, bots, [*terms, *(["--restart"] if "on" in restarts else [])])
    if wrong := [value for value in restarts if value != "on"]:
        raise OperatorError("words-restart", word=f"restart={wrong[0]}")
    return _contest(found, game, bots, rounds, terms)


def _comparison(found: FastchessWords, game: Game, bots: Sequence[str], terms: Sequence[str]) -> Understood:
    """With -sprt: what `dohyo compare` does."""
    assert found.sprt is not None
    if len(bots) != 2:
        raise OperatorError("words-sprt-two", count=len(bots))
    own = found.own_words(shared.CONTEST_ONLY)
    tested = [word for key in SPRT[:4] if key in found.sprt for word in (f"--{key}", found.sprt[key])]
    most = ["--max-pairs", found.once["rounds"][0]] if "rounds" in found.once else []
    if len({named(bot).text for bot in bots}) == 1 and "--itself" not in own:  # written twice: that is meant
        own.append("--itself")
    return Understood(
        words=("compare", shared.word_of(game), *bots, *tested, *most, *terms, *found.pgn_words(game), *own),
        notes=("words.sprt", "words.other-elo", *found.notes()),
    )


def _format(word: str) -> str | None:
    """The format that a word of -tournament means, with or without hyphens; none if we have no such."""
    return next((name for name in formats.all_formats() if word in (name, name.replace("-", ""))), None)


def _has(format_: str, option: str) -> bool:
    """Whether a format has such an option."""
    return any(each.name == option for each in formats.find(format_).info.options)


def _contest(found: FastchessWords, game: Game, bots: Sequence[str], rounds: int, terms: Sequence[str]) -> Understood:
    """Without -sprt: a contest, kept in a store."""
    if found.append == "append=true":
        raise OperatorError("words-pgn-whole", word=found.append)
    own = found.own_words(shared.COMPARE_ONLY)
    given = {name: value for name, value in found.own if value is not None}
    event = found.text("event")
    if event is not None and "name" in given:
        raise OperatorError("words-two-names", first="-event", second="-name")
    format_ = str(_format(found.once.get("tournament", [formats.USUAL])[0]))
    if "seeds" in found.once and not _has(format_, CANDIDATE):
        takes = ", ".join(name for name in formats.all_formats() if _has(name, CANDIDATE))
        raise OperatorError("words-value", word="-tournament", value=format_, takes=takes)
    words = ["contest", "run", "--game", shared.word_of(game), *bots]
    words += ["--format", format_] if format_ != formats.USUAL else []
    words += ["--rounds", str(rounds)]
    # Who comes from these programs means matches of two, wherever the game has them.
    by_two = game.seats[0] <= 2 < game.seats[1] and len(bots) > 2 and _has(format_, "table")
    words += ["--option", "table=2"] if by_two else []
    words += [*terms, *(["--name", event] if event is not None else []), *own]
    return Understood(
        words=tuple(words),
        notes=found.notes(),
        pgn=found.pgn,
        site=found.text("site"),
        is_bare=found.is_bare,
        store=given.get("store") or "contest.db",
        name=event if event is not None else given.get("name"),
    )
