"""What we ask of the operating system, besides running bots.

`disk`: remove, copy, read and measure folders that strangers have written. `temporary`: our own temporary folders,
and removing those of killed processes. `interpreter`: how we start a Python process of our own. `processor`: which
processor this is, for stored machine code.
"""
