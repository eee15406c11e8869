"""Why a match went as it did: `dohyo analyse`.

`analysis.py` says each seat's chances turn by turn and which decisions cost the most; `dohyo.series.analyst` judges
one position by search. `sentences.py` and `chances.py` tell it in the terminal and on the page, `worker.py` does it
for a page that is served. `command.py` is the command.
"""
