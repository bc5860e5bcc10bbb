"""What each kind of statement does to a slot."""

from datetime import timedelta

import pytest

from backstory.core.facts.deciding import resolve
from backstory.core.facts.expiring import expire
from backstory.core.judging import Judgement
from backstory.core.model.contradiction import ContradictionState, Decision, GatePath
from backstory.core.model.fact import Cardinality, Change, Fact, FactKind, FactStatus
from backstory.core.model.reading import Act
from backstory.errors import InvalidInputError
from tests.unit.core.facts.ledger import HOME, Ledger, check, claim, day, end_of

LIKE = "preference.like"
YEAR = 365


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


def one_contradiction(ledger: Ledger) -> str:
    (known,) = ledger.contradictions.values()
    return known.id


def test_the_same_value_in_another_spelling_is_a_mention(ledger: Ledger) -> None:
    whats = ledger.tell(
        claim("Green tea", 1, key=LIKE, said_in="a"),
        claim("green  tea.", 1, key=LIKE, said_in="a"),
        claim("GREEN TEA", 2, key=LIKE, said_in="b"),
    )
    assert [o.what for o in whats] == ["stored", "unchanged", "mentioned"]
    row = ledger.row("Green tea")
    assert (row.mentions, row.last_mention_at) == (2, day(2))
    assert [e.message_id for e in row.evidence] == ["a", "b"]


def test_the_newest_evidence_is_kept(ledger: Ledger) -> None:
    for n in range(30):
        ledger.tell(claim("Lund", n, said_in=f"m{n}"))
    row = ledger.row("Lund")
    assert row.mentions == 30
    assert [e.message_id for e in row.evidence] == [f"m{n}" for n in range(10, 30)]


def test_a_firm_with_its_legal_form_is_the_same(ledger: Ledger) -> None:
    ledger.tell(claim("Skyttel", 1, key="work.employer"))
    assert ledger.tell(claim("Skyttel AB", 2, key="work.employer"))[0].what == "mentioned"


def test_a_change_closes_the_old_row(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    assert ledger.tell(claim("Umeå", 9, changed=True))[0].what == "superseded"
    old, new = ledger.row("Lund"), ledger.row("Umeå")
    assert (old.status, old.valid_until) == (FactStatus.SUPERSEDED, day(9))
    assert (old.superseded_by, old.superseded_at) == (new.id, day(9))
    (line,) = ledger.corrections.values()
    assert (line.change, line.old_value, line.new_value) == (Change.SUPERSEDED, "Lund", "Umeå")
    assert ledger.seen(5, 5) == ledger.seen(20, 5) == ["Lund"]
    assert ledger.seen(20) == ["Umeå"]


def test_a_date_or_a_caller_counts_as_a_change(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    ledger.tell(claim("Umeå", 9, valid_from=5))
    ledger.tell(claim("Kalmar", 20, actor="api"))
    assert ledger.timeline() == [
        ("lund", day(1), day(5)),
        ("umea", day(5), day(20)),
        ("kalmar", day(20), None),
    ]
    assert ledger.open() == []


def test_another_answer_without_a_mark_is_disputed(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    whats = ledger.tell(claim("Umeå", 9, said_in="m")) + ledger.tell(claim("umeå", 12))
    assert [o.what for o in whats] == ["disputed", "mentioned"]
    assert ledger.current() == ["Lund", "Umeå"]
    (known,) = ledger.open()
    assert (known.stored_value, known.stated_value) == ("Lund", "Umeå")
    assert (known.gate_path, known.opened_at) == (GatePath.SAME_KEY, day(9))
    assert (known.repeat_count, known.last_seen_at) == (1, day(12))


def test_a_third_answer_has_a_contradiction_of_its_own(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 2), claim("Kalmar", 3))
    assert ledger.current() == ["Kalmar", "Lund", "Umeå"]
    assert len(ledger.open()) == 2
    check(ledger)


def test_a_change_ends_a_dispute(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 2), claim("Kalmar", 3, changed=True))
    assert ledger.current() == ["Kalmar"]
    assert ledger.open() == []
    check(ledger)


def test_what_cannot_change_is_disputed_whatever_is_said(ledger: Ledger) -> None:
    born = "personal.birthday"
    ledger.tell(claim("3 May", 1, key=born))
    assert ledger.tell(claim("4 May", 9, key=born, changed=True))[0].what == "disputed"
    assert ledger.tell(claim("5 May", 9, key=born, actor="api"))[0].what == "disputed"
    assert ledger.current(born) == ["3 May", "4 May", "5 May"]


def test_an_age_grows_by_itself(ledger: Ledger) -> None:
    age = "personal.age"
    ledger.tell(claim("34", 0, key=age))
    assert ledger.tell(claim("36", 2 * YEAR, key=age))[0].what == "superseded"
    assert ledger.open() == []
    assert ledger.tell(claim("35", 3 * YEAR, key=age, changed=True))[0].what == "disputed"


def test_an_age_that_jumps_is_disputed(ledger: Ledger) -> None:
    ledger.tell(claim("34", 0, key="personal.age"), claim("52", YEAR, key="personal.age"))
    assert len(ledger.open()) == 1


def test_volatile_slots_raise_nothing(ledger: Ledger) -> None:
    ledger.tell(claim("early shift", 1, key="work.schedule"))
    ledger.tell(claim("late shift", 2, key="work.schedule"))
    assert (ledger.current("work.schedule"), ledger.open()) == (["late shift"], [])


def test_several_values_stand_side_by_side(ledger: Ledger) -> None:
    ledger.tell(claim("nuts", 1, key="health.allergy"), claim("pollen", 2, key="health.allergy"))
    ledger.tell(end_of("nuts", 3, key="health.allergy"))
    assert ledger.current("health.allergy") == ["pollen"]
    assert {f.cardinality for f in ledger.facts.values()} == {Cardinality.MANY}


def test_an_end_closes_and_belief_stays(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    assert ledger.tell(end_of(None, 9))[0].what == "ended"
    assert ledger.row("Lund").status is FactStatus.ENDED
    assert (ledger.seen(5), ledger.seen(9), ledger.seen(9, 8)) == (["Lund"], [], ["Lund"])


def test_an_end_of_what_nobody_told_is_the_past(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 5))
    assert ledger.tell(end_of("Umeå", 9))[0].what == "ended"
    assert (ledger.current(), ledger.seen(1), ledger.seen(6)) == (["Lund"], ["Umeå"], ["Lund"])


def test_a_vague_end_before_the_beginning_ends_at_the_time_of_saying(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 600))
    assert ledger.tell(end_of("Lund", 700, valid_until=590))[0].what == "ended"
    assert (ledger.current(), ledger.seen(650), ledger.seen(700)) == ([], ["Lund"], [])


def test_an_end_far_before_the_beginning_is_of_an_earlier_time(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 600))
    ledger.tell(end_of("Lund", 700, valid_until=10))
    assert ledger.current() == ["Lund"]


def test_an_old_end_does_not_close_what_was_said_again(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Lund", 20))
    assert ledger.tell(end_of("Lund", 10), at=21)[0].what == "unchanged"
    assert ledger.current() == ["Lund"]


def test_an_end_finds_its_slot_by_the_value(ledger: Ledger) -> None:
    ledger.tell(claim("chess", 1, key="hobby.activity"), claim("Lund", 1))
    ledger.tell(end_of("chess", 2, key=None))
    assert (ledger.current("hobby.activity"), ledger.current()) == ([], ["Lund"])


def test_a_retraction_gives_back_what_was_superseded(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 5, changed=True))
    ledger.tell(claim("Umeå", 9, act=Act.RETRACT))
    assert ledger.current() == ["Lund"]
    assert (ledger.seen(6, 6), ledger.seen(6, 9)) == (["Umeå"], ["Lund"])
    assert ledger.row("Umeå").retracted_at == day(9)


def test_a_correction_takes_the_place_and_the_time(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 5, changed=True))
    what = ledger.tell(claim("Malå", 9, act=Act.CORRECT, replaces="Lund"))[0].what
    assert what == "corrected"
    assert ledger.timeline() == [("mala", day(1), day(5)), ("umea", day(5), None)]
    (known,) = ledger.contradictions.values()
    assert (known.gate_path, known.decision) == (GatePath.DIRECT_CORRECTION, Decision.USER_STATED)
    assert known.state is ContradictionState.RESOLVED
    check(ledger)


def test_a_denial_puts_a_value_in_doubt(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    assert ledger.tell(claim("Lund", 2, act=Act.DENY))[0].what == "disputed"
    assert ledger.tell(claim("Umeå", 2, act=Act.DENY))[0].what == "unchanged"
    ledger.do(resolve, one_contradiction(ledger), Decision.STORED, at=3)
    assert (ledger.row("Lund").status, ledger.open()) == (FactStatus.ACTIVE, [])


def test_a_future_value_waits(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    ledger.tell(claim("Umeå", 5, changed=True, valid_from=9))
    assert (ledger.current(), ledger.row("Umeå").scheduled) == (["Lund"], True)
    ledger.now = day(9)
    assert ledger.current() == ["Umeå"]
    ledger.tell(claim("Umeå", 10))
    assert ledger.row("Lund").status is FactStatus.SUPERSEDED
    assert not ledger.row("Umeå").scheduled
    check(ledger)


def test_a_temporary_never_supersedes_a_permanent_row(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Rome", 2, kind=FactKind.TEMPORARY, valid_until=5))
    assert ledger.current() == ["Lund", "Rome"]
    ledger.now = day(5)
    assert (ledger.current(), ledger.open()) == (["Lund"], [])


@pytest.mark.parametrize(
    ("days", "at", "expected"),
    [(30, 30.9, "active"), (30, 31, "expired"), (float("inf"), 9999, "active"), (0, 1, "expired")],
)
def test_a_temporary_without_an_end_expires_by_age(
    ledger: Ledger, days: float, at: float, expected: str
) -> None:
    ledger.tell(claim("tired", 0, key="context.mood", kind=FactKind.TEMPORARY))
    ledger.tell(claim("tired", 1, key="context.mood", kind=FactKind.TEMPORARY))
    ledger.do(expire, days, at=at)
    assert ledger.row("tired").status == expected


def test_what_expired_is_active_again_when_said_again(ledger: Ledger) -> None:
    said = {"key": "context.mood", "kind": FactKind.TEMPORARY}
    ledger.tell(claim("tired", 0, **said, valid_until=1))
    ledger.do(expire, float("inf"), at=5)
    assert ledger.row("tired").status is FactStatus.EXPIRED
    ledger.tell(claim("tired", 7, **said, valid_until=8))
    assert ledger.row("tired").mentions == 2
    assert ledger.current("context.mood") == ["tired"]


@pytest.mark.parametrize("days", [-1.0, float("nan")])
def test_expiry_refuses_a_wrong_age(ledger: Ledger, days: float) -> None:
    with pytest.raises(InvalidInputError, match="days"):
        ledger.do(expire, days, at=5)


def test_what_was_deleted_and_what_was_read_stays_away(ledger: Ledger) -> None:
    erased = frozenset({("user", HOME, "lund")})
    what = ledger.tell(claim("LUND", 1), claim("Umeå", 1), book={"erased": erased})
    assert [o.what for o in what] == ["rejected", "stored"]
    what = ledger.tell(
        claim("chess", 2, key=LIKE, said_in="old"),
        claim("go", 2, key=LIKE, said_in="new"),
        book={"unread": frozenset({"new"})},
        read_from_messages=True,
    )
    assert [o.what for o in what] == ["rejected", "stored"]


@pytest.mark.parametrize(
    "wrong",
    [
        claim(None, 1),
        claim(" ", 1),
        claim("Lund", 1, key=None),
        claim("Lund", 1, key="..."),
        claim("Lund", 9, valid_from=5, valid_until=5),
    ],
)
def test_what_makes_no_sense_is_rejected(ledger: Ledger, wrong: object) -> None:
    assert ledger.tell(wrong)[0].what == "rejected"  # type: ignore[arg-type]
    assert ledger.facts == {}


def test_a_judge_may_say_that_two_values_are_one(ledger: Ledger) -> None:
    ledger.tell(claim("the old town of Lund", 1))
    same = Judgement(compatible=True, separation=None, axis="value", reason="a rewording")
    pair = {("the old town of Lund", "central Lund"): same}
    assert ledger.tell(claim("central Lund", 2), verdicts=pair)[0].what == "mentioned"


def test_a_verdict_is_evidence_and_silence_is_not(ledger: Ledger) -> None:
    for key, reason, path in (
        ("home.kind", "they exclude each other", GatePath.JUDGE_SEPARATE),
        ("home.address", "the judge gave none: slow", GatePath.JUDGE_UNAVAILABLE),
    ):
        said = Judgement(compatible=False, separation=None, axis="value", reason=reason)
        ledger.tell(claim("one", 1, key=key))
        ledger.tell(claim("two", 2, key=key), verdicts={("one", "two"): said})
        assert [c.gate_path for c in ledger.open() if c.key == key] == [path]


def test_a_bulk_import_is_known_from_its_messages(ledger: Ledger) -> None:
    ledger.tell(claim("Umeå", 30, changed=True, known_from=30), at=900)
    ledger.tell(claim("Lund", 10, changed=True, known_from=10), at=901)
    assert (ledger.seen(40, 20), ledger.seen(40, 30)) == (["Lund"], ["Umeå"])
    assert ledger.row("Lund").recorded_at == day(901)
    assert ledger.seen(5, 20) == ledger.seen(40, 9) == []


def test_withdrawing_one_of_two_messages_drops_its_quote_only(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1, said_in="a"))
    ledger.tell(claim("Lund", 2, said_in="b"))
    ledger.withdraw("a", at=3)
    row = ledger.row("Lund")
    assert (row.mentions, [e.message_id for e in row.evidence]) == (1, ["b"])
    ledger.withdraw("b", at=4)
    assert ledger.facts == {}


def test_a_mention_of_a_thing_retires_nothing(ledger: Ledger) -> None:
    """A statement touches its own slot only, however alike others are."""
    here, there = "thing.orrery.place", "thing.lantern.place"
    ledger.tell(claim("Boden", 1, key=here), claim("Kim", 1, key="thing.orrery.lead"))
    ledger.tell(claim("Visby", 2, key=there, changed=True))
    assert (ledger.current(here), ledger.current(there)) == (["Boden"], ["Visby"])
    assert ledger.current("thing.orrery.lead") == ["Kim"]


def test_a_taste_that_turned_leaves_the_new_one_and_its_past(ledger: Ledger) -> None:
    ledger.tell(claim("herring", 1, key=LIKE))
    ledger.tell(
        end_of("herring", 5, key=LIKE), claim("herring", 5, key="preference.dislike", changed=True)
    )
    assert (ledger.current(LIKE), ledger.current("preference.dislike")) == ([], ["herring"])
    assert [f.key for f in ledger.as_of(day(3), None)] == [LIKE]


def test_two_ways_in_make_one_fact_with_both_sources(ledger: Ledger) -> None:
    ledger.tell(claim("peanuts", 1, key="health.allergy", actor="api", said_in="form"))
    ledger.tell(claim("Peanuts", 2, key="health.allergy", said_in="chat"))
    assert [e.message_id for e in ledger.row("peanuts").evidence] == ["form", "chat"]


def test_a_clock_that_goes_back_breaks_nothing(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 9))
    ledger.now = day(5)
    ledger.tell(claim("Umeå", 12, changed=True), at=5)
    assert [f.value for f in ledger.facts.values() if _is_open(f)] == ["Umeå"]


def _is_open(fact: Fact) -> bool:
    far = day(0) + timedelta(days=5000)
    return fact.status is FactStatus.ACTIVE and (fact.valid_until is None or fact.valid_until > far)
