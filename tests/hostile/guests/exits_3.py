"""Ends in its first turn with status 3."""

import sys

from guest import begin

begin()
sys.exit(3)
