"""Closes its standard output when it is asked, and lives on."""

import os

from guest import begin, hang

begin()
os.close(1)
hang()
