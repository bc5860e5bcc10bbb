"""Chapters read by a model: one call each, whole answers only, what fails is asked for again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backstory import Completion, Document, Memory, Prompt, Settings
from backstory.errors import ModelUnavailableError
from backstory.testing import FakeClock, HashEmbedder

CHAPTER = (
    "Lena Holt opened the chest with the brass key. The letter in it was forged. "
    "Captain Oduya died in the night, and nobody told the crew."
)


class Scripted:
    """Answers in turn; the last answer again and again."""

    name = "scripted"

    def __init__(self) -> None:
        self.answers: list[str | Exception | Completion] = []
        self.prompts: list[Prompt] = []

    async def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Completion) else Completion(text=answer)

    async def aclose(self) -> None:
        """Nothing to give back."""


def _said(summary: str = "Lena opens the chest; Oduya dies.", **changes: Any) -> str:
    whole: dict[str, Any] = {
        "summary": summary,
        "entities": [
            {
                "name": "Lena Holt",
                "kind": "person",
                "aliases": ["Lena"],
                "states": [],
            },
            {
                "name": "Captain Oduya",
                "kind": "person",
                "aliases": ["Oduya"],
                "states": [
                    {
                        "attribute": "life",
                        "value": "died in the night",
                        "quote": "Captain Oduya died in the night",
                        "known_by": ["Lena Holt"],
                        "learned": False,
                    }
                ],
            },
        ],
        "threads": [
            {
                "action": "plant",
                "ref": "",
                "summary": "Who forged the letter?",
                "kind": "mystery",
                "deadline": 9,
                "note": "",
            }
        ],
    }
    return json.dumps({**whole, **changes})


@pytest.fixture
def model() -> Scripted:
    return Scripted()


@pytest.fixture
def book(ready_sqlite: bytes, tmp_path: Path, model: Scripted) -> Iterator[Document]:
    path = tmp_path / "novel.db"
    path.write_bytes(ready_sqlite)
    options: dict[str, Any] = {"clock": FakeClock(), "settings": Settings(background=False)}
    with Memory(path, embedder=HashEmbedder(), llm=model, **options) as memory:
        yield memory.document("novel", planned_chapters=12)


def test_a_model_gives_summary_states_and_threads_in_one_call(
    book: Document, model: Scripted
) -> None:
    model.answers = [_said()]
    result = book.add_chapter(1, CHAPTER)
    assert len(model.prompts) == 1
    assert result.degraded is None
    assert result.chapter.summary_source == "model"
    assert result.threads == (1,)
    assert book.threads.get(1).deadline == 9
    state = book.entities.get("Oduya").states[0]
    assert (state.value, state.revision) == ("died in the night", result.chapter.revision)
    assert [knower.name for knower in state.known_by] == ["Lena Holt"]
    assert "Lena opens the chest" in book.block(2).text


@pytest.mark.parametrize(
    "bad",
    [
        _said()[:200],
        Completion(text=_said(), finish_reason="length"),
        '{"summary": 7, "entities": "none"}',
        "I cannot help with that.",
        "",
        ModelUnavailableError("too many requests"),
        ValueError("a fault of the caller's model"),
    ],
    ids=["half", "cap", "shape", "prose", "nothing", "down", "fault"],
)
def test_what_fails_leaves_what_the_rules_read_and_is_asked_again(
    book: Document, model: Scripted, bad: str | Exception | Completion
) -> None:
    model.answers = [bad]
    result = book.add_chapter(1, CHAPTER)
    assert result.degraded is not None
    assert result.chapter.summary_source == "extract"
    assert "Lena Holt" in result.entities
    assert book.threads.list() == []
    assert book.chapters.get(1).text == CHAPTER
    failed = book.flush()
    assert (failed.read, failed.failed) == (0, 1)
    model.answers = [_said()]
    assert book.flush().read == 1
    assert book.chapters.get(1).summary_source == "model"
    assert [thread.summary for thread in book.threads.list()] == ["Who forged the letter?"]
    assert book.flush().read == 0


def test_a_given_summary_stays_and_a_failed_reading_of_it_is_made_up(
    book: Document, model: Scripted
) -> None:
    model.answers = [ModelUnavailableError("down"), _said()]
    result = book.add_chapter(1, CHAPTER, summary="Mine.")
    assert result.degraded is not None
    assert book.flush().read == 1
    chapter = book.chapters.get(1)
    assert (chapter.summary, chapter.summary_source) == ("Mine.", "given")
    assert book.threads.get(1).summary == "Who forged the letter?"


def test_what_is_not_written_as_the_chapter_is_is_not_stored(
    book: Document, model: Scripted
) -> None:
    model.answers = [
        _said(
            "Лена открыла сундук, и капитан умер.",
            threads=[
                {
                    "action": "plant",
                    "ref": "",
                    "summary": "Кто подделал письмо?",
                    "kind": "",
                    "deadline": None,
                    "note": "",
                }
            ],
        )
    ]
    result = book.add_chapter(1, CHAPTER)
    assert result.chapter.summary_source == "extract"
    assert book.threads.list() == []
    assert any("written" in reason or "script" in reason for reason in result.rejected)


def test_a_revision_withdraws_threads_and_a_rebuild_makes_no_doubles(
    book: Document, model: Scripted
) -> None:
    thread = {"action": "progress", "ref": "T1", "summary": "", "kind": "", "deadline": None}
    model.answers = [
        _said(),
        _said(threads=[{**thread, "note": "the wax"}]),
        _said(threads=[{**thread, "action": "resolve", "note": "Max did"}]),
    ]
    for number in (3, 7, 12):
        book.add_chapter(number, f"{CHAPTER} It was day {number}.")
    assert [book.threads.get(1, as_of_chapter=n).status for n in (3, 7, 12)] == [
        "open",
        "progressing",
        "resolved",
    ]
    assert "[T1]" not in book.block(13).text
    book.threads.revise_plan(1, summary="Who forged the first letter?")
    book.remove_chapter(12)
    after = book.threads.get(1)
    assert (after.status, after.summary) == ("progressing", "Who forged the first letter?")
    model.answers = [_said(threads=[{**thread, "note": "the wax"}])]
    book.revise_chapter(7, f"{CHAPTER} It was day seven.")
    assert [event.chapter for event in book.threads.events(1)] == [3, 7]
    assert len(book.threads.list()) == 1


def test_a_model_that_names_only_what_is_not_there_wipes_nothing(
    book: Document, model: Scripted
) -> None:
    stranger = {"name": "Count Zaroff", "kind": "person", "aliases": [], "states": []}
    model.answers = [_said(entities=[stranger], threads=[])]
    result = book.add_chapter(1, CHAPTER)
    assert result.chapter.summary_source == "model"
    assert {"Lena Holt", "Captain Oduya"} <= {entity.name for entity in book.entities.list()}
    assert [state.attribute for state in book.entities.get("Captain Oduya").states] == ["life"]
    assert "Lena Holt" in result.entities
    assert any("Zaroff" in reason for reason in result.rejected)


def test_one_letter_is_no_evidence_of_a_death(book: Document, model: Scripted) -> None:
    state = {"attribute": "fate", "value": "drowned", "quote": "e", "known_by": []}
    lena = {"name": "Lena Holt", "kind": "person", "aliases": []}
    model.answers = [_said(entities=[{**lena, "states": [{**state, "learned": False}]}])]
    result = book.add_chapter(1, CHAPTER)
    assert book.entities.get("Lena Holt").states == ()
    assert any("quote" in reason for reason in result.rejected)


def test_a_summary_in_another_script_is_told_and_not_asked_for_for_ever(
    book: Document, model: Scripted
) -> None:
    model.answers = [_said("Лена открыла сундук, и капитан умер.")]
    result = book.add_chapter(1, CHAPTER)
    assert result.degraded is not None
    assert "extract" in result.degraded
    assert result.chapter.summary_source == "extract"
    assert [thread.number for thread in book.threads.list()] == [1]
    flushed = [book.flush() for _ in range(4)]
    assert [one.failed for one in flushed] == [1, 1, 0, 0]
    assert "not asked again" in flushed[1].reasons[0]
    assert len(model.prompts) == 3
    model.answers = [_said()]
    assert book.revise_chapter(1, f"{CHAPTER} Rain fell.").chapter.summary_source == "model"


def test_a_chapter_without_a_letter_misses_no_summary(book: Document, model: Scripted) -> None:
    model.answers = [_said()]
    assert book.add_chapter(1, "* * *").degraded is None
    assert book.flush().failed == 0
    assert model.prompts == []
