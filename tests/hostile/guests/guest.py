"""What the hostile guests in Python share: the protocol. No guest lives longer than a minute."""

import os
import signal
import sys

signal.alarm(60)
told = next((word[6:] for word in sys.argv if word.startswith("words=")), "")
WORDS = dict(line.split("=", 1) for line in bytes.fromhex(told).decode().splitlines())


def write(descriptor, text):
    rest = text if isinstance(text, bytes) else text.encode()
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def say(text):
    write(1, text)


def asked():
    """Read a whole prompt; false when the match is over."""
    return any(line == "EOD\n" for line in sys.stdin)


def begin():
    """Say READY, and wait to be asked for the first time."""
    say("READY\n")
    if not asked():
        sys.exit()


def play_on():
    """Do nothing until the match is over."""
    say("N\n")
    while asked():
        say("N\n")


def hang():
    while True:
        signal.pause()
