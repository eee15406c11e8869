"""Ladders in which bots play that stay at home, and such bots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Take the step; no ladder of before takes such bots."""
    for table in ("ladders", "bots"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("distant", sa.Integer(), server_default="0", nullable=False))
