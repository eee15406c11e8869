"""The steps from an empty database to the tables of this Dohyo, in order; alembic reads each from its file.

A step that has been released is never changed: what comes later is a step of its own.
"""
