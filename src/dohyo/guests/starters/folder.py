"""The folder of a new bot: the program, its test with a recorded match, `bot.toml`, a README.

There is never half of it, and nothing that is there already is touched.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dohyo import doors
from dohyo.core.descriptions import about_in
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, title_in
from dohyo.core.options import Value, nearest
from dohyo.guests.starters import names
from dohyo.guests.starters.language import Language, language
from dohyo.guests.starters.recording import SEED, Recording, record, record_of
from dohyo.guests.starters.skeleton import Skeleton
from dohyo.guests.starters.writer import Writer
from dohyo.i18n import Speaker
from dohyo.languages import by_name, find
from dohyo.match.files import write_folder
from dohyo.system.search_path import which

SHOWN_FIRST, SHOWN_LAST = 10, 6  # lines of a turn's input that the README shows

TEST = """\
#!/bin/sh
# Gives the bot a recorded match, test/input.txt, and compares its answers with test/answers.txt.
#   sh test.sh            are they the same?
#   sh test.sh --accept   they differ, and that is right: keep the new ones
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
export DOHYO_SEED={seed}
{compile}{run} < test/input.txt > "$build/answers.txt"
count=$(wc -l < "$build/answers.txt" | tr -d ' ')
if [ "$count" -ne {count} ]; then
    echo "$count lines of output instead of {count}: is all of the input read, each turn answered?"
    exit 1
fi
if [ "${{1:-}}" = --accept ]; then
    cp "$build/answers.txt" test/answers.txt
elif ! cmp -s test/answers.txt "$build/answers.txt"; then
    diff test/answers.txt "$build/answers.txt" > "$build/difference" || true
    head -n 6 "$build/difference"
    echo "$(grep -c '^>' "$build/difference") of $count answers (>) differ from test/answers.txt (<), as above."
    echo "If that is right: sh test.sh --accept"
    exit 1
fi
echo "$count lines of output, as in test/answers.txt."
"""

TOML = """\
# What Dohyo should know of this bot. All of it may be left out. For an editor that completes and checks it:
# dohyo schema bot --out bot.schema.json, and as this file's first line  #:schema ./bot.schema.json
lifetime = "match"  # one process plays a whole match
# name = "Hunter"  # shown in tables; without it, the folder's name: a copy of the folder has its own
# Without these lines Dohyo finds {main}, builds it and starts it by itself.
# build = "make"
# run = "./bot --fast"
"""


class NewBot(NamedTuple):
    """A folder that was made: its program, opponents for a match, how to install what its language lacks (or "")."""

    folder: Path
    main: str
    opponents: tuple[str, ...]
    missing: str


def language_of(name: str) -> Language:
    """The language, called as on the command line or in the table of languages.

    Raises `OperatorError` when there is none, or none that bots may be written in here.
    """
    usable = {called: known for called in names() if find((known := language(called)).row) is not None}
    if name.lower() in usable:
        return usable[name.lower()]
    for known in usable.values():
        if name.lower() == known.row:
            return known
    raise OperatorError("no-starter-language", name=name, nearest=nearest(name, usable), known=", ".join(usable))


def make_bot(
    game: Game, lang: str, folder: str | None, setup: Mapping[str, Value], given: Mapping[str, str], speaker: Speaker
) -> NewBot:
    """Make the folder; without a name it is called by game and language.

    `setup` is resolved, and `given` are the options of it that somebody typed; `speaker` says what the files tell.
    Raises `OperatorError` for an unknown language, a game without a starter, a folder that is there and not empty,
    and where it cannot be written.
    """
    chosen = language_of(lang)
    place = Path(folder or f"{game.name}-{chosen.key}")
    if os.path.lexists(place) and (not place.is_dir() or place.is_symlink() or any(place.iterdir())):
        raise OperatorError("new-bot-exists", folder=place)
    writer, recording = _written(game, chosen, setup)
    name = place.resolve().name
    opponents = _opponents(game)
    match = [word for key, value in given.items() for word in ("--setup", f"{key}={value}")]
    files = {
        **writer.files(),
        "test.sh": _test(writer, recording),
        "test/input.txt": recording.input,
        "test/answers.txt": "".join(f"{line}\n" for line in _output(game, recording)),
        "bot.toml": TOML.format(main=writer.language.main),
        "README.md": _readme(writer, recording, name, opponents, match, speaker),
    }
    write_folder(place, files, parents=True)
    return NewBot(place, writer.language.main, opponents, _missing(writer))


def _written(game: Game, chosen: Language, setup: Mapping[str, Value]) -> tuple[Writer, Recording]:
    """The writer of the game's starter, and the match for its test: of a class where no input is described.

    Raises `OperatorError` for a language, or a game, in which there is none.
    """
    if game.starter is not None:
        writer = Skeleton(chosen, game, game.starter(setup))
        return writer, record(game, writer.starter, setup, chosen.key)
    from dohyo.guests.starters.python_class import ClassPlayer, class_writer

    found = class_writer(game, setup)
    if found is None or chosen.key != "python":
        raise OperatorError("no-starter" if found is None else "no-starter-but-python", game=game.name)
    return found, record_of(ClassPlayer(found, setup), game, found.starter, setup)


def _output(game: Game, recording: Recording) -> list[str]:
    """What the starter prints, given the recorded input."""
    ready = game.protocol.READY
    return [ready, *recording.answers] if ready else list(recording.answers)


def _test(writer: Writer, recording: Recording) -> str:
    compile_lines = "".join(f"{line}\n" for line in writer.language.compile)
    count = len(_output(writer.game, recording))
    return TEST.format(seed=SEED, compile=compile_lines, run=writer.language.run, count=count)


def _opponents(game: Game) -> tuple[str, ...]:
    """Sample bots for the other seats of a match: as few as the game takes, but one at least."""
    from dohyo.bots import samples_of

    names = samples_of(game)
    simple = "random" if "random" in names else next(iter(names), ".")
    return (simple,) * (max(2, game.seats[0]) - 1)


def _readme(
    writer: Writer, recording: Recording, name: str, opponents: tuple[str, ...], match: list[str], speaker: Speaker
) -> str:
    """One screen: what is here, the commands, the input, what to do when it goes wrong."""
    game, main, decide = writer.game, writer.language.main, writer.language.decide
    lines = recording.first.rstrip("\n").split("\n")
    shown = lines
    if len(lines) > SHOWN_FIRST + SHOWN_LAST:
        shown = [*lines[:SHOWN_FIRST], "...", *lines[-SHOWN_LAST:]]
    play = shlex.join(["dohyo", "play", game.name, ".", *opponents, *match])
    analyse = "dohyo analyse ../m.replay"
    commands = (
        ("sh test.sh", "run-test"),
        (shlex.join(["dohyo", "check", game.name, ".", *match]), "run-check"),
        (f"{play} --watch", "run-play"),
        (shlex.join(["dohyo", "compare", game.name, ".", opponents[0], *match]), "run-compare"),
    )
    width = max(len(command) for command, _ in commands)
    blocks = [
        [f"# {name}"],
        [speaker.say("readme.about", title=title_in(game, speaker), about=about_in(game, speaker))],
        [
            "| | |",
            "|---|---|",
            f"| `{main}` | {speaker.say('readme.main', decide=decide)} |",
            f"| `test.sh`, `test/` | {speaker.say('readme.test')} |",
            f"| `bot.toml` | {speaker.say('readme.toml')} |",
        ],
        ["```", *(f"{command:{width}}  # {speaker.say(f'readme.{key}')}" for command, key in commands), "```"],
        [f"## {speaker.say('readme.input')}"],
        [speaker.say("readme.turn", lines=len(lines), main=main)],
        ["```", *shown, "```"],
        [speaker.say("readme.answers")],
        [f"* {answer}" for answer in writer.advice],
        [f"## {speaker.say('readme.wrong')}"],
        [
            f"* {speaker.say('readme.stderr')}",
            *(f"* {line}" for line in _again(f"{play} --save ../m.replay", writer.language.debug, speaker)),
        ],
        [f"## {speaker.say('readme.next')}"],
        [
            f"* {speaker.say('readme.fill', decide=decide, main=main)}",
            f"* {speaker.say('readme.analyse', analyse=analyse)}",
        ],
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _again(play: str, debug: str, speaker: Speaker) -> list[str]:
    """How a match is looked into again: by `dohyo rerun`, if there is this command, and by a debugger."""
    rerun = "dohyo rerun"
    lines = [
        ("readme.rerun", {"play": play, "rerun": f"{rerun} ../m.replay 0 ."}),
        ("readme.debugger", {"debug": debug}),
    ]
    there = doors.has_command("rerun")
    return [speaker.say(key, **values) for key, values in lines if there or rerun not in str(values)]


def _missing(writer: Writer) -> str:
    """How to install the language, if none of the ways to build and run it has its programs here."""
    row = by_name(writer.language.row)
    here = any(all(which(tool) for tool in way.tools) for way in row.ways)
    return "" if here else row.install
