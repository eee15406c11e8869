"""Run by alembic to carry out steps: on the connection that it was given, inside its transaction."""

from alembic import context

from dohyo.series.store.tables import VERSION_TABLE

# The transaction is the caller's: all steps together happen, or none.
context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
