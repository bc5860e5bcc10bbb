"""How records that went on elsewhere are taken over by another store."""

from dataclasses import replace

from backstory.core.model.run import ConsolidationRun, RunState


def run_here(run: ConsolidationRun, user_id: str) -> ConsolidationRun:
    """A run as another store takes it over: one that was going on there is queued here."""
    if run.state is not RunState.RUNNING:
        return replace(run, user_id=user_id)
    return replace(
        run,
        user_id=user_id,
        state=RunState.QUEUED,
        started_at=None,
        holder=None,
        lease_until=None,
    )
