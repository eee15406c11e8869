"""Programs on disk: what the operator names is recognised, built if necessary, and made ready to start.

Start with `resolution.py`: it turns the operator's words into values of type `Bot` (`bot.py`). Each hand-in is copied
once (`hand_in.py`, by `content.py` and `safe_paths.py`; `zip_and_tar.py` for packed ones) and recognised
(`recognise.py`). What that finds out is a build plan (`build_plan.py`), made by `sources.py` with `projects.py`,
`java.py` and `python2.py`, by `declared.py` for `bot.toml` and `command.txt`, or by `programs.py` for executables and
command lines; `source_dependencies.py` says which other files a single source needs. `cache.py` stores finished
builds, `building.py` makes new ones. Files that may come from a stranger are parsed in another process:
`isolated_reader.py` is our side of it, `reader_process.py` the other side. `tools.py` finds compilers and
interpreters, `archive.py` packs a bot into bytes. What is known about each language is one row of the table in
`dohyo.languages`.
"""

from dohyo.bots.bot import LIFETIMES, Bot
from dohyo.bots.resolution import resolve, samples
from dohyo.bots.tools import Found, Tools

__all__ = ["LIFETIMES", "Bot", "Found", "Tools", "resolve", "samples"]
