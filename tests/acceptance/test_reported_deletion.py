"""Reported failures of other systems: what was deleted or changed and came back."""

import pytest

from backstory import Memory, Recall
from backstory.errors import InvalidInputError, NotFoundError
from backstory.testing import HashEmbedder
from tests.acceptance.places import Place, everything, message_of
from tests.counts import cases


def test_a_deleted_message_leaves_nothing(place: Place) -> None:
    """BUG-093: not in a table, an index, the history, or the bytes of the file."""
    memory = place.open()
    record = memory.add("My diagnosis is condition Quorbax", user_id="u").messages[0]
    memory.add("The weather is fine", user_id="u")
    memory.update(record.id, text="My diagnosis is condition Quorbaxia")
    assert "Quorbax" in everything(memory, "u", "diagnosis")
    memory.delete(record.id)
    assert "Quorbax" not in everything(memory, "u", "diagnosis Quorbax")
    memory.close()
    assert "Quorbax" not in place.dump()
    assert "The weather is fine" in place.dump()


def test_a_deleted_message_stays_deleted(place: Place) -> None:
    """BUG-095: also when the rest is processed again, and in another process."""
    memory = place.open()
    first = memory.add("The first document mentions zircon", user_id="u").messages[0]
    memory.add("The second document mentions basalt", user_id="u")
    memory.delete(first.id)
    for _ in range(2):
        memory.flush("u")
        memory.close()
        memory = place.open()
        assert "zircon" not in everything(memory, "u", "zircon")
        assert "basalt" in everything(memory, "u", "document")


def test_a_delete_takes_effect_at_once_and_only_once(place: Place) -> None:
    """BUG-097."""
    memory = place.open()
    memory.add(["the code is another one", "and one more"], user_id="u")
    record = memory.add("the code word is marigold", user_id="u").messages[0]
    assert memory.search("marigold", user_id="u")[0].id == record.id
    memory.delete(record.id)
    left = memory.search("the code word is marigold", user_id="u", top_k=2)
    assert [hit.text for hit in left] == ["the code is another one", "and one more"]
    assert memory.get_all(user_id="u").total == 2
    for call in (memory.delete, memory.get, memory.history):
        with pytest.raises(NotFoundError):
            call(record.id)
    with pytest.raises(NotFoundError):
        memory.update(record.id, text="back again")
    memory.close()
    assert len(place.open().search("marigold", user_id="u")) == 2


def test_a_narrow_delete_is_narrow(memory: Memory) -> None:
    """BUG-099."""
    memory.add(["a1", "a2", "a3"], user_id="u1", session_id="s1")
    memory.add(["b1", "b2"], user_id="u1", session_id="s2")
    memory.add(["c1", "c2", "c3", "c4"], user_id="u2", session_id="s1")

    def left() -> tuple[int, int]:
        return memory.get_all(user_id="u1").total, memory.get_all(user_id="u2").total

    deleted = memory.delete_all(user_id="u1", session_id="s1")
    assert (deleted.messages, deleted.sessions) == (3, 1)
    assert left() == (2, 4)
    assert memory.delete_all(user_id="nobody").messages == 0
    assert left() == (2, 4)
    for scope in ({}, {"session_id": "s2"}):
        with pytest.raises(InvalidInputError, match="user_id"):
            memory.delete_all(**scope)
    with pytest.raises(InvalidInputError):
        memory.delete_all(user_id="")
    assert left() == (2, 4)
    assert memory.delete_all(user_id="u1").messages == 2
    assert left() == (0, 4)


def test_an_edit_makes_vector_and_words_anew(place: Place) -> None:
    """BUG-100 and BUG-102: the new text is found by both arms, the old one by none."""
    memory = place.open()
    record = memory.add("a stone of zircon", user_id="u").messages[0]
    memory.add(["other things", "and more of them"], user_id="u")
    memory.update(record.id, text="a column of basalt")
    for recall in (Recall(keyword=False), Recall(dense=False)):
        found = memory.search("basalt", user_id="u", recall=recall, threshold=0.4)
        assert [hit.id for hit in found] == [record.id]
        assert memory.search("zircon", user_id="u", recall=recall, threshold=0.4) == []
    assert "zircon" not in memory.context("u", "which stone?").text


def test_an_edit_with_a_remote_embedder_never_leaves_the_old_vector(place: Place) -> None:
    """BUG-102: between the edit and the new vector there is none, rather than a wrong one."""
    memory = place.open(embedder=HashEmbedder(is_local=False))
    record = memory.add("a stone of zircon", user_id="u").messages[0]
    memory.flush("u")
    memory.update(record.id, text="a column of basalt")
    hit = memory.search("a stone of zircon", user_id="u", explain=True)[0]
    assert hit.why is not None
    assert hit.why.cosine is None or hit.why.cosine < 0.7
    memory.flush("u")
    hit = memory.search("a column of basalt", user_id="u", explain=True)[0]
    assert hit.why is not None
    assert hit.why.cosine == pytest.approx(1.0, abs=1e-3)


def test_metadata_is_merged(memory: Memory) -> None:
    """BUG-104: 0, [] and "" are values; an empty text is refused."""
    custom = {"category": "work", "priority": 0, "tags": []}
    record = memory.add(
        {"role": "user", "content": "note", "metadata": custom}, user_id="u"
    ).messages[0]
    assert memory.update(record.id, text="another note").metadata == custom
    assert memory.update(record.id, metadata={"priority": 1}).metadata == {**custom, "priority": 1}
    changed = memory.update(record.id, metadata={"tags": [], "category": "", "priority": 0})
    assert changed.metadata == {"category": "", "priority": 0, "tags": []}
    with pytest.raises(InvalidInputError):
        memory.update(record.id, text="")
    with pytest.raises(InvalidInputError):
        memory.update(record.id)
    found = memory.search(
        "note", user_id="u", filters={"metadata": {"priority": 0, "tags": [], "category": ""}}
    )
    assert [hit.id for hit in found] == [record.id]
    assert memory.search("note", user_id="u", filters={"metadata": {"priority": False}}) == []
    assert message_of(memory, record.id).text == "another note"


def test_scores_are_similarities_on_every_backend(place: Place) -> None:
    """BUG-087: word for word is first, scores fall, and they lie in [0, 1]."""
    memory = place.open()
    facts = [f"fact number {n} is about {word}" for n, word in enumerate("abcdefghijklmnopqrst")]
    memory.add(facts, user_id="u")
    found = memory.search(facts[7], user_id="u", top_k=20)
    assert found[0].text == facts[7]
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[1]
    assert all(0 <= score <= 1 for score in scores)
    assert len(found) == 20
    near = memory.search(facts[7], user_id="u", recall=Recall(keyword=False), explain=True)[0]
    assert near.text == facts[7]
    assert near.why is not None
    assert near.why.cosine == pytest.approx(1.0, abs=1e-3)


def test_paging_visits_every_record_once(place: Place) -> None:
    """BUG-089: no silent cap; bad values are errors."""
    memory, count = place.open(embedder=None), 1050
    memory.add([f"message {n}" for n in range(count)], user_id="u", infer=False)
    assert len(memory.get_all(user_id="u", limit=5000).items) == count
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.get_all(user_id="u", limit=100, cursor=cursor)
        assert page.total == count
        seen += [message.id for message in page.items]
        memory.add("one more", user_id="other")
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == count
    for limit in (0, -1, True, 1.5, "10"):
        with pytest.raises(InvalidInputError, match="limit"):
            memory.get_all(user_id="u", limit=limit)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="cursor"):
        memory.get_all(user_id="u", cursor="bm90IG91cnM=")
    for top_k in (0, -1, 10_001, True, 2.5):
        with pytest.raises(InvalidInputError, match="top_k"):
            memory.search("message", user_id="u", top_k=top_k)  # type: ignore[arg-type]
    assert len(memory.search("message", user_id="u", top_k=10_000)) == count


def test_paging_goes_on_where_it_was_while_others_write(memory: Memory) -> None:
    """BUG-089: what is added or deleted meanwhile makes no page repeat or leave out another."""
    memory.add([f"message {n}" for n in range(30)], user_id="u")
    seen: list[str] = []
    cursor = None
    for page_number in range(99):
        page = memory.get_all(user_id="u", limit=7, cursor=cursor)
        seen += [message.text for message in page.items]
        memory.delete(page.items[-1].id, user_id="u")
        memory.add(f"late {page_number}", user_id="u")
        cursor = page.next_cursor
        if cursor is None or page_number > 5:
            break
    assert [text for text in seen if text.startswith("message")] == [
        f"message {n}" for n in range(30)
    ]
    assert len(set(seen)) == len(seen)


def test_users_are_listed_by_pages(memory: Memory) -> None:
    """BUG-089: of many users as well."""
    names = ["ann", "bob", "Éva", "zoe", "名"]
    for name in names:
        memory.add("Hello.", user_id=name)
    assert [user.user_id for user in memory.users(limit=2)] == ["ann", "bob"]
    memory.add("Hello.", user_id="aa")
    assert [user.user_id for user in memory.users(limit=2, after="bob")] == ["zoe", "Éva"]
    assert [user.user_id for user in memory.users(after="Éva")] == ["名"]
    assert memory.users(after="名") == []
    for limit in (0, -1, True, "2"):
        with pytest.raises(InvalidInputError, match="limit"):
            memory.users(limit=limit)  # type: ignore[arg-type]


def test_a_small_user_beside_a_large_one_gets_all_hits(memory: Memory) -> None:
    """BUG-091: no index is shared, so another user's crowd takes no place."""
    crowd = [f"deploy the service, take {n}" for n in range(cases(500, 2000))]
    memory.add(crowd, user_id="A", infer=False)
    memory.add([f"deploy note {n}" for n in range(5)], user_id="B")
    found = memory.search("deploy the service", user_id="B", top_k=5)
    assert {hit.text for hit in found} == {f"deploy note {n}" for n in range(5)}
    few = memory.search(
        "deploy the service",
        user_id="A",
        top_k=3,
        filters={"metadata": {"exists": {"exists": False}}},
    )
    assert len(few) == 3
