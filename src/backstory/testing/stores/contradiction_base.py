"""Short ways to make contradictions and collisions."""

from datetime import datetime
from typing import Any

from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction, ContradictionState, GatePath
from backstory.core.model.fact import Fact
from backstory.testing.stores.base import NOW, new_id


def contradiction(
    stored: Fact, stated: str, *, state: str = "open", at: datetime = NOW, **more: Any
) -> Contradiction:
    """What was said against a row."""
    given: dict[str, Any] = {
        "id": new_id(),
        "user_id": stored.user_id,
        "subject": stored.subject,
        "key": stored.key,
        "stored_value": stored.value,
        "stored_fact_id": stored.id,
        "stated_value": stated,
        "gate_path": GatePath.SAME_KEY,
        "gate_reason": "two answers to one question",
        "opened_at": at,
        "last_seen_at": at,
        "state": ContradictionState(state),
    }
    return Contradiction(**{**given, **more})


def collision(name: str, *facts: Fact, at: datetime = NOW, **more: Any) -> Collision:
    """One name that rows file under two kinds."""
    given: dict[str, Any] = {
        "id": new_id(),
        "user_id": facts[0].user_id if facts else "vera",
        "name": name,
        "family": "species",
        "kinds": ("cat", "dog"),
        "fact_ids": tuple(row.id for row in facts),
        "opened_at": at,
    }
    return Collision(**{**given, **more})
