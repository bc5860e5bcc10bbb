"""What integration tests use."""

from contextlib import nullcontext

import pytest

from tools.local_postgres import LocalPostgres


@pytest.fixture(autouse=True)
def benchmarks_share_a_server(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let benchmarks use the server of the tests; making one takes longer than they do."""
    if request.path.name.startswith("test_bench"):
        server: LocalPostgres = request.getfixturevalue("postgres_server")
        monkeypatch.setattr("bench.filled.LocalPostgres", lambda: nullcontext(server))
