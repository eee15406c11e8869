"""`dohyo check`: what is wrong with a bot, and why.

`check.py` checks one bot (`check_bot`), `hand_ins.py` a folder of them (`check_all`). First comes the protocol check
(`protocol_check.py`): the bot alone, read through a `probe.py`, in a `practice_match.py`; then real matches against
the sample bot `random`. `diagnosis.py` says what is wrong with a line or a fault, with what `dohyo.languages` knows
of languages. `findings.py` has the values that come out: findings, and the report. The command prints them in
`cli/check.py`.
"""
