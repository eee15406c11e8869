"""Haskell: `row.py` says how it is recognised, built and started; `modules.py` which folders its modules begin in."""
