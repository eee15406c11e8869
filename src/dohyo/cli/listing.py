"""Every command of `dohyo` that its help lists: ours and guests', each in a group with a sentence of one line."""

from __future__ import annotations

from typing import Any

from dohyo import doors
from dohyo.cli.guests import below
from dohyo.cli.help_lists import Listed, Row, grouped
from dohyo.cli.help_texts import translated
from dohyo.i18n import LANGUAGES

# The groups of commands, in their order: the word by which a command is in one, and its heading.
GROUPS = {
    "start": "Start",
    "play": "Play and look",
    "improve": "Improve a bot",
    "contest": "Hold contests",
    "site": "Contest sites",
    "games": "Games and other arenas",
    "tools": "This installation",
}
# Our own, each with its sentence, its group and its place there.
OURS = (
    Row("games", "List the games: facts, setup options, clocks, sample bots.", "start", 2),
    Row("play", "Play one match: between bots, or yourself against them.", "play", 1),
    Row("replay", "Look at a recorded match, verify it, watch it, make it a page.", "play", 2),
    Row("check", "Examine a bot, or a folder of them: what goes wrong at which line.", "improve", 1),
    Row("compare", "Tell whether a bot improved: it plays until that is known.", "improve", 2),
    Row("contest", "Hold contests between bots, go on with them, look at the results.", "contest", 1),
    Row("help", "Explain a command, or show a page or the rules of a game.", "tools", 1),
    Row("doctor", "Tell what this machine offers, and what mends what is missing.", "tools", 2),
    Row("cache", "Show what Dohyo keeps outside of your folders, and empty it.", "tools", 3),
    Row("schema", "Print a JSON schema of a kind of file, for editors.", "tools", 4),
    Row("version", "Print the version, and what this installation is.", "tools", 5),
)
FULL_STOP = "。"  # of a Japanese sentence, behind which no blank stands


def listed(language: str) -> list[Listed]:
    """Every command in its group, with its sentence in that language; none is imported."""
    known: dict[str, Any] = {**below(""), **{row.name: row for row in OURS}}
    rows = (Row(name, told(one.says, language), one.group, one.place) for name, one in sorted(known.items()))
    return grouped(rows, GROUPS)


def told(sentence: str, language: str) -> str:
    """A sentence of the help in that language."""
    return sentence if language == LANGUAGES[0] else translated(sentence, language)


def where_to_look(language: str) -> str:
    """The sentences below what `dohyo` is: on commands to begin with, and on those that are not listed."""
    first = [each.epilog for each in below("").values() if each.epilog]
    last = [each.says for each in doors.brought("more_commands").values()]
    own = "'dohyo help tutorial' is the way in, 'dohyo help docs' lists all pages."
    sentences = [told(sentence, language) for sentence in (*first, own, *last)]
    return "".join(each if each.endswith(FULL_STOP) else f"{each} " for each in sentences).rstrip()
