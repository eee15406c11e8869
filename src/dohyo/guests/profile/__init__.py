"""How long a bot thinks, and where its time goes: `dohyo profile`.

`measure.py` measures turns; `profilers.py` runs a bot under the profiler of its language, `stacks.py` reads what that
wrote. `sentences.py` and `page.py` tell it, `command.py` is the command.
"""
