"""The command line. `main.py` lists the commands; each command is the module of its name, with `app`.

`asking.py` makes a command's options of what can be asked (`dohyo.core.asked`), `options.py` has what commands share.
`contest.py` and the files `contest_*.py` are `dohyo contest`, `guests.py` finds the commands that guests bring.
`help_texts.py` translates `--help`, `signals.py` turns Ctrl-C into an exit status, `usage.py` says what is wrong with
a command line. What is printed is made in `dohyo.terminal`.
A command imports what it works with inside its functions, so that `--help` stays fast.

Whoever imports this package is the command, so it first leaves out what it should not search for modules.
"""

from dohyo.system import interpreter

interpreter.drop_relative()
