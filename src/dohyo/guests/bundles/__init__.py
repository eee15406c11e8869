"""Results that a third party can check without us.

`bundle.py` writes a contest's results as one file, `check.py` checks one, `minisign.py` signs files,
`plain_tar.py` writes and reads tar files of plain members alone.
"""
