"""Is ended by a signal in its first turn."""

import os
import signal

from guest import begin, hang

begin()
signal.signal(signal.SIGSEGV, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGSEGV)
hang()
