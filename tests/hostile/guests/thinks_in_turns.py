"""Has many processes wait for a processor at the same moment; then two think in turns, too long together."""

import os

from guest import WORDS, begin, burn, crowd, play_on

begin()
crowd(2)
for _ in range(2):
    if os.fork() == 0:
        burn(0.8 * float(WORDS["seconds"]))
        os._exit(0)
    os.wait()
play_on()
