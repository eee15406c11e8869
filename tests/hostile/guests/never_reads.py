"""Reads nothing, and says nothing."""

from guest import hang, say

say("READY\n")
hang()
