"""What the author entered by hand, when the chapters that it is about change."""

from backstory import Memory


def test_the_evidence_of_a_thread_goes_with_its_chapter(memory: Memory) -> None:
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
