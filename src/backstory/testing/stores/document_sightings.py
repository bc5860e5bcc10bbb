"""Entities that are looked for in the chapters that are stored."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from backstory.core.model.entity import Entity
from backstory.errors import ConflictError
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, MakeStore, StoreCase, run
from backstory.testing.stores.document_base import NOVEL, OTHERS, reread, rewrite, write

_CHAPTERS = (
    (
        2,
        "\u6797\u9edb\u7389\u8d70\u8fdb\u4e86\u8377\u5e9c\u3002\u6797\u9edb\u7389\u54ed\u4e86\u3002",
    ),
    (3, "\u8d3e\u5b9d\u7389\u4e0d\u5728\u3002"),
    (60, "\u9edb\u7389\u628a\u8bd7\u70e7\u4e86\u3002"),
)
_NAME, _ALIAS = "\u6797\u9edb\u7389", "\u9edb\u7389"
_DAI = Entity(id="dai", name=_NAME, aliases=(_ALIAS,))


def _count(*names: str) -> Callable[[str], int]:
    return lambda text: max(map(text.count, names))


class SightingContract(StoreCase):
    """Names that are entered after the chapters."""

    def test_an_entity_is_found_in_the_chapters_that_are_there(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            for number, text in _CHAPTERS:
                for scope in (NOVEL, OTHERS[1]):
                    await write(store, number, text, scope)
            before = await documents.stamp(NOVEL)
            stored = await documents.put_entity(NOVEL, _DAI, NOW, _count(_NAME, _ALIAS))
            assert (stored.first_chapter, stored.last_chapter, stored.mentions) == (2, 60, 2)
            assert await documents.stamp(NOVEL) != before
            sighted = await documents.sightings(NOVEL, [2, 3, 60])
            assert sighted == {2: {"dai": 2}, 60: {"dai": 1}}
            assert await documents.seen(NOVEL, "dai", 60) == [2]
            (then,) = await documents.entities(NOVEL, ["dai"], 59)
            assert (then.mentions, then.last_chapter) == (1, 2)
            assert await documents.sightings(OTHERS[1], [2, 3, 60]) == {}
            again = await documents.put_entity(NOVEL, _DAI, NOW, _count(_NAME, _ALIAS))
            assert again == stored

        run(make_store, act)

    def test_sightings_follow_the_names(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            for number, text in _CHAPTERS:
                await write(store, number, text)
            await documents.put_entity(NOVEL, _DAI, NOW, _count(_NAME, _ALIAS))
            less = replace(_DAI, aliases=())
            stored = await documents.put_entity(NOVEL, less, NOW, _count(_NAME))
            assert (stored.first_chapter, stored.last_chapter, stored.mentions) == (2, 2, 1)
            other = replace(_DAI, name="\u8d3e\u5b9d\u7389", aliases=())
            stored = await documents.put_entity(NOVEL, other, NOW, _count(other.name))
            assert (stored.first_chapter, stored.last_chapter, stored.mentions) == (3, 3, 1)
            none = replace(_DAI, name="\u738b\u7199\u51e4", aliases=())
            stored = await documents.put_entity(NOVEL, none, NOW, _count(none.name))
            assert (stored.first_chapter, stored.last_chapter, stored.mentions) == (None, None, 0)
            assert await documents.sightings(NOVEL, [2, 3, 60]) == {}

        run(make_store, act)

    def test_what_a_reader_saw_stays_with_the_names(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "Ann|Annie\nAnn\nAnn.eyes=green")
            await write(store, 2, "Ann.eyes=blue\nof Anka")
            (ann,) = await documents.entities(NOVEL, None, None)
            own = replace(ann, aliases=("Anka",))
            stored = await documents.put_entity(NOVEL, own, NOW, _count("Anka"))
            assert await documents.sightings(NOVEL, [1, 2]) == {1: {ann.id: 2}, 2: {ann.id: 1}}
            assert (stored.mentions, len(stored.states)) == (2, 2)
            bare = replace(own, aliases=())
            stored = await documents.put_entity(NOVEL, bare, NOW, _count("nobody"))
            assert (stored.mentions, len(stored.states)) == (0, 2)

        run(make_store, act)

    def test_sightings_that_were_looked_for_go_with_their_chapter(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            for number, text in _CHAPTERS:
                await write(store, number, text)
            await documents.put_entity(NOVEL, _DAI, NOW, _count(_NAME, _ALIAS))
            await rewrite(store, 2, "of somebody else")
            assert await documents.seen(NOVEL, "dai", 99) == [60]
            await documents.remove(NOVEL, 60, NOW)
            (dai,) = await documents.entities(NOVEL, ["dai"], None)
            assert (dai.first_chapter, dai.last_chapter, dai.mentions) == (None, None, 0)
            (three,) = [one for one in await documents.page(NOVEL, 9) if one.number == 3]
            await reread(store, three)

        run(make_store, act)

    def test_more_chapters_than_are_read_at_once(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await documents.ensure(NOVEL, None, None, NOW)
            for number in range(1, 54):
                text = f"of {_NAME}" if number % 2 else "x"
                await write(store, number, text)
            stored = await documents.put_entity(NOVEL, _DAI, NOW, _count(_NAME))
            assert (stored.first_chapter, stored.last_chapter, stored.mentions) == (1, 53, 27)

        run(make_store, act)

    def test_a_name_that_is_taken_changes_no_sighting(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "Ann\nBob")
            (ann, bob) = await documents.entities(NOVEL, None, None)
            taken = replace(ann, name="Bob")
            with pytest.raises(ConflictError, match="Bob"):
                await documents.put_entity(NOVEL, taken, NOW, _count("nobody"))
            assert await documents.sightings(NOVEL, [1]) == {1: {ann.id: 1, bob.id: 1}}

        run(make_store, act)
