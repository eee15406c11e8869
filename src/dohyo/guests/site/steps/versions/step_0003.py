"""When the author of a question has read its answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Take the step; answers of before count as read."""
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("read", sa.Float(), nullable=True))
        batch_op.create_index("questions_by_person", ["person"], unique=False)
    op.execute("UPDATE questions SET read = answered")
