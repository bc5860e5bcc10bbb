"""Another embedder for a store: online, resumable, undoable, and nothing is lost."""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from backstory import Memory, Settings
from backstory.errors import (
    EmbeddingDimensionError,
    EmbeddingError,
    InvalidInputError,
    NotFoundError,
    StoreBusyError,
)
from backstory.testing import HashEmbedder
from tests.acceptance.places import ON_ONE, Place

OLD, NEW = "hash:words@1", "hash:new@1"
NOTICED_S = 0.25


def new(dimensions: int = 32, **options: Any) -> HashEmbedder:
    """The embedder that a store is moved to."""
    return HashEmbedder(dimensions, model="new", **options)


def fill(memory: Memory, count: int = 8, user: str = "u") -> list[str]:
    """Messages without facts, and a fact."""
    texts = [f"note {n} about topic{n}" for n in range(count)]
    memory.add(texts, user_id=user, infer=False)
    memory.facts.store(user_id=user, key="work.employer", value="Volvo")
    return texts


def found_by_meaning(memory: Memory, text: str, user: str = "u") -> float:
    """The cosine of the message with this text, in a search for it."""
    for hit in memory.search(text, user_id=user, kind="messages", top_k=50, explain=True):
        if hit.text == text:
            assert hit.why is not None
            assert hit.why.cosine is not None, f"{text} is found by its words only"
            return hit.why.cosine
    raise AssertionError(text)


def generations(place: Place) -> dict[str, tuple[int, int]]:
    """How many messages and facts have vectors of each model."""
    return {
        model: (
            place.sql(f"SELECT count(*) FROM message_vectors WHERE generation_id = {n}")[0][0],  # noqa: S608
            place.sql(f"SELECT count(*) FROM fact_vectors WHERE generation_id = {n}")[0][0],  # noqa: S608
        )
        for n, model in place.sql("SELECT id, model FROM embedding_generations")
    }


class Broken(HashEmbedder):
    """Stops working after some calls."""

    def __init__(self, good: int, error: BaseException) -> None:
        super().__init__(32, model="new")
        self.good = good
        self.error = error

    async def embed(self, texts: Sequence[str]) -> Any:
        """Embed, or fail."""
        self.good -= 1
        if self.good < 0:
            raise self.error
        return await super().embed(texts)


class Waiting(HashEmbedder):
    """Embeds a text only when it may go on."""

    def __init__(self, text: str, **options: Any) -> None:
        super().__init__(**options)
        self.text = text
        self.reached = threading.Event()
        self.may_go_on = threading.Event()

    async def embed(self, texts: Sequence[str]) -> Any:
        """Wait, perhaps, and embed."""
        if self.text in texts:
            self.reached.set()
            assert await asyncio.to_thread(self.may_go_on.wait, 100)
        return await super().embed(texts)


def test_moves_everything(place: Place) -> None:
    memory = place.open()
    texts = fill(memory) + fill(memory, 3, user="other")
    seen: list[tuple[int, int]] = []
    embedder = new()
    result = memory.reindex(embedder, progress=lambda done, total: seen.append((done, total)))
    assert (result.source, result.target, result.switched) == (OLD, NEW, True)
    assert (result.embedded, result.pending, result.kept) == (13, 0, OLD)
    assert seen[0] == (0, 13)
    assert seen[-1] == (13, 13)
    assert seen == sorted(seen)
    embedder.calls.clear()
    assert found_by_meaning(memory, texts[3]) == pytest.approx(1, abs=1e-5)
    hits = memory.search("Volvo", user_id="u", kind="facts", explain=True)
    assert hits[0].why is not None
    assert hits[0].why.cosine is not None
    assert hits.degraded is None
    # the query is embedded by the embedder of the vectors
    assert embedder.texts[0] == texts[3]
    assert memory.add("one more", user_id="u", infer=False).pending == 0
    assert generations(place) == {"words": (11, 2), "new": (12, 2)}
    assert found_by_meaning(memory, "one more") > 0.9


def test_other_processes_notice(place: Place) -> None:
    first, second = place.open(), place.open()
    texts = fill(first)
    assert found_by_meaning(second, texts[0]) > 0.9
    first.reindex(new())
    time.sleep(NOTICED_S)
    hits = second.search(texts[0], user_id="u")
    assert NEW in str(hits.degraded)
    assert texts[0] in [hit.text for hit in hits]
    added = second.add("late news", user_id="u", infer=False)
    assert (added.pending, NEW in str(added.degraded)) == (1, True)
    assert first.flush("u").pending == 0  # the background may have been there first
    assert found_by_meaning(first, "late news") > 0.9
    third = place.open(embedder=new())
    assert found_by_meaning(third, "late news") > 0.9


def test_who_has_not_heard_of_it_writes_no_old_vector(place: Place) -> None:
    """The other memory embeds with the old embedder while the store is moved."""
    slow = Waiting("in between")
    first, second = place.open(), place.open(embedder=slow)
    fill(first)
    second.search("note", user_id="u")
    adding = threading.Thread(
        target=lambda: second.add("in between", user_id="u", infer=False), daemon=True
    )
    adding.start()
    assert slow.reached.wait(100)
    first.reindex(new())
    slow.may_go_on.set()
    adding.join()
    assert first.flush().pending == 0
    assert found_by_meaning(first, "in between") > 0.9
    assert generations(place)["new"][0] == 9


@pytest.mark.parametrize("error", [KeyboardInterrupt(), EmbeddingError("refused")])
def test_goes_on_where_it_stopped(place: Place, error: BaseException) -> None:
    memory = place.open()
    texts = fill(memory, 100)
    # the first call measures the size; each batch holds 32 texts
    broken = Broken(3, error)
    if isinstance(error, EmbeddingError):
        result = memory.reindex(broken)
        assert (result.switched, result.reasons, result.embedded) == (False, ("refused",), 64)
        assert result.pending == 37
    else:
        with pytest.raises(KeyboardInterrupt):
            memory.reindex(broken)
        memory = place.open()
    status = memory.reindex_status()
    assert (status.active, status.target, status.running) == (OLD, NEW, False)
    assert (status.done, status.total) == (64, 101)
    assert status.problem
    check = next(check for check in memory.doctor().checks if check.name == "reindex")
    assert not check.ok
    assert "64 of 101" in check.detail
    assert found_by_meaning(memory, texts[70]) > 0.9
    embedder = new()
    result = memory.reindex(embedder)
    assert (result.switched, result.embedded) == (True, 37)
    assert found_by_meaning(memory, texts[0]) > 0.9
    assert found_by_meaning(memory, texts[99]) > 0.9
    assert memory.reindex_status().target is None
    assert all(check.name != "reindex" for check in memory.doctor().checks)


def test_one_at_a_time(place: Place) -> None:
    first, second = place.open(), place.open()
    slow = Waiting(fill(first)[0], dimensions=32, model="new")
    moving = threading.Thread(target=lambda: first.reindex(slow), daemon=True)
    moving.start()
    assert slow.reached.wait(100)
    with pytest.raises(StoreBusyError, match="hash:new@1 is running"):
        second.reindex(new())
    with pytest.raises(StoreBusyError):
        second.undo_reindex()
    assert second.reindex_status().running
    slow.may_go_on.set()
    moving.join()
    assert second.reindex_status().active == NEW


def test_undo(place: Place) -> None:
    old = HashEmbedder()
    memory = place.open(embedder=old)
    texts = fill(memory)
    memory.reindex(new())
    memory.add("said since", user_id="u", infer=False)
    memory.facts.store(user_id="u", key="home.place", value="Lund")
    old.calls.clear()
    result = memory.undo_reindex()
    assert (result.source, result.target, result.switched) == (NEW, OLD, True)
    assert (result.embedded, result.pending, result.kept) == (2, 0, NEW)
    assert len(old.texts) == 2
    for text in (texts[0], "said since"):
        assert found_by_meaning(memory, text) > 0.9
    assert memory.flush("u").embedded == 0
    again = memory.undo_reindex()
    assert (again.target, again.embedded) == (NEW, 0)


@ON_ONE
def test_undo_without_the_old_embedder_loses_nothing(place: Place) -> None:
    first = place.open()
    texts = fill(first)
    first.reindex(new())
    first.add("said since", user_id="u", infer=False)
    first.close()
    memory = place.open(embedder=new())
    result = memory.undo_reindex()
    assert (result.switched, result.pending, result.target) == (True, 1, OLD)
    assert OLD in result.reasons[0]
    assert memory.search("said since", user_id="u")[0].text == "said since"
    with_old = place.open(settings=Settings(background=False))
    assert with_old.flush("u").embedded == 1
    assert found_by_meaning(with_old, "said since") > 0.9
    assert found_by_meaning(with_old, texts[2]) > 0.9


@ON_ONE
def test_undo_with_the_old_embedder_given(place: Place) -> None:
    first = place.open()
    fill(first)
    first.reindex(new())
    first.add("said since", user_id="u", infer=False)
    first.close()
    memory = place.open(embedder=new())
    with pytest.raises(InvalidInputError, match=OLD):
        memory.undo_reindex(HashEmbedder(model="third"))
    assert memory.undo_reindex(HashEmbedder()).pending == 0
    assert found_by_meaning(memory, "said since") > 0.9


def test_undo_gives_up_an_unfinished_move(place: Place) -> None:
    memory = place.open()
    fill(memory, 100)
    assert not memory.reindex(Broken(2, EmbeddingError("refused"))).switched
    result = memory.undo_reindex()
    assert (result.source, result.target) == (OLD, OLD)
    assert generations(place) == {"words": (100, 1)}
    with pytest.raises(NotFoundError):
        memory.undo_reindex()


@pytest.mark.parametrize("later", [False, True])
def test_the_old_vectors_are_dropped_on_request(place: Place, later: bool) -> None:
    memory = place.open()
    texts = fill(memory)
    if later:
        memory.reindex(new())
        assert memory.reindex(keep_old=False).embedded == 0
    else:
        assert memory.reindex(new(), keep_old=False).kept is None
    assert generations(place) == {"new": (8, 1)}
    assert found_by_meaning(memory, texts[0]) > 0.9
    with pytest.raises(NotFoundError):
        memory.undo_reindex()


@ON_ONE
def test_a_refused_text_keeps_the_store_where_it_is(place: Place) -> None:
    memory = place.open()
    texts = fill(memory)
    memory.add("x" * 100, user_id="u", infer=False)
    result = memory.reindex(new(max_chars=80))
    assert (result.switched, result.failed, result.pending) == (False, 1, 1)
    assert "100 characters" in result.reasons[0]
    assert memory.reindex_status().active == OLD
    result = memory.reindex(new(max_chars=80), skip_failed=True)
    assert (result.switched, result.failed, result.pending) == (True, 1, 1)
    assert found_by_meaning(memory, texts[0]) > 0.9
    assert "x" * 100 in [h.text for h in memory.search("x" * 100, user_id="u", top_k=50)]
    assert "100 characters" in memory.flush("u").reasons[0]


@ON_ONE
def test_sizes_never_mix(place: Place) -> None:
    memory = place.open()
    texts = fill(memory)
    with pytest.raises(EmbeddingDimensionError, match="another version"):
        memory.reindex(HashEmbedder(32))
    with pytest.raises(EmbeddingDimensionError, match="64 dimensions"):
        place.open(embedder=HashEmbedder(32)).users()
    lying = Broken(2, AssertionError())
    lying.embed = _of_another_size(lying.embed)  # type: ignore[method-assign]
    result = memory.reindex(lying)
    assert not result.switched
    assert "dimensions" in result.reasons[0]
    assert found_by_meaning(memory, texts[0]) > 0.9
    sizes = place.sql("SELECT DISTINCT length(vector) FROM message_vectors")
    assert sizes == [(256,)]
    memory.reindex(new())
    with pytest.raises(EmbeddingDimensionError):
        memory.undo_reindex(HashEmbedder(7))
    assert memory.reindex_status().active == NEW


def _of_another_size(embed: Any) -> Any:
    first = True

    async def changed(texts: Sequence[str]) -> Any:
        nonlocal first
        vectors = await embed(texts)
        if not first:
            vectors = vectors[:, :16]
        first = False
        return vectors

    return changed


@ON_ONE
def test_a_store_of_words_gets_vectors(place: Place) -> None:
    memory = place.open(embedder=None)
    texts = fill(memory)
    with pytest.raises(InvalidInputError, match="name one"):
        memory.reindex()
    for wrong in ("", "none", 3):
        with pytest.raises(InvalidInputError, match="embedder must be"):
            memory.reindex(wrong)  # type: ignore[arg-type]
    result = memory.reindex(new())
    assert (result.source, result.switched, result.embedded) == (None, True, 9)
    assert found_by_meaning(memory, texts[0]) > 0.9


def test_added_meanwhile_by_others(place: Place) -> None:
    """After the switch every message is found by its meaning, whenever it was added."""
    first, second = place.open(), place.open()
    texts = fill(first, 60)
    stop = threading.Event()

    def go_on() -> None:
        while not stop.is_set():
            text = f"meanwhile {len(texts)} topic{len(texts)}"
            second.add(text, user_id="u", infer=False)
            texts.append(text)

    adding = threading.Thread(target=go_on, daemon=True)
    adding.start()
    result = first.reindex(new(delay_s=0.05))
    time.sleep(NOTICED_S)
    stop.set()
    adding.join()
    assert result.switched
    assert first.flush("u").pending == 0
    assert len(texts) > 60
    hits = first.search("topic", user_id="u", kind="messages", top_k=len(texts), explain=True)
    assert {hit.text for hit in hits} == set(texts)
    assert all(hit.why is not None and hit.why.cosine is not None for hit in hits)


def test_an_export_has_no_vector_of_an_unfinished_move_as_its_own(
    place: Place, tmp_path: Any
) -> None:
    memory = place.open()
    texts = fill(memory)
    memory.reindex(new())
    memory.export_user("u", tmp_path / "u.jsonl")
    other = Memory(str(tmp_path / "copy.db"), embedder=new())
    done = other.import_file(tmp_path / "u.jsonl")
    assert (done.vectors, done.pending) == (9, 0)
    assert found_by_meaning(other, texts[0]) > 0.9
    other.close()
    assert memory.forget_user("u").rows["message_vectors"] == 16


@ON_ONE
def test_the_settings_still_name_the_old_embedder(place: Place) -> None:
    """Doctor says so, and dropping the old vectors does not go back by chance."""
    place.open().add("first", user_id="u")
    place.open().reindex(new())
    later = place.open()
    check = next(check for check in later.doctor().checks if check.name == "embedder")
    assert (check.ok, NEW in check.detail, "reindex" in str(check.fix)) == (False, True, True)
    with pytest.raises(InvalidInputError, match=NEW):
        later.reindex(keep_old=False)
    assert later.reindex_status().active == NEW
    done = later.reindex(HashEmbedder(), keep_old=False)  # named, it is meant
    assert (done.target, done.kept) == (OLD, None)
