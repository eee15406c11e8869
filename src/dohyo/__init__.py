"""Dohyo, the arena for programs that play games."""

__version__ = "0.1.0"
