"""Our rules against recorded games of the original referees.

`python -m tests.conformance drop-block FILE.jsonl.gz ...` plays recorded games and prints one line, such as
`drop-block games=196 states=93105 differences=0`; it ends with 1 if anything differed, and says on standard error
what did. Wrong use ends with 2.

A game takes part by a module here that bears its name (`drop_block.py`), and holds

    COUNTED            what the line counts beside games: "states"
    compare(recording) one recorded game, as its line in the file holds it -> `Compared`

A slice of each game's recordings stands in `tests/recordings/<game>.jsonl.gz`; how it was cut is said in that game's
module. More are read from `$DOHYO_RECORDINGS/<game>/`, by default `../shared/conformance` from the project's root.
"""
