"""Which users' vectors are also in an index of the database."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None

KEY = ("tenant_id", "user_id")


def upgrade() -> None:
    """Create the table under the store's prefix and schema.

    The copies and their indexes are made at first need: they take an extension of PostgreSQL.
    """
    options = op.get_context().config.attributes  # type: ignore[union-attr]
    prefix, schema = options["prefix"], options["schema"]
    place = f"{schema}.{prefix}" if schema else prefix
    op.create_table(
        f"{prefix}large_parts",
        sa.Column("tenant_id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column(
            "generation_id",
            sa.Integer,
            sa.ForeignKey(f"{place}embedding_generations.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("ready", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint(*KEY, "generation_id", name=f"{prefix}large_parts_pkey"),
        sa.ForeignKeyConstraint(
            KEY,
            [f"{place}users.{column}" for column in KEY],
            name=f"{prefix}large_parts_user_fkey",
            ondelete="CASCADE",
        ),
        schema=schema,
    )
