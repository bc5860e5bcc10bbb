"""The table of states answers as the plain reference does."""

from datetime import datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.facts.asof import as_of
from backstory.core.facts.timetable import TimeTable, timed
from backstory.core.model.fact import Fact, FactRevision, FactStatus
from backstory.testing.stores.base import NOW

HOURS = st.integers(0, 6).map(lambda n: NOW + timedelta(hours=n))
MAYBE = st.none() | HOURS
STATUSES = st.sampled_from(FactStatus)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Fact, list[FactRevision]]:
    """A fact with earlier states, of which each was believed until the next."""
    times = sorted(draw(st.lists(HOURS, min_size=1, max_size=4, unique=True)))
    states = [
        FactRevision(
            fact_id="",
            revision=number,
            value=f"v{number}",
            status=draw(STATUSES),
            valid_from=draw(MAYBE),
            valid_until=draw(MAYBE),
            believed_at=start,
            replaced_at=end,
        )
        for number, (start, end) in enumerate(pairwise(times), 1)
    ]
    fact = Fact(
        id="",
        user_id="vera",
        key="work.employer",
        value="now",
        recorded_at=times[0],
        believed_at=times[-1],
        status=draw(STATUSES),
        valid_from=draw(MAYBE),
        valid_until=draw(MAYBE),
        superseded_at=draw(MAYBE),
        retracted_at=draw(MAYBE),
        updated_at=draw(MAYBE),
    )
    return fact, states


@given(st.lists(histories(), max_size=6), HOURS, MAYBE)
def test_it_answers_as_the_reference(
    drawn: list[tuple[Fact, list[FactRevision]]], valid_at: datetime, known_at: datetime | None
) -> None:
    facts, states = [], []
    for number, (fact, earlier) in enumerate(drawn):
        named = f"f{number}"
        facts.append(Fact(**{**fact.__dict__, "id": named}))
        states.append([FactRevision(**{**s.__dict__, "fact_id": named}) for s in earlier])
    every = [state for some in states for state in some]
    expected = as_of(facts, every, valid_at, known_at)
    table = TimeTable([timed(n, f, s) for n, (f, s) in enumerate(zip(facts, states, strict=True))])
    assert table.rows == len(facts) + len(every)
    for _ in range(2):
        assert table.as_of(valid_at, known_at) == expected
