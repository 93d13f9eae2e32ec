"""Run by Alembic, with the connection that `upgrade` has opened a transaction on."""

from __future__ import annotations

from alembic import context

from lovat_client.arbiter.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA,
                  transactional_ddl=True, render_as_batch=True)
context.run_migrations()
