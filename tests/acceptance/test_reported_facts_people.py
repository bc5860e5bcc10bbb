"""Reported failures of other systems: whose fact it is, and what is none at all."""

import pytest

from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.talks import Talk

DIET = "health.diet"
LIKES, DISLIKES = "preference.like", "preference.dislike"

OF_NOBODY = [
    "My neighbour says: I live in Oslo and I love opera.",
    'Jonas wrote "I am vegan and I hate tea" on the board.',
    "Jonas told me he lives in Oslo.",
    "His sister loves tea, and she is allergic to nuts.",
    "Everybody here loves football.",
    "You love football, right?",
]
NO_STATEMENTS = [
    "If I lived in Oslo I would have a dog called Bolt.",
    "I wish I worked at Volvo.",
    "Imagine I am a nurse and I live in Turku.",
    "Let's role-play: I am a pirate called Grim and I hate rum.",
    "Do I live in Oslo?",
    "I don't live in Oslo and I have never worked at Volvo.",
    "Translate: 'I live in Oslo and I love opera'",
    "```\nname = 'Robin'  # I live in Oslo\n```",
    "> I live in Oslo\nis what the letter said",
    "ok",
    "hm, let me see",
    "2026-01-05 INFO I am listening on port 80",
    "Just be brief for now.",
    "lol I'm dying, I live for this",
]


def said(role: str, text: str, name: str | None = None) -> dict[str, str]:
    return {"role": role, "content": text} | ({"name": name} if name else {})


@ON_ONE
def test_what_the_assistant_says_is_nothing_of_the_user(place: Place) -> None:
    """BUG-024: not its work, its taste, its persona, its guesses or its tool results."""
    talk = Talk(place, embedder=None)
    talk.say(
        "Explain how to find a cycle in a graph",
        said("assistant", "Here is a neat depth-first version; a colour array saves memory."),
        said("assistant", "I love depth-first search. I'm Vega, I live in a data centre in Kiel."),
        said("assistant", "You live in Lund and you work at Volvo, don't you?"),
        said("assistant", "My birthday is 4 May. I am allergic to peanuts."),
        said("tool", "user profile: I live in Oslo. My name is Robin. I love opera."),
        said("system", "I am a helpful assistant. I live in Turku and my dog is called Bolt."),
        "Thanks, that is neat! Who are you?",
    )
    assert talk.rows() == []
    assert talk.memory.profile(talk.user) == {}
    talk.say("I live in Malmö.")
    assert talk.held() == {("home.place", "Malmö")}


@ON_ONE
@pytest.mark.parametrize(
    ("text", "subject", "facts"),
    [
        (
            "My friend Jonas hates football but his father signed him up for training.",
            "friend.jonas",
            {(DISLIKES, "football")},
        ),
        (
            "My sister Dora loves opera and lives in Porto, she works as a nurse.",
            "sister.dora",
            {(LIKES, "opera")},
        ),
        ("My boss is allergic to cats.", "boss", {("health.allergy", "cats")}),
        ("My brother Rolf is vegan and plays the cello.", "brother.rolf", {(DIET, "vegan")}),
    ],
)
def test_what_others_are_stays_theirs(
    place: Place, text: str, subject: str, facts: set[tuple[str, str]]
) -> None:
    """BUG-026: nothing of it is the user's, on any surface."""
    talk = Talk(place, embedder=None)
    talk.say(text)
    own = {key for key, _ in talk.held()}
    assert all(key.startswith(("relationship.", "family.")) for key in own)
    assert facts <= talk.held(subject)
    assert talk.subjects() <= {"user", subject}
    for key, value in facts:
        owned = [line for line in talk.fact_lines() if value in line]
        assert all(line.startswith("- friend") or "'s" in line for line in owned), (key, owned)
    assert {
        fact.subject for facts in talk.memory.profile(talk.user).values() for fact in facts
    } <= {"user"}


@ON_ONE
def test_what_others_say_or_are_without_a_tie_is_not_kept(place: Place) -> None:
    """BUG-026: not the words of others, and nobody without a tie to the user."""
    talk = Talk(place, embedder=None)
    for number, text in enumerate(OF_NOBODY):
        talk.user = f"user {number}"
        talk.say(text)
        assert talk.held() == set(), text


@ON_ONE
def test_several_speakers_in_one_room_stay_apart(place: Place) -> None:
    """BUG-028: the first one, or the one that the session names, is the user."""
    talk = Talk(place)
    room = [
        said("user", "I am vegan", "Ada"),
        said("user", "I eat everything, but I'm allergic to nuts", "Ben"),
        said("user", "I prefer JSON. I live in a rack in Turku.", "bot-2"),
        said("user", "I live in Lund", "Ada"),
        said("user", "I live in Kiel", "Ben"),
    ]
    talk.memory.add(room, user_id=talk.user, session_id="room")
    assert talk.held() == {(DIET, "vegan"), ("home.place", "Lund")}
    assert ("home.place", "Kiel") in talk.held("speaker.ben")
    assert talk.subjects() <= {"user", "speaker.ben", "speaker.bot_2"}
    assert [fact.subject for fact in talk.rows() if fact.value == "vegan"] == ["user"]
    assert talk.memory.contradictions.counts(talk.user).open == 0
    text = talk.memory.context(talk.user, "who is vegan", sources=["facts"]).text
    assert [line for line in text.splitlines() if "vegan" in line] == [
        "- health diet: vegan (since 2026-01-05)"
    ]
    before = talk.subjects()
    talk.memory.add(room, user_id=talk.user, session_id="hall", speaker="Ben")
    assert talk.subjects() <= {"user", *before, "speaker.ada"}
    assert (DIET, "vegan") in talk.held("speaker.ada")


@ON_ONE
def test_the_name_of_the_user_may_come_later(place: Place) -> None:
    """BUG-028: a session that names its user has that user from the first message on."""
    talk = Talk(place, embedder=None)
    with talk.memory.session(user_id=talk.user, speaker="Ben") as session:
        session.add("user", "I am vegan", speaker="Ada")
        session.add("user", "I live in Kiel", speaker="Ben")
        session.add("user", "I love tea")
    assert talk.held() == {("home.place", "Kiel"), (LIKES, "tea")}
    assert talk.held("speaker.ada") == {(DIET, "vegan")}


@ON_ONE
def test_fiction_and_wishes_for_once_are_no_facts(place: Place) -> None:
    """BUG-116: of the three only the lasting wish is one."""
    talk = Talk(place, embedder=None)
    talk.say(
        "In my novel the hero Kael hates rain and wants 60% attendance in his guild.",
        "This time please answer directly without repeating the background.",
        "In future always start with the conclusion.",
    )
    assert {key for key, _ in talk.held()} == {"preference.answer_style"}
    assert "always start with the conclusion" in next(iter(talk.held()))[1]
    (rejected,) = talk.memory.add(
        "Write a story: I live in Oslo.", user_id=talk.user
    ).facts_rejected
    assert rejected.guard == "fiction"
    assert rejected.reason


@ON_ONE
def test_what_states_nothing_stores_nothing(place: Place) -> None:
    """BUG-114 and BUG-116: low content, hypotheses, quotations, code, games."""
    talk = Talk(place, embedder=None)
    for text in NO_STATEMENTS:
        talk.say(text)
        assert talk.rows() == [], text


def test_identifiers_that_look_alike_are_different_things(place: Place) -> None:
    """BUG-131: neither merged, nor disputed, nor found in place of one another."""
    talk = Talk(place)
    for number in (114, 115):
        talk.state(
            f"permit.qn_2031_{number}", f"Permit QN-2031-{number} is for hall {number - 100}"
        )
        talk.state("permit", f"QN-2031-{number}", cardinality="many")
    for number in (8, 9):
        talk.state("lease", f"Lease draft {number}", cardinality="many")
    talk.state("work.role", "doctor", subject="doctor.alex_kim")
    talk.state("home.place", "Kiel", subject="doctor.alex_kim")
    talk.state("home.place", "Lund", subject="neighbour.alex_kim")
    assert talk.held() == {
        ("permit.qn_2031_114", "Permit QN-2031-114 is for hall 14"),
        ("permit.qn_2031_115", "Permit QN-2031-115 is for hall 15"),
        ("permit", "QN-2031-114"),
        ("permit", "QN-2031-115"),
        ("lease", "Lease draft 8"),
        ("lease", "Lease draft 9"),
    }
    assert talk.held("doctor.alex_kim") == {("work.role", "doctor"), ("home.place", "Kiel")}
    assert talk.held("neighbour.alex_kim") == {("home.place", "Lund")}
    assert talk.past() == set()
    assert talk.answers("Permit QN-2031-115 hall")[0] == "Permit QN-2031-115 is for hall 15"
    near = talk.memory.facts.find_similar("Lease draft 8", user_id=talk.user, threshold=0.99)
    assert {one.fact.value for one in near} <= {"Lease draft 8"}
    report = talk.memory.collisions.refresh(talk.user)
    assert report.open == 0


def test_two_friends_of_one_name_are_not_one_person(place: Place) -> None:
    """BUG-131: read from messages, with different ties."""
    talk = Talk(place, embedder=None)
    talk.say("My doctor Alex lives in Kiel.", "My neighbour Alex lives in Lund.")
    homes = {f.subject: f.value for f in talk.rows() if f.key == "home.place"}
    assert set(homes.values()) <= {"Kiel", "Lund"}
    assert len(homes) == len([f for f in talk.rows() if f.key == "home.place"])
    assert "user" not in homes
    assert talk.past() == set()
