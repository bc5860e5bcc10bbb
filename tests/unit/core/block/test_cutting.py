"""Passages: all of the text, in order, none too long."""

from hypothesis import example, given
from hypothesis import strategies as st

from backstory.core.block.cutting import PASSAGE_TOKENS, passages
from backstory.core.tokens import token_upper_bound

TEXTS = st.text(
    st.sampled_from("ab .!?\n\u3002\u9ed1\u0634\u0e01\U0001f98a\u0301\u2028'\""), max_size=3000
)


@given(TEXTS)
@example("")
@example("x" * 5000)
@example("\u9ed1" * 2000)
@example("one. " * 2000)
@example("\n\n\n")
def test_only_blanks_stand_between_passages(text: str) -> None:
    found = passages(text)
    end = 0
    for cut in found:
        assert end <= cut.start < cut.end
        assert not text[end : cut.start].strip()
        part = text[cut.start : cut.end]
        assert part == part.strip()
        end = cut.end
    assert not text[end:].strip()


def test_a_passage_is_about_as_long_as_it_should_be() -> None:
    prose = "The keeper walked along the pier with his lamp, and the rain fell. " * 400
    lengths = [token_upper_bound(prose[cut.start : cut.end]) for cut in passages(prose)]
    assert max(lengths) <= 1.5 * PASSAGE_TOKENS
    assert min(lengths[:-1]) >= 0.5 * PASSAGE_TOKENS


def test_sentences_stay_whole_where_they_can() -> None:
    prose = "\u6797\u9edb\u7389\u8d70\u8fdb\u8363\u56fd\u5e9c\u3002" * 100
    assert all(prose[cut.end - 1] == "\u3002" for cut in passages(prose))
