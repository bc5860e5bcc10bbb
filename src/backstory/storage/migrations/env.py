"""Alembic's entry: runs on the connection and in the transaction that ``schema.py`` hands over."""

from alembic import context

options = context.config.attributes
context.configure(
    connection=options["connection"],
    version_table=options["prefix"] + "alembic_version",
    version_table_schema=options["schema"],
)
with context.begin_transaction():
    context.run_migrations()
