"""Documents, chapters, passages, drafts."""

import asyncio
from dataclasses import replace

import pytest

from backstory.core.model.document import Draft, SummarySource
from backstory.errors import ConflictError, EmbeddingDimensionError, NotFoundError
from backstory.ports.documents import ChapterPlan, DocumentScope, SummaryLine
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    ODD_IDS,
    MakeStore,
    StoreCase,
    generation,
    run,
    vector_of,
)
from backstory.testing.stores.document_base import (
    NOVEL,
    OTHERS,
    chapter,
    derived,
    planned,
    reread,
    rewrite,
    write,
)

TEXTS = (
    "",
    "名前のない猫" * 50,
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd\n\u05e9\u05dc\u05d5\u05dd",
    "👩‍👩‍👧 e\u0301",
    "a\u2028b\ufffd",
    "x" * 2**20,
)


class DocumentContract(StoreCase):
    """Documents themselves."""

    def test_a_document_is_made_once_and_keeps_its_settings(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            documents = store.documents
            assert await documents.info(NOVEL) is None
            assert await documents.stamp(NOVEL) == (0, 0)
            made = await documents.ensure(NOVEL, None, 60, NOW)
            assert (made.unit, made.planned_chapters, made.chapters) == ("chapter", 60, 0)
            assert (made.created_at, made.last_chapter, made.id) == (NOW, None, "novel")
            assert await other.documents.ensure(NOVEL, "scene", None, NOW) == replace(
                made, unit="scene"
            )
            assert await documents.ensure(NOVEL, None, None, NOW) == replace(made, unit="scene")
            assert (await other.documents.ensure(NOVEL, None, 7, NOW)).planned_chapters == 7
            await write(store, 4, "four")
            found = await other.documents.info(NOVEL)
            assert found is not None
            assert (found.chapters, found.last_chapter) == (1, 4)

        run(make_store, act, stores=2)

    def test_ids_are_opaque(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for name in ODD_IDS:
                await write(store, 1, f"text of {name}", DocumentScope("default", name))
            listed = [info.id for info in await store.documents.listed("default", 100)]
            assert sorted(listed) == sorted(ODD_IDS)
            behind = await store.documents.listed("default", 3, listed[4])
            assert [info.id for info in behind] == listed[5:8]
            for name in ODD_IDS:
                found = await store.documents.chapter(DocumentScope("default", name), 1)
                assert found is not None
                assert found.text == f"text of {name}"
                assert await store.documents.delete(DocumentScope("default", name))
            assert await store.documents.listed("default", 100) == []

        run(make_store, act)

    def test_nothing_crosses_documents_and_tenants(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            text = "Ann\nAnn.eyes=green\n+who?"
            for scope in (NOVEL, *OTHERS):
                await write(store, 1, text, scope)
                await store.documents.put_draft(scope, _draft(2))
            before = await derived(store, OTHERS[0])
            (entity,) = await store.documents.entities(NOVEL, None, None)
            for scope in OTHERS:
                assert await store.documents.entities(scope, [entity.id], None) == []
                assert not await store.documents.drop_entity(scope, entity.id, NOW)
                assert not await store.documents.drop_state(scope, entity.states[0].id, NOW)
            await rewrite(store, 1, "nobody")
            assert await store.documents.remove(NOVEL, 1, NOW) is not None
            assert await store.documents.delete(NOVEL)
            assert not await store.documents.delete(NOVEL)
            for scope in OTHERS:
                assert await derived(store, scope) == before
                assert await store.documents.drafts(scope) == [_draft(2)]

        run(make_store, act)

    def test_a_deleted_document_is_gone_and_may_be_made_again(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            await write(store, 1, "Ann\n+who?")
            stamp = await other.documents.stamp(NOVEL)
            assert await store.documents.delete(NOVEL)
            assert await other.documents.info(NOVEL) is None
            with pytest.raises(NotFoundError, match="novel"):
                await other.documents.add(NOVEL, chapter(1, "x"), planned(1, "x"), NOW)
            for name, rows in (await derived(other)).items():
                assert not rows, name
            await write(other, 1, "Ann\n+who?")
            assert await store.documents.stamp(NOVEL) != stamp
            assert [t.number for t in await store.documents.threads(NOVEL, None, None)] == [1]

        run(make_store, act, stores=2)


class ChapterContract(StoreCase):
    """Chapters and their history."""

    def test_a_chapter_is_kept_as_it_is(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            for number, text in enumerate(TEXTS, 1):
                stored = await write(store, number, text)
                assert stored.created
                assert await other.documents.chapter(NOVEL, number) == stored.chapter
                assert stored.chapter.text == text
                keys = [(number, place) for place in range(60)]
                found = await other.documents.passage_texts(NOVEL, keys)
                assert "".join(p.text for p in found) == text
            assert [c.text for c in await other.documents.page(NOVEL, 3, 2)] == list(TEXTS[2:5])

        run(make_store, act, stores=2)

    def test_the_same_text_is_added_once_and_another_is_refused(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            first = await write(store, 1, "Ann")
            before = await derived(store)
            stamp = await store.documents.stamp(NOVEL)
            again = await write(store, 1, "Ann")
            assert (again.created, again.chapter) == (False, first.chapter)
            with pytest.raises(ConflictError, match="1"):
                await write(store, 1, "Bob")
            same = await rewrite(store, 1, "Ann")
            assert (same.created, same.chapter) == (False, first.chapter)
            with pytest.raises(NotFoundError):
                await rewrite(store, 2, "Bob")
            assert await derived(store) == before
            assert await store.documents.stamp(NOVEL) == stamp
            given = replace(
                chapter(1, "Ann"), summary="By hand.", summary_source=SummarySource.GIVEN
            )
            stored = await store.documents.revise(NOVEL, given, planned(1, "Ann"), NOW)
            assert (stored.created, stored.chapter.summary) == (True, "By hand.")

        run(make_store, act)

    def test_versions_are_kept_until_the_chapter_goes(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = (await write(store, 3, "one")).chapter
            second = (await rewrite(store, 3, "two")).chapter
            third = (await rewrite(store, 3, "one")).chapter
            assert [c.revised for c in (first, second, third)] == [0, 1, 2]
            assert await store.documents.history(NOVEL, 3) == [first, second, third]
            assert await store.documents.history(NOVEL, 4) == []
            assert await store.documents.remove(NOVEL, 3, NOW) == 1
            assert await store.documents.remove(NOVEL, 3, NOW) is None
            assert await store.documents.history(NOVEL, 3) == []
            assert (await write(store, 3, "four")).chapter.revised == 0

        run(make_store, act)

    def test_summaries_are_found_by_place(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for number in (9, 2, 7, 3):
                await write(store, number, f"text {number}")
            documents = store.documents

            def numbers(lines: list[SummaryLine]) -> list[int]:
                return [line.number for line in lines]

            assert numbers(await documents.latest(NOVEL, 9, 2)) == [3, 7]
            assert numbers(await documents.latest(NOVEL, 99, 9)) == [2, 3, 7, 9]
            assert numbers(await documents.latest(NOVEL, 2, 9)) == []
            assert numbers(await documents.near(NOVEL, [1, 2, 6, 8, 8, 100])) == [2, 3, 7, 9]
            assert numbers(await documents.near(NOVEL, [])) == []
            (line,) = await documents.near(NOVEL, [4])
            assert (line.title, line.summary) == ("Chapter 3", "In short: text 3")
            assert await documents.missing(NOVEL, 9) == [1, 4, 5, 6, 8]
            assert await documents.missing(NOVEL, 2) == [1, 4]
            for number in (1, 4, 5, 6, 8):
                await write(store, number, "x")
            assert await documents.missing(NOVEL, 9) == []

        run(make_store, act)

    def test_a_plan_may_replace_the_summary(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await store.documents.ensure(NOVEL, None, None, NOW)
            made = ChapterPlan(summary=("Better.", SummarySource.MODEL))
            stored = await store.documents.add(NOVEL, chapter(1, "x"), lambda _: made, NOW)
            assert stored.chapter.summary == "Better."
            assert await store.documents.chapter(NOVEL, 1) == stored.chapter
            (line,) = await store.documents.latest(NOVEL, 2, 1)
            assert line.summary == "Better."

        run(make_store, act)

    def test_a_plan_that_fails_stores_nothing(self, make_store: MakeStore) -> None:
        def fail(_: object) -> ChapterPlan:
            raise ConflictError("no")

        async def act(store: Store) -> None:
            kept = (await write(store, 1, "Ann\nAnn.eyes=green\n+who?")).chapter
            before, stamp = await derived(store), await store.documents.stamp(NOVEL)
            broken = [fail, planned(1, "~77"), planned(2, "!5")]
            for plan in broken:
                for number in (1, 2):
                    new = chapter(number, "changed")
                    change = store.documents.revise if number == 1 else store.documents.add
                    with pytest.raises((ConflictError, NotFoundError)):
                        await change(NOVEL, new, plan, NOW)
                with pytest.raises((ConflictError, NotFoundError)):
                    await store.documents.reread(NOVEL, 1, kept.revision, plan, NOW)
            assert await derived(store) == before
            assert await store.documents.stamp(NOVEL) == stamp

        run(make_store, act)

    def test_two_writers_of_one_document_wait_for_each_other(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            await store.documents.ensure(NOVEL, None, None, NOW)
            stores = [store, other] * 6
            text = "Ann\nAnn.home=Oslo\n+who?"
            calls = [write(s, n, f"{text} {n}") for n, s in enumerate(stores, 1)]
            stored = await asyncio.gather(*calls)
            assert sorted(s.plan.threads[0].number for s in stored) == list(range(1, 13))
            (ann,) = await other.documents.entities(NOVEL, None, None)
            assert (ann.mentions, ann.first_chapter, ann.last_chapter) == (12, 1, 12)
            revised = await asyncio.gather(
                *(rewrite(s, 1, f"Bob {n}") for n, s in enumerate(stores[:4]))
            )
            assert sorted(s.chapter.revised for s in revised) == [1, 2, 3, 4]
            info = await store.documents.info(NOVEL)
            assert info is not None
            assert info.chapters == 12
            assert len(await store.documents.history(NOVEL, 1)) == 5

        run(make_store, act, stores=2)


class PassageContract(StoreCase):
    """Passages and their vectors."""

    def test_vectors_belong_to_a_version_and_a_generation(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents, active = store.documents, await generation(store)
            await write(store, 2, "x" * 30)
            await write(store, 1, "short")
            assert await documents.count_pending(NOVEL, active) == 4
            assert await documents.count_pending(NOVEL, None) == 4
            pending = await documents.pending(NOVEL, active, 3)
            assert [p.key for p in pending] == ["1#0", "2#0", "2#1"]
            made = [(p, vector_of(p.key)) for p in pending]
            with pytest.raises(EmbeddingDimensionError, match="8"):
                await documents.put_vectors(NOVEL, active, [*made, (pending[0], b"\0" * 28)])
            stamp = await documents.stamp(NOVEL)
            assert await documents.put_vectors(NOVEL, active, made) == 3
            assert await documents.stamp(NOVEL) != stamp
            changed = await documents.passages(NOVEL, active, stamp[0])
            assert {(1, 0), (2, 0), (2, 1)} <= {(row.number, row.place) for row in changed}
            rows = await documents.passages(NOVEL, active)
            assert [row.vector for row in rows] == [vector_of(p.key) for p in pending] + [None]
            assert [p.key for p in await documents.pending(NOVEL, active, 9)] == ["2#2"]
            other = replace(active, id=active.id + 1)
            assert {row.vector for row in await documents.passages(NOVEL, other)} == {None}
            assert await documents.put_vectors(NOVEL, other, made) == 0
            assert await documents.count_pending(NOVEL, active) == 1
            await rewrite(store, 2, "y" * 15)
            assert await documents.put_vectors(NOVEL, active, made) == 1
            rows = await documents.passages(NOVEL, active)
            assert [row.vector is None for row in rows] == [False, True, True]
            assert await documents.put_vectors(OTHERS[0], active, made) == 0

        run(make_store, act)

    def test_what_changed_since_a_stamp_is_a_part_of_all(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "x" * 30)
            since, _ = await documents.stamp(NOVEL)
            await write(store, 2, "y" * 30)
            rows = await documents.passages(NOVEL, None)
            later = await documents.passages(NOVEL, None, since)
            assert [row for row in rows if row in later] == later
            assert [row for row in rows if row.number > 1] == [r for r in later if r.number > 1]

        run(make_store, act)

    def test_passages_come_in_the_order_asked_for(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await write(store, 1, "abcdefghijklmnopqrstuvwxyz")
            await write(store, 2, "👩‍👩‍👧名" * 5)
            keys = [(2, 1), (1, 2), (9, 0), (1, 0), (1, 7)]
            found = await store.documents.passage_texts(NOVEL, keys)
            assert [p.key for p in found] == ["2#1", "1#2", "1#0"]
            assert [p.text for p in found[1:]] == ["yz", "abcdefghijkl"]
            assert found[0].text == ("👩‍👩‍👧名" * 5)[12:24]

        run(make_store, act)

    def test_reading_anew_keeps_passages_and_vectors(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents, active = store.documents, await generation(store)
            stored = await write(store, 1, "Ann\nand more")
            (passage,) = await documents.pending(NOVEL, active, 9)
            await documents.put_vectors(NOVEL, active, [(passage, vector_of("a"))])
            before = await derived(store)
            await reread(store, stored.chapter)
            assert await documents.count_pending(NOVEL, active) == 0
            assert await derived(store) == before
            plan = planned(1, "Bob")
            assert await documents.reread(NOVEL, 1, "another", plan, NOW) is None
            assert await documents.reread(NOVEL, 2, stored.chapter.revision, plan, NOW) is None

        run(make_store, act)


class DraftContract(StoreCase):
    """Drafts are no part of the canon."""

    def test_a_draft_is_kept_apart(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await write(store, 1, "Ann")
            before = await derived(store)
            documents = store.documents
            for draft in (_draft(3), _draft(2), replace(_draft(3), text="anew 名")):
                await documents.put_draft(NOVEL, draft)
            assert [d.text for d in await documents.drafts(NOVEL)] == ["draft 2", "anew 名"]
            assert await documents.draft(NOVEL, 2) == _draft(2)
            assert await documents.draft(NOVEL, 1) is None
            assert await documents.chapter(NOVEL, 2) is None
            assert await derived(store) == before
            assert await documents.drop_draft(NOVEL, 2)
            assert not await documents.drop_draft(NOVEL, 2)
            assert [d.number for d in await documents.drafts(NOVEL)] == [3]
            with pytest.raises(NotFoundError):
                await documents.put_draft(DocumentScope("default", "none"), _draft(1))

        run(make_store, act)


def _draft(number: int) -> Draft:
    return Draft(number=number, title="T", text=f"draft {number}", recorded_at=NOW)
