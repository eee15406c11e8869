"""Has many processes wait for a processor at the same moment, and then sleeps for three times its time."""

import time

from guest import WORDS, begin, crowd, play_on

begin()
crowd(5)
time.sleep(3 * float(WORDS["seconds"]))
play_on()
