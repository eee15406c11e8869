"""Bots that stay at home."""
