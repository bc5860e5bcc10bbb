"""A process that reads an import is killed in the middle: nothing is lost, nothing is double."""

import threading
import time
from pathlib import Path

from backstory import Memory
from backstory.settings import Settings
from backstory.testing.chat_server import Call, ChatServer, Reply
from tests.acceptance.scripted import reads
from tests.acceptance.talks import VERA
from tests.acceptance.test_bulk_import import answer, bring, chain
from tools import forked

_FLUSH = """
import sys
from backstory import Memory
from backstory.settings import Settings
settings = Settings(background=False, llm="openai:shades", llm_url=sys.argv[2])
with Memory(sys.argv[1], settings=settings, embedder=None) as memory:
    memory.flush("vera", timeout_s=60)
"""
_SESSIONS, _EACH, _AT_ONCE, _BATCH = 5, 27, 8, 12
_LIMIT_S = 50


def test_a_killed_reading_goes_on_where_it_was(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    killed = threading.Event()

    def hold(call: Call) -> Reply:
        if reads(call) and sum(map(reads, server.calls)) > _AT_ONCE:
            killed.wait(_LIMIT_S)
        return Reply(text=answer(call))

    with ChatServer(hold) as server:
        settings = Settings(background=False, llm="openai:shades", llm_url=server.url)
        with Memory(path, settings=settings, embedder=None) as memory:
            towns = bring(memory, _SESSIONS, _EACH)
            child = forked.start(_FLUSH, path, server.url)
            deadline = time.monotonic() + _LIMIT_S
            while not memory.facts.get(VERA, limit=1) and time.monotonic() < deadline:
                time.sleep(0.02)
        child.kill()
        killed.set()
        child.finish()
        with Memory(path, settings=settings, embedder=None) as memory:
            before = chain(memory)
            assert before == towns[: len(before)]
            assert len(before) == _AT_ONCE * _BATCH < len(towns), "killed in the middle"
            done = memory.flush(VERA, timeout_s=60)
            assert (done.read, done.failed) == (len(towns) - len(before), 0)
            assert chain(memory) == towns
            for session in memory.sessions(VERA):
                told = memory.summaries.for_session(VERA, session.id)
                assert told is not None
                assert told.messages == _EACH
            assert len(memory.graph.get_context(VERA).text) > 0
        calls = [call for call in server.calls if reads(call)]
        assert len(calls) <= len(towns) / _BATCH + 1 + _AT_ONCE, (
            "only what was going on is asked again"
        )
