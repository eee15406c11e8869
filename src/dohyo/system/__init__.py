"""What we ask of the operating system, besides running bots.

`disk`: remove and measure folders that strangers have written; `used_again`: copy, tidy and read them. `temporary`:
our own temporary folders, and what killed processes left of theirs. `interpreter`: how we start a Python process of
our own. `search_path`: where programs and modules are searched, and where not. `processor`: which processor this is,
for machine code that is kept.
"""
