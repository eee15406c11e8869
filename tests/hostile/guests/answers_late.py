"""Answers 10 ms after its time is up."""

import time

from guest import WORDS, begin, play_on

begin()
time.sleep(float(WORDS["seconds"]) + 0.01)
play_on()
