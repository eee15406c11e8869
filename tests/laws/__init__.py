"""Laws: what must hold for every game that is found. No list of games stands here.

A game may tell the laws more about itself in `tests/games/<game>/laws.py`:

    SETUPS                        setups to hold the laws under; without it, the default one alone
    PLAYED                        setups that the sample bots play as programs; without it, SETUPS
    MARKS                         kinds of special events (a frame's marks), and how often the laws must have met them
    unseen(state, seat, random)   a changed copy of a state that looks the same to the seat, or none where nothing is
                                  hidden there; a game of imperfect information must have it

The laws are in `dohyo.laws`; here stand the games, and laws that need what only tests have.

Every law counts what it exercised (matches, turns, faults, special events) and fails when that is less than its
floor; the counts stand below the tests' dots.
"""
