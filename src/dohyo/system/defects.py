"""A defect of ours, on standard error: its traceback, which may quote what strangers wrote, is cleaned."""

from __future__ import annotations

import sys

from dohyo import clean


def print_defect() -> None:
    """Print the traceback of the exception that is being handled."""
    import traceback

    sys.stderr.write(clean.block(traceback.format_exc()))
