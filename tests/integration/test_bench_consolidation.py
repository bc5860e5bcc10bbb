"""Workers and a scheduler may be killed at any moment: ten seconds of it."""

import pytest

from bench.consolidation import run
from bench.filled import DATABASES


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("database", DATABASES)
def test_each_consolidation_is_done_once(database: str) -> None:
    (found,) = run(seconds=5.0, databases=[database], seed=3).values()
    assert found["kills"] >= 3
    assert found["conversations"] >= 1
