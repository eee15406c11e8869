"""Stops itself in its first turn."""

import os
import signal

from guest import begin, play_on

begin()
os.kill(os.getpid(), signal.SIGSTOP)
play_on()
