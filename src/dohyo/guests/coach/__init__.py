"""What costs a bot the most points over all its matches: `dohyo coach`.

`matches.py` finds the matches of a store or of replays, `entries.py` takes down what is kept of each seat.
`coaching.py` asks everything at once and names what is sure: `questions.py` (conditions, seats, opponents, openings,
parts of the match), `habits.py` (what the bots above it do otherwise, its own `@value`), `inputs.py` (on which inputs
it has its faults), `chances.py` (what others made of such positions). How sure an answer must be is
`dohyo.series.costs`. `findings.py` has what is named, `sentences.py` and `page.py` tell it, `command.py` is the
command.
"""
