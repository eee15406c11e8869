"""Puzzles from ladders' matches, and who has tried them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("puzzles_by_game", "puzzles", ["game", "at"], unique=False)
    op.create_table(
        "puzzle_looks",
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"]),
        sa.PrimaryKeyConstraint("ladder"),
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["puzzle"], ["puzzles.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person", "puzzle"),
    )
