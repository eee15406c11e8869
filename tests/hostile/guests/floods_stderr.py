"""Writes to standard error without end, in a process of its own, and plays on beside it."""

import os

from guest import begin, play_on, write

begin()
if os.fork() == 0:
    while True:
        write(2, b"x" * 65_536)
play_on()
