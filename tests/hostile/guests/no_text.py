"""Answers with NUL, and with bytes that are no UTF-8."""

from guest import asked, begin, play_on, say

begin()
say(b"N\0N\n")
asked()
say(b"\xff\xfeN\xc3\n")
asked()
play_on()
