"""Sentences of a slot that keeps them verbatim: a plan needs only the rows of one value."""

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.facts.book import FactBook, FactsWanted, wanted_of
from backstory.core.facts.slots import IMPORTED
from backstory.core.facts.stating import plan_claims
from backstory.core.model.fact import Cardinality, Fact
from backstory.core.model.reading import Act, Claim
from backstory.core.values import normal_value
from tests.unit.core.facts.ledger import Ledger, claim

VALUES = ("Volvo", "  VOLVO", "Volvo AB", "Rows", "Was ill")
KEYS = (IMPORTED, "home.place")


def told(value: str, said: int, back: int, length: int, act: Act, key: str = IMPORTED) -> Claim:
    """A statement of an import; ``back`` days before it was said it began, for some days."""
    fields: dict[str, float] = {}
    if act is Act.STATE and back:
        fields["valid_from"] = said - back
    if length:
        fields["valid_until"] = said - back + length
    if said % 2:
        fields["known_from"] = said
    return claim(value, said, key=key, act=act, actor="import", **fields)


CLAIMS = st.lists(
    st.builds(
        told,
        st.sampled_from(VALUES),
        st.integers(1, 30),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from((Act.STATE, Act.STATE, Act.END)),
        st.sampled_from((IMPORTED, IMPORTED, IMPORTED, "home.place")),
    ),
    min_size=1,
    max_size=8,
)


def seen(book: FactBook, wanted: FactsWanted) -> FactBook:
    """What a store gives to a planner that wants this."""

    def is_seen(fact: Fact) -> bool:
        place = (fact.subject, fact.key)
        return place in wanted.slots or (*place, normal_value(fact.value)) in wanted.members

    facts = {i: fact for i, fact in book.facts.items() if is_seen(fact)}
    return FactBook(
        facts=facts,
        revisions=tuple(r for r in book.revisions if r.fact_id in facts),
        corrections=tuple(c for c in book.corrections if c.fact_id in facts),
        contradictions={
            i: c for i, c in book.contradictions.items() if (c.subject, c.key) in wanted.slots
        },
    )


@given(before=CLAIMS, batch=CLAIMS)
def test_a_plan_of_the_rows_of_a_value_is_that_of_the_whole_slot(
    before: list[Claim], batch: list[Claim]
) -> None:
    ledger = Ledger()
    ledger.tell(*before, at=40)
    book, ids = ledger.book(), ledger.ids()
    wanted = wanted_of(batch, normal_value)
    plans = [
        plan_claims(one, batch, user_id="vera", now=ledger.now, new_ids=ids)
        for one in (book, seen(book, wanted))
    ]
    assert plans[0] == plans[1]


def test_only_such_slots_are_seen_in_part() -> None:
    batch = [told("Rows", 5, 0, 0, Act.STATE, key) for key in KEYS]
    wanted = wanted_of(batch, normal_value)
    assert wanted.slots == {("user", "home.place")}
    assert wanted.members == {("user", IMPORTED, "rows")}


def test_what_may_concern_other_values_sees_the_whole_slot() -> None:
    acts = (Act.RETRACT, Act.CORRECT, Act.DENY)
    for one in [
        *(claim("Rows", 5, key=IMPORTED, act=act) for act in acts),
        claim(None, 5, key=IMPORTED, act=Act.END),
        claim("Rows", 5, key=IMPORTED, act=Act.END, replaces="Sails"),
    ]:
        assert wanted_of([one], normal_value).slots == {("user", IMPORTED)}


def test_sentences_are_one_claim_only_where_they_read_the_same() -> None:
    ledger = Ledger()
    ledger.tell(*(claim(value, 1, key=IMPORTED) for value in VALUES[:3]))
    rows = list(ledger.facts.values())
    assert [row.value for row in rows] == ["Volvo", "Volvo AB"]
    assert {row.cardinality for row in rows} == {Cardinality.MANY}
