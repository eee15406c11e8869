#!/usr/bin/env python3
"""Play a bot of this checkout against the one of another revision; and make a comment of what came of it.

    compare.py play                     settings in the environment (action.yml); writes comparison.json
    compare.py comment comparison.json  print the comment, as Markdown

The two run in different jobs. The one that plays runs strangers' programs, so it has no right and no secret; whatever
it leaves is a stranger's. The one that comments has the right to comment, runs none of it, and takes nothing from the
file but numbers within bounds and names that it cleans. Nothing but the standard library is used here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = "comparison.json"
MARK = "<!-- dohyo compare -->"  # by which the comment of before is found, to be replaced
MAX_BYTES = 1 << 20
MAX_ROWS = 16
DECIDED = {0: "better", 1: "not better", 3: "undecided", 130: "undecided"}  # by exit status
LOOKALIKES = str.maketrans("`|", "'\N{BROKEN BAR}")  # for what would end a span of code, or a cell
SENTENCES = {
    "better": "**Better**: {elo} Elo, after {matches} matches.",
    "not better": "**Not better**: {elo} Elo, after {matches} matches.",
    "undecided": "**Not known yet**: {elo} Elo, after {matches} matches.",
}


class WrongError(Exception):
    """What the person who wrote the workflow has to mend, or a file that is not what it should be."""


def play(environment: Mapping[str, str]) -> int:
    """Compare, write the file and the summary; the exit status: 1 with COMPARE_FAIL where it is not better."""
    words = order(environment)
    print("dohyo", *words[1:], flush=True)
    done = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if done.returncode not in DECIDED:
        raise WrongError(f"dohyo compare ended with status {done.returncode}; what it says stands above.")
    Path(FILE).write_bytes(done.stdout)
    text = comment(read(Path(FILE)))
    summary = environment.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as file:
            file.write(text + "\n")
    print(text)
    fails = environment.get("COMPARE_FAIL", "").lower() == "true"
    return 1 if fails and done.returncode == 1 else 0


def order(environment: Mapping[str, str]) -> list[str]:
    """The command that compares; the words of a workflow's author are words of the command and never of a shell."""
    asked = {name.removeprefix("COMPARE_").lower(): value.strip() for name, value in environment.items()}
    for name in ("game", "bot", "base"):
        if not asked.get(name):
            raise WrongError(f"the action's '{name}' is missing.")
    if not re.fullmatch(r"[\w./-]+", asked["base"]) or asked["base"].startswith("-"):
        raise WrongError("the action's 'base' is no commit and no branch.")
    known = subprocess.run(["git", "cat-file", "-e", f"{asked['base']}^{{commit}}"], capture_output=True, check=False)
    if known.returncode != 0:
        raise WrongError(
            f"the commit {asked['base']} is not in this checkout; let actions/checkout fetch it (fetch-depth: 0)."
        )
    words = ["dohyo", "compare", asked["game"], asked["bot"], f"git:{asked['base']}"]
    words += ["--itself"]  # a change elsewhere leaves the bot as it is
    words += ["--json", "--sandbox", "require", "--max-pairs", asked.get("max_pairs") or "200"]
    for name in ("clock", "elo0", "elo1", "workers", "seed"):
        if asked.get(name):
            words += [f"--{name}", asked[name]]
    for name in ("setup", "against"):
        for line in asked.get(name, "").split():
            words += [f"--{name}", line]
    return words


# --- the comment, of a file that a stranger may have written


def read(path: Path) -> dict[str, Any]:
    """The document in the file. Raises `WrongError` where there is none."""
    if path.is_symlink() or not path.is_file():
        raise WrongError(f"{path.name} is no file.")
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        found = json.loads(content) if len(content) <= MAX_BYTES else None
    except (OSError, ValueError, RecursionError) as error:
        raise WrongError(f"{path.name} cannot be read.") from error
    if not isinstance(found, dict):
        raise WrongError(f"{path.name} holds no comparison.")
    return found


def comment(found: Mapping[str, Any]) -> str:
    """The comment: a sentence, a table by baseline, one by bot where somebody misbehaved."""
    decision = found.get("decision")
    sentence = SENTENCES.get(decision if isinstance(decision, str) else "", SENTENCES["undecided"])
    told = sentence.format(elo=elo(found), matches=count(found.get("matches")))
    lines = [MARK, f"### {name(found.get('game'))}: is this pull request's bot better?", "", told, ""]
    lines += ["| against | won | tied | lost | Elo (95 %) |", "|---|---|---|---|---|"]
    for each in rows(found.get("baselines")):
        counts = " | ".join(count(each.get(word)) for word in ("won", "tied", "lost"))
        lines.append(f"| {name(each.get('name'))} | {counts} | {elo(each)} |")
    faulty = [each for each in rows(found.get("bots")) if count(each.get("faulty")) != "0"]
    if faulty:
        lines += ["", "| bot | matches with a fault | lost of them |", "|---|---|---|"]
        lines += [
            f"| {name(each.get('name'))} | {count(each.get('faulty'))} | {count(each.get('faulty_lost'))} |"
            for each in faulty
        ]
    return "\n".join(lines)


def rows(value: object) -> list[dict[str, Any]]:
    """The objects of a list, as many as a comment shows."""
    return [each for each in value if isinstance(each, dict)][:MAX_ROWS] if isinstance(value, list) else []


def count(value: object) -> str:
    """A number of matches; a question mark for what is none."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else "?"


def elo(found: Mapping[str, Any]) -> str:
    """A difference with its interval; where one side has won all, the end that is known."""
    middle, low, high = (
        f"{each:+.0f}" if isinstance(each, int | float) and abs(each) < 10_000 else None
        for each in (found.get(word) for word in ("elo", "elo_low", "elo_high"))
    )
    if middle and low and high:
        return f"{middle} ({low} .. {high})"
    if low:
        return f"at least {low}"
    return f"at most {high}" if high else "?"


def name(value: object) -> str:
    """A name, of at most 60 characters, as a span of code: nothing in it is Markdown, HTML or a mention.

    Outside such a span, mentions are looked for in the page that was made, where an escaped sign is a sign again.
    """
    text = value if isinstance(value, str) else ""
    shown = "".join(each if is_shown(each) else "?" for each in text[:60]).strip() or "?"
    return f"`{shown.translate(LOOKALIKES)}`"


def is_shown(letter: str) -> bool:
    """Whether a letter stands in a line as it is: no control sequence, no mark of direction, no line's end."""
    category = unicodedata.category(letter)
    return category[0] in "LNPS" or category == "Zs"


def main(words: list[str]) -> int:
    """The exit status: 2 for what has to be mended."""
    try:
        if words[:1] == ["comment"] and len(words) == 2:
            print(comment(read(Path(words[1]))))
            return 0
        if words == ["play"]:
            return play(os.environ)
        raise WrongError(__doc__ or "")
    except WrongError as error:
        print(f"::error::{error}" if os.environ.get("GITHUB_ACTIONS") else error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
