"""Hand-ins that attack whoever reads of them: by their names, by what they answer, while they are built."""

from __future__ import annotations

import re
import shlex
import unicodedata
from pathlib import Path

# Escape sequences whose numbers nobody else uses; a row of its own; what spreadsheets, rich and browsers obey.
ESCAPES = "\x1b]0;title\x07\x1b[7777m\x1b[77A\u009b7777m\x90q\x9c\x08\x7f"
ROW = "\nFORGED  python  yes\r\u2028FORGED\x85FORGED"
TURNED = "\u202eback\u2066\u200b"
WILD = f"{ESCAPES}{ROW}{TURNED}[red]x:smile:"
FORMULA = "=cmd|'C calc'!A0"
TAG = "<img src=x onerror=alert(1)>"
NO_TEXT = b"wild\x9b2J\xff.sh"
NOISE = f"{ESCAPES}{TURNED}[red][/bold]</script><img src=x onerror=alert(1)>\t=1"

# What rich writes to a terminal: colours, the cursor, lines and screens; and terminals end lines by two characters.
OF_RICH = re.compile(r"\x1b\[(?!7777m|77A)(?:[0-9;]*[mABCDHJK]|\?(?:25|1049)[hl])|\r")

DROP_BLOCK = """#!/bin/sh
printf %s\\\\n {noise} >&2
echo READY
while read -r word; do
  if [ "$word" = EOD ]; then printf %s\\\\n {noise} >&2; printf %s\\\\n {noise}; fi
done
"""
ABOTCALYPSE = """#!/bin/sh
while IFS= read -r line; do [ "$line" ] || {{ printf %s\\\\n {noise} >&2; printf %s\\\\n {noise}; }}; done
"""
BROKEN = "printf %s\\\\n {noise} >&2; exit 1"


def hand_ins(folder: Path, script: str) -> Path:
    """A folder of such hand-ins: four that play, by a script in the shell's language, four that cannot be used."""
    home = folder / "hand-ins"
    home.mkdir()
    text = script.format(noise=shlex.quote(NOISE))
    for name in (WILD, FORMULA, TAG):
        _declared(home / name, 'run = "sh bot.sh"\n')
        (home / name / "bot.sh").write_text(text)
    with open(bytes(home) + b"/" + NO_TEXT, "w") as file:
        file.write(text)
    broken = BROKEN.format(noise=shlex.quote(NOISE))
    _declared(home / f"broken{WILD}", f'build = {_toml(broken)}\nrun = "./x"\n')
    _declared(home / "key", f"{_toml(WILD)} = 1\n")
    _declared(home / "named", f"name = {_toml(WILD)}\n")
    _declared(home / "runs", f"run = {_toml(WILD)}\n")
    return home


def playing(home: Path) -> list[str]:
    """Four bots that play, as they are typed."""
    return [str(home / name) for name in (WILD, FORMULA, TAG)] + [
        str(home / NO_TEXT.decode(errors="surrogateescape"))
    ]


def _declared(home: Path, toml: str) -> None:
    home.mkdir()
    (home / "bot.toml").write_text(toml)


def _toml(text: str) -> str:
    """A text as TOML writes it."""
    return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text) + '"'


def raw(text: str) -> list[str]:
    """What of a text a terminal would obey or nobody would see, but for line ends."""
    return sorted({repr(c) for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")})


def assert_harmless(text: str) -> None:
    """Nothing of the arsenal has come through: nothing that is obeyed or not seen, no row of a name's own."""
    assert raw(text) == []
    assert [line for line in text.splitlines() if line.lstrip(" \"'").startswith("FORGED")] == []


def assert_harmless_on_screen(text: str) -> None:
    """The same of what a terminal was sent: only rich's own sequences are left out of it."""
    assert_harmless(OF_RICH.sub("", text))
