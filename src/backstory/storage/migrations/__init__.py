"""Alembic migrations, for both databases."""
