"""Filters over a user's partition; the database is asked only for what the partition lacks."""

import numpy as np
from numpy.typing import NDArray

from backstory.core.filters import Filter, mask_of
from backstory.core.model.scope import Scope
from backstory.core.partition import Partition
from backstory.ports.store import Store


async def filtered(
    store: Store, scope: Scope, partition: Partition, conditions: Filter
) -> NDArray[np.bool_]:
    """Mark the rows of a partition that pass a filter."""
    names = conditions.session_names
    keys = await store.partitions.session_keys(scope, partition, names) if names else {}
    metadata = None
    if conditions.metadata:
        metadata = await store.partitions.metadata(scope, partition)
    return mask_of(partition, conditions, keys, metadata)
