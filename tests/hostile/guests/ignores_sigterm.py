"""Ignores every signal that can be ignored, and does not end when the match is over."""

import signal

from guest import begin, hang, play_on

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGALRM}:
    signal.signal(number, signal.SIG_IGN)
begin()
play_on()
hang()
