"""``backstory reindex``."""

from pathlib import Path

import pytest

from backstory import Memory
from backstory.testing.wire import EmbeddingServer, Fault
from tests.acceptance.cli_runner import answer, run


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with words only."""
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None) as memory:
        memory.add(["I like tea.", "It rains."], user_id="u", infer=False)
    return path


def test_moves_and_goes_back(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "whatever")
    assert answer("reindex", "--status", "-u", store)["active"] is None
    first = answer("reindex", "-u", store, "--embedder", "local")
    assert (first["switched"], first["embedded"], first["kept"]) == (True, 2, None)
    with EmbeddingServer() as server:
        config = tmp_path / "config.toml"
        config.write_text(f'embedder = "openai:words"\nembedder_url = "{server.url}"\n')
        server.script(Fault(), Fault(status=400), Fault(status=400), Fault(status=400))
        failed = run("reindex", "-u", store, "--config", config)
        assert failed.exit_code == 1
        assert "not switched: 2 records without a vector of openai:words" in failed.stderr
        shown = run("reindex", "--status", "-u", store)
        assert "stopped: 0 of 2 have a vector of openai:words" in shown.stdout
        moved = run("reindex", "-u", store, "--config", config)
        assert moved.exit_code == 0
        assert "uses openai:words now; 2 vectors made" in moved.stdout
        assert "backstory reindex --undo" in moved.stdout
        back = answer("reindex", "--undo", "-u", store, "--config", config)
        assert (back["target"][:6], back["pending"], back["kept"]) == ("local:", 0, "openai:words")
        dropped = answer("reindex", "-u", store, "--embedder", "local", "--drop-old")
        assert dropped["kept"] is None
        again = run("reindex", "--undo", "-u", store)
        assert again.exit_code == 3
        assert "no reindex to undo" in again.stderr


def test_options_that_do_not_go_together(store: Path) -> None:
    assert run("reindex", "--undo", "--drop-old", "-u", store).exit_code == 2
    none = run("reindex", "-u", store, "--embedder", "none")
    assert none.exit_code != 0
    assert "without an embedder" in none.stderr
