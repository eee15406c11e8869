"""Runs a bot in Python under pdb: the bot reads a file as its standard input, and pdb has the terminal.

    python3 pdb_with_input.py INPUT bot.py ARGUMENTS

pdb and the program that it debugs usually share the standard input. Here descriptor 0 is the recorded input while the
bot runs, whatever the bot reads with (`input()`, `sys.stdin`, `os.read`), and the terminal while pdb waits for a
command. The bot's own interpreter runs this file, which may be an old Python 3, and which need not have Dohyo.
"""

import builtins
import io
import os
import pdb
import sys
import traceback
import types
from typing import Any


class WithInput(pdb.Pdb):
    """pdb, with the terminal as its standard input and another one for the program."""

    def __init__(self, path: str) -> None:
        """`path` is the program's input."""
        here = os.open(".", os.O_RDONLY)
        os.chdir("/")  # pdb reads commands from a `.pdbrc` in the current folder, which may be a hand-in
        super().__init__()
        os.fchdir(here)
        os.close(here)
        self._terminal = os.dup(0)
        file = os.open(path, os.O_RDONLY)
        os.dup2(file, 0)
        os.close(file)
        self._input = os.dup(0)
        self._commands = sys.stdin  # descriptor 0, too; nothing was read from it yet
        sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115

    def cmdloop(self, intro: Any = None) -> None:
        """Take commands from the terminal; the program's input stays where it was."""
        programs = sys.stdin
        os.dup2(self._terminal, 0)
        sys.stdin = self._commands
        try:
            super().cmdloop(intro)
        finally:
            os.dup2(self._input, 0)
            sys.stdin = programs

    def rewind(self) -> None:
        """Begin with the program's input anew."""
        os.lseek(self._input, 0, os.SEEK_SET)
        sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115


def main() -> None:
    """Debug the program that the arguments name, from its first line; look at it again where it failed."""
    path, program = sys.argv[1:3]
    sys.argv = sys.argv[2:]
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    with io.open_code(program) as file:
        source = file.read()
    try:
        code = compile(source, program, "exec")
    except SyntaxError as error:
        sys.exit(f"{program} does not parse: line {error.lineno}: {error.msg}")
    debugger = WithInput(path)
    while debug(debugger, code, program):
        debugger.rewind()


def debug(debugger: WithInput, code: Any, program: str) -> bool:
    """Run the program once under the debugger; whether it is to be run again."""
    module = sys.modules["__main__"] = types.ModuleType("__main__")  # the program finds itself there, and not us
    names = vars(module)
    names.update(__file__=program, __builtins__=builtins)
    try:
        try:
            debugger.run(code, names, names)
        except (SystemExit, pdb.Restart):
            raise
        except EOFError:
            sys.stdout.write("The recorded input ends here: from here on the bot was not asked.\n")
        except BaseException as error:
            traceback.print_exc()
            debugger.reset()
            debugger.interaction(None, error.__traceback__)
    except SystemExit as end:
        sys.stdout.write(f"The program ended: {end.code!r}\n")
    except pdb.Restart:
        return True
    return False


main()
