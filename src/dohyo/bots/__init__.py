"""Programs on disk: what the operator names is recognised, built where it has to be, and ready to be started.

`resolution.py` is the way in: from the operator's words to `Bot` values (`bot.py`). It copies each hand-in once
(`hand_in.py`, `safe_paths.py`, `content.py`), recognises it (`recognise.py`, which leads to `sources.py`, `projects.py`,
`java.py`, `python2.py`, `declared.py` for bot.toml and command.txt, `programs.py` for command lines and executables,
`zip_and_tar.py`), and so has a `build_plan.py`; whose build is in `cache.py`, or is made by `building.py`. What may be a
stranger's is parsed in a process of its own (`isolated_reader.py` here, `reader_process.py` there). Which other files a
lone source brings along: `source_dependencies.py`. Compilers and interpreters of this machine: `tools.py`. A bot as one
piece of bytes: `archive.py`. What is known of each language is one row in `dohyo.languages`.
"""

from dohyo.bots.bot import LIFETIMES, Bot
from dohyo.bots.resolution import resolve, samples
from dohyo.bots.tools import Found, Tools

__all__ = ["LIFETIMES", "Bot", "Found", "Tools", "resolve", "samples"]
