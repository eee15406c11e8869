"""Values for a bot's parameters, found by playing: `dohyo tune`.

`space.py` says what parameters are and how they are written, `effects.py` which of them change nothing. `tuning.py`
plays generations of candidates, `model.py` learns from their scores where to look next, `record.py` keeps all of it
in a file, `final.py` compares the values that were found with the bot's own on new seeds. `model.py` needs the extra
`tune`.
"""

import os

# Before NumPy is imported: the matrices are small, and threads for them would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
