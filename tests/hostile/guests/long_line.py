"""Answers with a line of 10 MB."""

from guest import begin, play_on, say

begin()
say(b"N" * 10_000_000)
play_on()
