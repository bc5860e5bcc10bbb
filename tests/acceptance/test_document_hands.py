"""What the author entered by hand, when the chapters that it is about change."""

from concurrent.futures import ThreadPoolExecutor

from backstory import Memory
from tests.acceptance.places import ON_ONE


def test_the_evidence_of_a_thread_goes_with_its_chapter(memory: Memory) -> None:
    """BUG-127."""
    book = memory.document("drift", planned_chapters=20)
    for number in range(1, 13):
        book.add_chapter(number, f"Day {number} passed slowly for Lena Brandt.")
    number = book.threads.plant("Who wrote it?", chapter=3, deadline=15).number
    book.threads.progress(number, 7)
    book.threads.resolve(number, 12, note="Oskar wrote it")
    seen = [book.threads.get(number, chapter).status for chapter in (3, 7, 12)]
    assert seen == ["open", "progressing", "resolved"]
    book.revise_chapter(12, "Day 12 passed quickly for Lena Brandt.")
    assert book.threads.get(number).status == "resolved"
    book.remove_chapter(12)
    book.threads.revise_plan(number, deadline=18)
    book.flush()
    thread = book.threads.get(number)
    assert (thread.status, thread.closed_in, thread.note) == ("progressing", None, "")
    assert "[T1] progressing, due by 18" in book.block(12, query="").text
    book.remove_chapter(3)
    book.remove_chapter(7)
    thread = book.threads.get(number)
    assert (thread.status, thread.planted_in, thread.deadline) == ("planned", None, 18)
    assert book.threads.events(number) == []
    assert len(book.threads.list()) == 1


@ON_ONE
def test_overdue_threads_are_cut_short_before_others_are_shown(memory: Memory) -> None:
    book = memory.document("owed", planned_chapters=14)
    for number in range(1, 13):
        book.add_chapter(number, "It was dark over Hollin. " * 30, summary="It was dark. " * 30)
    long = "Ada promised to carry the letter of the old keeper to his daughter before the frost "
    book.threads.plant(f"{long * 3}(one)", chapter=4, deadline=8)
    book.threads.plant(f"{long * 2}(two)", chapter=7, deadline=13)
    book.threads.plant("Will the light be kept?", chapter=8, deadline=14)
    block = book.block(13, max_tokens=500)
    assert block.sections[-1].kept[:2] == ("T1", "T2")
    assert "- [T1] open, overdue since 8, close it now: Ada promised" in block.text
    assert "(one)" in book.block(13, max_tokens=3000).text


def test_a_document_is_made_before_its_first_chapter(memory: Memory) -> None:
    book = memory.document("empty", 12, unit="lesson")
    assert memory.documents() == []
    made = book.create()
    assert (made.planned_chapters, made.unit, made.chapters) == (12, "lesson", 0)
    assert memory.documents() == [made]
    assert memory.document("empty").create() == made
    assert book.drafts.list() == []
    book.add_chapter(1, "Lena Brandt slept.")
    longer = memory.document("empty", 20).create()
    assert (longer.planned_chapters, longer.unit, longer.chapters) == (20, "lesson", 1)


def test_notes_at_once_stand_side_by_side(memory: Memory) -> None:
    book = memory.document("notes")
    book.entities.save("Lena Brandt", "person")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: book.entities.note("Lena Brandt", f"note of {n}"), range(8)))
    states = book.entities.get("Lena Brandt").states
    assert len({state.attribute for state in states}) == len(states) == 8
