"""Ends in its first turn as if all were well."""

import sys

from guest import begin

begin()
sys.exit(0)
