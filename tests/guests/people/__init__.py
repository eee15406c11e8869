"""Servers: what they are sent, what they do wrong, and which addresses may be asked."""
