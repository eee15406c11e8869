"""Answers twice to one question."""

from guest import asked, begin, play_on, say

begin()
say("N\nN\n")
asked()
if asked():
    play_on()
