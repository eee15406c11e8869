"""Writes to standard error without end, in a process of its own, and plays on beside it.

Told how much is a flood, it plays only once that much has been written: how fast the machine is changes nothing.
"""

import os

from guest import WORDS, begin, play_on, write

LINE = b"x" * 65_536
least = int(WORDS.get("flood", 0)) // len(LINE)
written, tell = os.pipe()
begin()
if os.fork() == 0:
    for _ in range(least):
        write(2, LINE)
    write(tell, b".")
    while True:
        write(2, LINE)
os.read(written, 1)
play_on()
