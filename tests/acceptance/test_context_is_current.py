"""What is kept in memory never shows: neither an old text nor what a caller changed in a hit."""

import gc
from datetime import UTC, datetime, timezone
from datetime import timedelta as span
from pathlib import Path
from zoneinfo import ZoneInfo

from backstory import Memory
from backstory.core.model.message import Message, Role
from backstory.services.recalling.sources.lines import Lines

NOW = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)


def text_of(memory: Memory, **options: object) -> str:
    shown = memory.context("vera", "What about the dog?", **options)  # type: ignore[arg-type]
    searched = [hit.text for hit in memory.search("dog", user_id="vera", kind="messages")]
    assert all(text in shown.text for text in searched), (searched, shown.text)
    return shown.text


def test_a_context_shows_what_another_process_wrote(tmp_path: Path) -> None:
    place = str(tmp_path / "memory.db")
    with Memory(place, embedder=None) as here, Memory(place, embedder=None) as there:
        with here.session(user_id="vera", session_id="old", bulk_import=True) as session:
            session.add_many(["The dog is called Rex.", "The dog eats fish."])
        first, second = here.add(["The dog is ill."], user_id="vera", session_id="talk"), None
        for number in range(3):
            for memory in (here, there):
                assert "The dog is ill" in text_of(memory)
                assert "called Rex" in text_of(memory, session_id="talk")
            second = there.add([f"The dog is well, {number}."], user_id="vera", session_id="talk")
            assert f"well, {number}" in text_of(here)
        assert second is not None
        there.update(second.messages[0].id, text="The dog is fat.", user_id="vera")
        assert "dog is fat" in text_of(here)
        assert "well, 2" not in text_of(here)
        there.delete(first.messages[0].id, user_id="vera")
        assert "is ill" not in text_of(here)
        there.delete_all(user_id="vera", session_id="talk")
        assert "This conversation" not in text_of(here)
        assert "fat" not in text_of(here, session_id="talk")
        there.add(["The dog sleeps."], user_id="vera", session_id="talk")
        assert "dog sleeps" in text_of(here)
        there.forget_user("vera")
        assert text_of(here) == ""
        assert text_of(here, session_id="talk") == ""


def test_what_a_caller_changes_in_a_hit_stays_his(tmp_path: Path) -> None:
    with Memory(str(tmp_path / "memory.db"), embedder=None) as memory:
        turns = [{"role": "user", "content": f"dog {n}", "metadata": {"a": [n]}} for n in range(3)]
        memory.add([*turns, "a dog without"], user_id="vera")
        before = [hit.to_dict() for hit in memory.search("dog", user_id="vera", kind="messages")]
        for hit in memory.search("dog", user_id="vera", kind="messages"):
            for message in (hit.message, *hit.window):
                assert message is not None
                message.metadata["a"] = message.metadata.get("a", [])  # type: ignore[index]
                message.metadata["a"].append("changed")
        after = [hit.to_dict() for hit in memory.search("dog", user_id="vera", kind="messages")]
        assert before == after


def message(text: str = "hi") -> Message:
    return Message(
        id="1",
        user_id="vera",
        session_id="s",
        role=Role.USER,
        text=text,
        timestamp=NOW,
        recorded_at=NOW,
    )


def test_a_line_lives_as_long_as_its_message() -> None:
    lines = Lines()
    kept = message()
    tokyo, east = ZoneInfo("Asia/Tokyo"), timezone(span(hours=2))
    assert lines.of(kept, UTC).text == "- 2026-03-01 user: hi"
    assert lines.of(kept, UTC) is lines.of(kept, UTC)
    assert lines.of(kept, tokyo).text == lines.of(kept, east).text == "- 2026-03-02 user: hi"
    assert lines.of(message("hello there"), UTC, 6).text == "- 2026-03-01 user: hello…"
    assert lines.of(kept, UTC, 1).text == "- 2026-03-01 user: …"
    gc.collect()
    assert len(lines._known) == 1
    for number in range(50):
        assert lines.of(message(f"text {number}"), UTC).text.endswith(f"text {number}")
    del kept
    gc.collect()
    assert not lines._known
