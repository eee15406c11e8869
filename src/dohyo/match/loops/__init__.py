"""The fast path: ordinary turns of a match are played in a loop of their own, many at a time.

Here stands what both loops take and report. `kernel.py` is the loop that is compiled together with a game's rules,
and says what an ordinary turn is; `python_loop.py` is the same loop where nothing is compiled; `driver.py` runs
either one in a match, writes its turns into the replay, and hands back each turn that the loop could not finish.
Which loop a match gets, and when the compiled one pays, is decided in `dohyo/match/loops/driver.py`;
`dohyo/match/loops/compiled_loop.py` compiles it.
"""

FIONREAD = 0x541B  # Linux: how many bytes wait in a pipe
SECOND = 1_000_000_000

PATIENCE = 5_000_000  # nanoseconds, at least, that a program is waited for without looking at the others
TRIAL_TURNS = 8  # after so many turns without output on standard error, the loop no longer looks after each turn
MAX_TURNS = 256  # turns that are played before the caller has a look

# Why the loop ended
LIMIT_REACHED, NOT_ORDINARY, STDERR_SEEN, INCOMPLETE = 0, 1, 2, 3

# What it reports, by index in `end`
WHY, TURNS, SEAT, SENT, RECEIVED, START, NOW, WROTE = 0, 1, 2, 3, 4, 5, 6, 7
PROMPT = 8  # the length of the last prompt
WATCH_STDERR = 9  # whether it still looked at standard error after each turn
FORCED = 10  # whether a line may have been another action than the one that was carried out
LONGEST, TOGETHER = 11, 12  # how long the slowest turn took, and all of them, in nanoseconds
ASKED = 13  # when the pipe had taken its prompt, on the clock of `START`
LENGTH = 14
DIGEST = 8  # characters

# A seat's row in `channels`: its descriptors; its process group if it is to be paused, or 0; whether it is running
STDIN, STDOUT, STDERR, GROUP, RUNNING = 0, 1, 2, 3, 4
CHANNEL_LENGTH = 5
NOBODY = -1  # in the place of a descriptor
