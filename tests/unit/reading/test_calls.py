"""Which turns go into which call: bounded, in order, nothing left out."""

from datetime import UTC, datetime
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.message import Role
from backstory.core.model.reading import Turn
from backstory.reading.calls import MAX_CHARS, MAX_TURNS, split_into_calls

AT = datetime(2026, 5, 4, 12, tzinfo=UTC)


def turn(number: int, text: str, role: Role = Role.USER) -> Turn:
    return Turn(
        message_id=f"m{number}",
        revision=1,
        role=role,
        text=text,
        timestamp=AT,
        is_user=role is Role.USER,
    )


texts = st.text("ab. \n", max_size=30)


@given(
    st.lists(st.tuples(texts, st.integers(1, 400)).map(lambda pair: pair[0] * pair[1]), max_size=40)
)
def test_nothing_is_left_out_and_calls_are_bounded(said: list[str]) -> None:
    turns = [turn(number, text) for number, text in enumerate(said)]
    calls = split_into_calls(turns, max_chars=1000)
    pieces = [piece for call in calls for piece in call]
    for one in turns:
        assert "".join(p.text for p in pieces if p.turn is one) == one.text
    order = [turns.index(piece.turn) for piece in pieces]
    assert order == sorted(order)
    assert all(sum(len(p.text) for p in call) <= 1000 for call in calls)
    total = sum(map(len, said))
    assert len(calls) <= max(1, ceil(len(said) / MAX_TURNS), ceil(total / 1000))


def test_a_usual_batch_is_one_call() -> None:
    turns = [turn(number, "I live in a mill. " * 40) for number in range(12)]
    assert len(split_into_calls(turns)) == 1


def test_many_short_turns_are_twelve_to_a_call() -> None:
    calls = split_into_calls([turn(number, "I paint.") for number in range(30)])
    assert [len(call) for call in calls] == [12, 12, 6]


def test_a_long_turn_is_divided_at_the_end_of_a_sentence() -> None:
    text = "I keep bees behind the house and sell the honey. " * 600
    calls = split_into_calls([turn(1, text)])
    assert len(calls) == ceil(len(text) / MAX_CHARS) == 3
    assert all(call[0].text.endswith("honey. ") for call in calls)
    assert [call[0].follows for call in calls] == [False, True, True]


def test_a_turn_goes_whole_into_the_next_call() -> None:
    calls = split_into_calls([turn(1, "a" * 9000), turn(2, "b" * 9000)])
    assert [[len(p.text) for p in call] for call in calls] == [[9000], [9000]]


def test_turns_that_state_nothing_are_cut_short() -> None:
    calls = split_into_calls([turn(1, "word " * 3000, Role.ASSISTANT), turn(2, "I paint.")])
    assert len(calls) == 1
    assert len(calls[0][0].text) < 1200


def test_no_turns_need_no_call() -> None:
    assert split_into_calls([]) == []
