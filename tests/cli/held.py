"""A small contest between bots of the shell, as it is typed."""

from __future__ import annotations

# A clock that a busy machine does not make run: who starts late is ready all the same.
SHORT = ("--setup", "turns=8", "--trust", "--seed", "3", "--clock", "60,mode=cpu")
FOUR = ("a=./still", "b=./still", "c=./mumbler", "d=./quitter")
RUN = ("contest", "run", "--game", "drop-block", *FOUR, *SHORT)
LADDER = (*RUN, "--format", "ladder", "--option", "batch=2", "--batches", "1")
