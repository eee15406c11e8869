"""Programs on disk: what the operator names is recognised, built if necessary, and made ready to start.

`typed_words.py` is the way in: from the operator's words, sample bots (`samples.py`) among them, to values of type
`Bot` (`bot.py`). What was prepared before and has not changed comes from a record (`prepared.py`, with
`program_files.py`); everything else goes through `preparation.py`, and all files below serve that. Each hand-in is
copied once (`hand_in.py`, by `content.py` and `safe_paths.py`; `zip_and_tar.py`, `manifests.py` read more) and
recognised (`recognise.py`). What that finds out is a build plan (`build_plan.py`), made by `sources.py` and
`folder_sources.py` (with `aside.py`), by `declared.py` for `bot.toml` and `command.txt`, or by `programs.py` for
executables and command lines. The row of a language names what else builds it: `native.py`, `projects.py`, `node.py`,
`python_sources.py`, or a guest's; they read sources by `stripped.py`. `source_dependencies.py` says which other files
a lone source brings along. `cache.py` says where the cache is, `builds.py` keeps finished builds there, and
`building.py` makes a new one. What may be a stranger's is parsed in another process: `isolated_reader.py` is our end
of it, `reader_process.py` its own. `tools.py` finds compilers and interpreters, `archive.py` makes a bot one piece of
bytes. What is known of each language is one row in `dohyo.languages`.
"""

from dohyo.bots.bot import LIFETIMES, Bot
from dohyo.bots.samples import samples, samples_of
from dohyo.bots.typed_words import resolve

__all__ = ["LIFETIMES", "Bot", "resolve", "samples", "samples_of"]
