"""Columns of embedding generations: for a change of the embedder, and for its calibration."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"
branch_labels: str | None = None
depends_on: str | None = None

INSTANT = sa.BigInteger().with_variant(sa.DateTime(timezone=True), "postgresql")
COLUMNS: tuple[tuple[str, Any], ...] = (
    ("calibration", sa.Text),
    ("retired_at", INSTANT),
    ("building_since", INSTANT),
    ("holder", sa.Text),
    ("lease_until", INSTANT),
    ("done", sa.BigInteger),
    ("total", sa.BigInteger),
    ("problem", sa.Text),
)


def upgrade() -> None:
    """Add the columns to the table under the store's prefix and schema."""
    options = op.get_context().config.attributes  # type: ignore[union-attr]
    for name, kind in COLUMNS:
        op.add_column(
            options["prefix"] + "embedding_generations",
            sa.Column(name, kind),
            schema=options["schema"],
        )
