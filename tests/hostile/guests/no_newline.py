"""Answers without ending the line."""

from guest import begin, hang, say

begin()
say("N")
hang()
