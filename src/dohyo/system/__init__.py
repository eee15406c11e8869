"""What we ask of the operating system, besides running bots.

`disk`: remove and measure folders that strangers have written; `used_again`: copy, tidy and read them. `temporary`:
our own temporary folders, and what killed processes left of theirs. `interpreter`: how we start a Python process of
our own. `search_path`: where programs and modules are searched, and where not. `proc`: what /proc tells of processes,
and what they have used. `scheduler`: on which cores we run, and how soon. `shipped`: the machine code that ships with
Dohyo; `native` calls it.
"""
