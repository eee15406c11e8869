"""What the hostile guests in Python share: the protocol. No guest lives longer than a minute."""

import os
import signal
import sys
import time

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


def burn(seconds):
    """Compute for so long, by processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def crowd(times):
    """As many processes as there may be wake, and compute for a moment: on a few processors, most of them wait."""
    number = int(WORDS["tasks"]) - 6
    wake, woken = os.pipe(), os.pipe()
    for _ in range(number):
        if os.fork() == 0:
            while os.read(wake[0], 1):
                burn(0.003)
                os.write(woken[1], b".")
    for _ in range(times):
        write(wake[1], b"." * number)
        left = number
        while left:
            left -= len(os.read(woken[0], left))
