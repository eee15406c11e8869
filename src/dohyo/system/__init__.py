"""What we ask of the operating system, besides running bots.

`disk`: remove, copy, read and measure folders that strangers have written. `temporary`: our own temporary folders,
and what killed processes left of theirs. `interpreter`: how we start a Python process of our own. `processor`: which
processor this is, for machine code that is kept.
"""
