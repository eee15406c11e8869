"""A contest as it is broadcast: which match is shown when, what is said of it, how the standings move.

    interest.py    how interesting a match is, and why
    director.py    which match is shown next, and how long it stays
    showing.py     one match, turn by turn at a pace that can be followed
    lines.py       what is said of it: sentences as data, from events, points, chances, ratings
    moving.py      what is said of standings: who overtakes whom, streaks
    stage.py       what is read for all that: from a contest's store, and from matches that are being played
    programme.py   joins them: what is new, again and again

Nothing here knows how it is shown. A page is made of it by `dohyo.web.broadcast`, a terminal's picture by
`dohyo.guests.broadcast`. What is told is data that any language can say, and so can be told to many at once.
"""
