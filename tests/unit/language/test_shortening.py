"""A summary cut to what a query is about."""

from hypothesis import given
from hypothesis import strategies as st

from backstory.language.shortening import shortened
from backstory.language.terms import query_terms

TEXT = (
    "Vera: I moved to Gothenburg last May. I bought a blue kettle for 40 euros.\n"
    "assistant: The kettle has a warranty of 24 months. It is blue.\n"
    "2026-05-02 Vera: I sold my car to Omar."
)


def test_sentences_with_the_words_of_the_query_stay_with_who_said_them() -> None:
    def cut(query: str, most: int) -> str:
        return shortened(TEXT, query_terms(query).keys, most)

    assert cut("kettle", 100) == (
        "Vera: I bought a blue kettle for 40 euros.\n"
        "assistant: The kettle has a warranty of 24 months."
    )
    assert cut("Who has the car?", 45) == "2026-05-02 Vera: I sold my car to Omar."
    assert cut("what", 60) == "Vera: I moved to Gothenburg last May."
    assert cut("kettle", 1_000) == TEXT
    assert cut("car", 1) == "2026-05-02 Vera: I sold my car to Omar."


@given(st.text(max_size=400), st.text(max_size=30), st.integers(1, 300))
def test_what_is_cut_is_of_the_text_and_bounded(text: str, query: str, most: int) -> None:
    found = shortened(text, query_terms(query).keys, most)
    assert found == text or all(line in text or ": " in line for line in found.split("\n"))
    assert len(found) <= max(most, len(text))
    assert bool(found.strip()) or not text.strip()
