"""Answers before it is asked."""

from guest import asked, play_on, say

say("READY\nN\n")
asked()
if asked():
    play_on()
