"""Plans of observations: what is a pattern, what is none, and how one fades."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import (
    Derived,
    EmotionalMoment,
    Observation,
    ObservationStatus,
)
from backstory.core.model.fact import Evidence
from backstory.core.model.scope import Scope
from backstory.core.summaries.choosing import active_observations
from backstory.language.recurring import Heard
from backstory.services.summaries.patterns import FADES_AFTER, Begun, plan_observations

SCOPE = Scope("default", "vera")
START = datetime(2026, 3, 2, 19, 10, tzinfo=UTC)
NOW = START + timedelta(weeks=9)
WEEK = timedelta(weeks=1)
OTHER = "We spoke of the neighbours and of what they did."
POTTERY = "I made a bowl in my pottery class. Pottery is what I do on my own."
AGAIN = "The pottery kiln was broken again."


class Talks:
    """Conversations, one a week."""

    def __init__(self, texts: Sequence[Sequence[str]], step: timedelta = WEEK) -> None:
        self.heard, self.begun = [], []
        for number, turns in enumerate(texts):
            at = START + number * step + timedelta(minutes=number)
            name = f"s{number}"
            ids = [f"{name}-{place}" for place in range(len(turns))]
            heard = Heard(session_id=name, on=at.date(), turns=tuple(zip(ids, turns, strict=True)))
            self.heard.append(heard)
            self.begun.append(Begun(session_id=name, message_id=f"{name}-0", at=at))

    def plan(self, book: DerivedBook | None = None, now: datetime = NOW) -> DerivedPlan:
        return plan_observations(book or DerivedBook(), self.heard, self.begun, now, scope=SCOPE)

    def patterns(self) -> dict[str, Observation]:
        return {one.pattern: one for one in self.plan().put if isinstance(one, Observation)}


def _written(book: DerivedBook, plan: DerivedPlan) -> DerivedBook:
    ids = {one.id for one in plan.put} | set(plan.withdraw)
    kept: list[Derived] = [
        replace(one, replaced_at=NOW) if one.id in ids and one.replaced_at is None else one
        for one in book.records
    ]
    return DerivedBook((*kept, *plan.put))


def test_a_topic_of_several_weeks_is_seen_with_its_evidence() -> None:
    talks = Talks([[POTTERY, AGAIN], [OTHER], [POTTERY, AGAIN], [OTHER], [OTHER], [POTTERY]])
    found = talks.patterns()
    topic = found["topic:potteri"]
    assert topic.text == "Comes back to \u201cpottery\u201d"
    assert topic.sessions == ("s0", "s2", "s5")
    assert topic.confidence == 0.5
    assert (topic.first_seen, topic.last_seen) == (talks.begun[0].at, talks.begun[5].at)
    assert topic.evidence[0] == Evidence(
        message_id="s0-0", quote="I made a bowl in my pottery class."
    )


@pytest.mark.parametrize(
    ("texts", "step"),
    [
        ([], WEEK),
        ([[POTTERY, AGAIN]] * 2, WEEK),
        ([[POTTERY, AGAIN]] * 5, WEEK),
        ([[POTTERY, AGAIN], [OTHER]] * 4, timedelta(hours=5)),
        ([["Thank you so much, that was really great and helpful!"] * 2] * 8, WEEK),
        ([["\u4f60\u597d\uff0c\u6211\u559c\u6b22\u966f\u827a\u3002"] * 2] * 8, WEEK),
        ([["\U0001f600 \U0001f600"] * 2] * 8, WEEK),
        ([["```\nimport pottery\n```"] * 2, [OTHER]] * 4, WEEK),
    ],
)
def test_what_is_no_pattern(texts: list[list[str]], step: timedelta) -> None:
    patterns = Talks(texts, step).patterns()
    assert not [name for name in patterns if not name.startswith("time:")]


def test_a_habit_is_what_is_said_of_every_week_and_meant() -> None:
    said = [["I go running every morning before work."], [OTHER]]
    found = Talks([*said, *said, *said]).patterns()
    assert found["habit:go run"].text == (
        "Says again and again: \u201cI go running every morning before work.\u201d"
    )
    unsure = [
        "I used to go running every morning.",
        "I don't go running every morning.",
        "I want to go running every morning.",
        "Should I go running every morning?",
        "If I go running every morning I get tired.",
    ]
    for text in unsure:
        assert not [
            name for name in Talks([[text], [OTHER]] * 4).patterns() if name.startswith("habit")
        ]


def test_the_time_of_day_is_told_in_the_users_zone() -> None:
    texts = [["Hi there!"]] * 7
    (evening,) = Talks(texts).patterns().values()
    assert (evening.pattern, evening.text) == ("time:evening", "Usually talks in the evening")
    talks = Talks(texts)
    plan = plan_observations(
        DerivedBook(), talks.heard, talks.begun, NOW, scope=SCOPE, zone=ZoneInfo("Asia/Kolkata")
    )
    assert [one.pattern for one in plan.put if isinstance(one, Observation)] == ["time:night"]
    midnight = [replace(one, at=one.at.replace(hour=0, minute=0)) for one in talks.begun]
    plan = plan_observations(DerivedBook(), talks.heard, midnight, NOW, scope=SCOPE)
    assert plan == DerivedPlan()


def test_a_feeling_that_was_strong_in_several_weeks() -> None:
    talks = Talks([[OTHER]] * 4, timedelta(days=8, hours=9))
    moments = tuple(
        EmotionalMoment(
            id=f"e{n}",
            user_id="vera",
            at=begun.at,
            recorded_at=begun.at,
            session_id=begun.session_id,
            evidence=(Evidence(message_id=begun.message_id, quote="I am so worried"),),
            valence=-0.8,
            arousal=0.5,
            dominance=-0.4,
            intensity=0.9,
            tags=("fear",),
            quote="I am so worried",
        )
        for n, begun in enumerate(talks.begun)
    )
    plan = talks.plan(DerivedBook(moments))
    assert "feeling:fear" in [one.pattern for one in plan.put if isinstance(one, Observation)]


def test_the_same_again_writes_nothing_and_more_of_it_is_a_new_version() -> None:
    texts = [[POTTERY, AGAIN], [OTHER], [POTTERY, AGAIN], [OTHER], [OTHER], [POTTERY]]
    book = _written(DerivedBook(), Talks(texts).plan())
    assert Talks(texts).plan(book, NOW + timedelta(days=3)) == DerivedPlan()
    more = Talks([*texts, [POTTERY]]).plan(book)
    (topic,) = (one for one in more.put if isinstance(one, Observation) and "topic" in one.pattern)
    assert topic.sessions == ("s0", "s2", "s5", "s6")
    assert topic.id == next(one.id for one in book.of(Observation) if one.pattern == topic.pattern)


def test_what_is_not_seen_for_long_fades_and_what_lost_its_ground_goes() -> None:
    texts = [[POTTERY, AGAIN], [OTHER], [POTTERY, AGAIN], [OTHER], [OTHER], [POTTERY]]
    talks = Talks(texts)
    book = _written(DerivedBook(), talks.plan())
    assert active_observations(book)
    later = talks.begun[5].at + FADES_AFTER + timedelta(days=1)
    faded = _written(book, talks.plan(book, later))
    assert active_observations(faded) == []
    assert {one.status for one in faded.of(Observation)} == {ObservationStatus.FADED}
    much_later = later + timedelta(weeks=40)
    gone = plan_observations(faded, [], [], much_later, scope=SCOPE)
    assert gone == DerivedPlan()
    without = Talks([[OTHER]] * 6).plan(book)
    topic = next(one for one in book.of(Observation) if one.pattern == "topic:potteri")
    assert topic.id in without.withdraw


def test_what_a_model_observed_is_left_alone() -> None:
    other = Observation(
        id="m",
        user_id="vera",
        at=START,
        recorded_at=START,
        pattern="avoids phone calls",
        text="Avoids phone calls",
        confidence=0.6,
        first_seen=START,
        last_seen=NOW - timedelta(days=3),
        sessions=("s0", "s1", "s2"),
    )
    assert Talks([[OTHER]] * 3).plan(DerivedBook((other,))) == DerivedPlan()
