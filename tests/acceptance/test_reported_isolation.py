"""Reported failures of other systems: one user's data on another user's screen."""

from pathlib import Path

import pytest

from backstory import Memory
from backstory.errors import InvalidInputError, NotFoundError, StoreError
from tests.acceptance.places import ON_ONE, Place, everything, message_of, versions_of


def test_an_id_is_never_a_pattern(memory: Memory) -> None:
    """BUG-001."""
    memory.add("My bike is green", user_id="kim_lee")
    memory.add("My locker code is 4471", user_id="kimxlee")
    for asking in ("kim_lee", "%", "kim%", "kim_le_", "' OR '1'='1", "KIMXLEE"):
        assert "4471" not in everything(memory, asking, "locker code"), asking
    assert memory.delete_all(user_id="%").messages == 0
    assert "4471" in everything(memory, "kimxlee", "locker code")


def test_every_index_is_scoped(memory: Memory) -> None:
    """BUG-003."""
    memory.add("Pixel the cat eats salmon", user_id="u1")
    memory.add("Pixel the cat eats chicken", user_id="u2")
    for user, own, other in (("u1", "salmon", "chicken"), ("u2", "chicken", "salmon")):
        seen = everything(memory, user, "What does Pixel eat?")
        assert own in seen
        assert other not in seen


def test_tenants_are_walls_too(place: Place) -> None:
    """BUG-003, for tenants: the same user id in two tenants is two people."""
    first, second = place.open(tenant="first"), place.open(tenant="second")
    record = first.add("Pixel eats salmon", user_id="u").messages[0]
    second.add("Pixel eats chicken", user_id="u")
    assert "salmon" not in everything(second, "u", "Pixel")
    assert [user.messages for user in second.users()] == [1]
    for call in (second.get, second.history, second.delete):
        with pytest.raises(NotFoundError):
            call(record.id)
    assert message_of(first, record.id).text == "Pixel eats salmon"


def test_a_failed_write_is_an_error_and_opens_no_other_memory(place: Place) -> None:
    """BUG-005."""
    memory = place.open()
    memory.add("The vault is blue", user_id="alpha")
    lift = place.refuse("messages", "INSERT", "NEW.user_id = 'beta'")
    with pytest.raises(StoreError):
        memory.add("The vault is red", user_id="beta")
    lift()
    assert memory.search("vault", user_id="beta") == []
    assert memory.get_all(user_id="beta").total == 0
    assert [user.user_id for user in memory.users()] == ["alpha"]
    memory.add("The vault is red", user_id="beta")
    assert [hit.text for hit in memory.search("vault", user_id="beta")] == ["The vault is red"]


def test_an_id_alone_opens_nothing_of_another_user(memory: Memory) -> None:
    """BUG-007, at the facade: whoever names a user sees records of that user only."""
    record = memory.add("My pin hint is the lake", user_id="u1").messages[0]
    with pytest.raises(NotFoundError):
        memory.get(record.id, user_id="u2")
    with pytest.raises(NotFoundError):
        memory.update(record.id, text="changed", user_id="u2")
    with pytest.raises(NotFoundError):
        memory.history(record.id, user_id="u2")
    with pytest.raises(NotFoundError):
        memory.delete(record.id, user_id="u2")
    assert message_of(memory, record.id, "u1").text == "My pin hint is the lake"
    assert len(versions_of(memory, record.id)) == 1


def test_a_delete_in_the_wrong_scope_is_no_success(memory: Memory) -> None:
    """BUG-009."""
    mine = memory.add("mine", user_id="u1").messages[0]
    other = memory.add("other", user_id="u2").messages[0]
    for wrong in (other.id, "0" * 32, "not-an-id", "' OR 1=1 --"):
        with pytest.raises(NotFoundError):
            memory.delete(wrong, user_id="u1")
    with pytest.raises(InvalidInputError):
        memory.delete("", user_id="u1")
    assert message_of(memory, mine.id).text == "mine"
    assert message_of(memory, other.id).text == "other"


@pytest.mark.parametrize(
    "name",
    [
        "../escape",
        "notes/../../escape2",
        ".",
        "..",
        "C:\\temp\\x",
        "a b",
        "ünïcødé",
        "日本語のユーザー",
        "مستخدم",
        "🦊" * 512,
        "x" * 512,
        "%2e%2e%2f",
        '"; DROP TABLE messages; --',
        "{0}{name}%s",
        "con\ntrol",
    ],
)
def test_ids_are_opaque_text(place: Place, name: str) -> None:
    """BUG-110: no id becomes a path, a pattern or SQL; every one of them works."""
    memory = place.open()
    with memory.session(user_id=name, session_id=name, agent_id=name) as session:
        message = session.add("user", "the code word is marigold", message_id=name)
        again = session.add("user", "the code word is marigold", message_id=name)
    assert (message.created, again.created) == (True, False)
    assert again.id == message.id
    assert message.message_id == name
    hit = memory.search("marigold", user_id=name, kind="messages")[0]
    assert hit.message is not None
    assert hit.message.session_id == name
    assert memory.get_all(user_id=name, session_id=name).total == 1
    assert memory.context(name, "code word", session_id=name).items
    assert [user.user_id for user in memory.users()] == [name]
    if not place.is_postgres:
        files = {path.name for path in Path(place.url).parent.iterdir()}
        assert files <= {"memory.db", "memory.db-wal", "memory.db-shm"}


@ON_ONE
@pytest.mark.parametrize("bad", ["", "a\0b", "x" * 513, "\ud800", None, 7])
def test_ids_that_no_store_can_hold_are_refused(memory: Memory, bad: object) -> None:
    """BUG-110: an empty name is refused and nothing is stored."""
    with pytest.raises(InvalidInputError, match="user_id"):
        memory.add("hello", user_id=bad)  # type: ignore[arg-type]
    if bad is not None:
        with pytest.raises(InvalidInputError, match="session_id"):
            memory.session(user_id="u", session_id=bad)  # type: ignore[arg-type]
    assert memory.users() == []
