"""Closes its standard input after its first turn, and so never hears of another."""

import os

from guest import begin, hang, say

begin()
os.close(0)
say("N\n")
hang()
