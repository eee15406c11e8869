"""How much a person keeps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Take the step."""
    _hand_ins()


def _hand_ins() -> None:
    with op.batch_alter_table("hand_ins", schema=None) as batch_op:
        batch_op.add_column(sa.Column("size", sa.Integer(), nullable=True))
