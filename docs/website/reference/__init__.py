"""The reference, made from the code; what the code does not say stands in tables, which tests hold to it.

`commands.py` has the help of every command, `python.py` what programs may import, `games.py` what can be chosen about
each game and what its bots are sent, `files.py` the keys of `bot.toml` and of contest files, formats and their
options, `programs.py` exit statuses, variables and faults, `decisions.py` a list of all decisions. `markdown.py`
writes tables.
"""

from __future__ import annotations

from pathlib import Path

from docs.website.pages import Page
from docs.website.reference import commands, decisions, files, games, programs, python


def generated_pages(root: Path) -> list[Page]:
    """Every page of the reference."""
    made = [*commands.pages(), *python.pages(root), *games.pages(), *files.pages(), *programs.pages()]
    return [*made, *decisions.pages(root)]
