"""A process that is killed in the middle of a reindex: the next one goes on, at once."""

import time
from pathlib import Path

import pytest

from backstory import Memory
from backstory.testing import HashEmbedder
from tools import forked

COUNT = 200
MOVE = """
import sys
from backstory import Memory
from backstory.testing import HashEmbedder

def show(done, total):
    print(done, flush=True)

memory = Memory(sys.argv[1], embedder=HashEmbedder())
memory.reindex(HashEmbedder(32, model="new", delay_s=0.15), progress=show)
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with tables and no rows, of each kind."""
    if request.param == "sqlite":
        (tmp_path / "memory.db").write_bytes(request.getfixturevalue("ready_sqlite"))
        return str(tmp_path / "memory.db")
    return str(request.getfixturevalue("ready_postgres_url"))


def test_the_next_process_goes_on(url: str) -> None:
    texts = [f"note {n} about topic{n}" for n in range(COUNT)]
    with Memory(url, embedder=HashEmbedder()) as memory:
        memory.add(texts, user_id="u", infer=False)
    moving = forked.start(MOVE, url)
    for line in moving.stdout:
        if int(line) >= 64:
            break
    moving.kill()
    moving.finish()
    with Memory(url, embedder=HashEmbedder()) as memory:
        status = memory.reindex_status()
        assert (status.active, status.target, status.running) == (
            "hash:words@1",
            "hash:new@1",
            False,
        )
        assert 64 <= status.done < COUNT
        assert memory.search(texts[5], user_id="u").degraded is None
        began = time.monotonic()
        embedder = HashEmbedder(32, model="new")
        result = memory.reindex(embedder)
        assert time.monotonic() - began < 30, "it waited for the lease of a dead process"
        assert (result.switched, result.embedded) == (True, COUNT - status.done)
        assert len(set(embedder.texts) & set(texts)) == COUNT - status.done
        hits = memory.search("topic", user_id="u", kind="messages", top_k=COUNT, explain=True)
        assert {hit.text for hit in hits} == set(texts)
        assert all(hit.why is not None and hit.why.cosine is not None for hit in hits)
