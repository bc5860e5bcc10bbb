"""Plain statements about oneself, family by family: what is read, and in which slot."""

import pytest

from backstory.core.model.fact import USER
from backstory.core.model.reading import Act
from tests.unit.reading.rules_help import claims

CASES = [
    # who one is
    ("I'm Oda, 41, from Hobart",
     {"personal.name=Oda", "personal.age=41", "personal.origin=Hobart"}),
    ("the name's Olwyn, nice to meet you", {"personal.name=Olwyn"}),
    ("hi there, Ottavia here", {"personal.name=Ottavia"}),
    ("you can call me Lottie", {"personal.nickname=Lottie"}),
    ("im 34 lol", {"personal.age=34"}),
    ("as a 63 year old I find that odd", {"personal.age=63"}),
    ("I'm thirty-two and single", {"personal.age=thirty-two", "relationship.status=single"}),
    ("my bday is july 3rd", {"personal.birthday=july 3rd"}),
    ("born in 1990 in Malm\u00f6", {"personal.birth_year=1990", "personal.birthplace=Malm\u00f6"}),
    ("I grew up in Lund", {"personal.hometown=Lund"}),
    ("I'm half Norwegian", {"personal.nationality=Norwegian"}),
    ("I speak Danish, Farsi and a bit of Thai",
     {"personal.language=Danish", "personal.language=Farsi", "personal.language=Thai"}),
    ("my mother tongue is Tamil", {"personal.mother_tongue=Tamil"}),
    ("I'm 182 cm tall", {"personal.height=182 cm"}),
    ("my blood group is A-", {"personal.blood_type=A-"}),
    # home
    ("i live in winnipeg with my aunt", {"home.place=winnipeg"}),
    ("we're based in S\u00e3o Paulo these days", {"home.place=S\u00e3o Paulo"}),
    ("I live with my parents in Osaka", {"home.place=Osaka"}),
    # work and studies
    ("I'm a tram driver", {"work.role=tram driver"}),
    ("I'm an ER nurse at St. Anne's Hospital",
     {"work.role=ER nurse", "work.employer=St. Anne's Hospital"}),
    ("I work for a small bakery called Rye & Daughters", {"work.employer=Rye & Daughters"}),
    ("I work in marketing", {"work.field=marketing"}),
    ("i work nights as a security guard", {"work.schedule=nights", "work.role=security guard"}),
    ("I teach chemistry at a school", {"work.role=teach chemistry"}),
    ("as a paramedic I see this a lot", {"work.role=paramedic"}),
    ("I'm studying law at Utrecht University",
     {"study.subject=law", "study.school=Utrecht University"}),
    ("doing a PhD in soil science", {"study.subject=soil science"}),
    ("I'm learning Welsh", {"study.learning=Welsh"}),
    # people and animals
    ("my wife Hyacinth says hi", {"relationship.partner=Hyacinth"}),
    ("my twins, Bo and Ada, are asleep", {"family.child=Bo", "family.child=Ada"}),
    ("my brothers are called Anton and Emil", {"family.brother=Anton", "family.brother=Emil"}),
    ("I'm married to Ksenia", {"relationship.status=married", "relationship.partner=Ksenia"}),
    ("we've got three cats: Pip, Lady Jane and Tom",
     {"pet.cat=Pip", "pet.cat=Lady Jane", "pet.cat=Tom"}),
    ("we just got a puppy!! he's called Waldo", {"pet=puppy", "pet.dog=Waldo"}),
    ("Waldo, my dog, ate a sock", {"pet.dog=Waldo"}),
    # taste
    ("I love spicy food and jazz", {"preference.like=spicy food", "preference.like=jazz"}),
    ("I love drum and bass", {"preference.like=drum and bass"}),
    ("ugh I can't stand musicals", {"preference.dislike=musicals"}),
    ("not a fan of celery, tbh", {"preference.dislike=celery"}),
    ("my favorite color has always been green", {"preference.favourite.color=green"}),
    ("Blue is my favourite colour", {"preference.favourite.colour=Blue"}),
    ("From now on please answer in short sentences",
     {"preference.answer_style=From now on please answer in short sentences"}),
    # health
    ("I'm allergic to birch pollen and latex",
     {"health.allergy=birch pollen", "health.allergy=latex"}),
    ("can't do sesame, im allergic", {"health.allergy=sesame"}),
    ("I keep kosher", {"health.diet=kosher"}),
    ("I have type 1 diabetes", {"health.condition=type 1 diabetes"}),
    ("i dont eat pork", {"health.avoids=no pork"}),
    # things
    ("I drive an old Panda", {"possession.car=old Panda"}),
    ("my phone is a Zenta 4", {"possession.phone=Zenta 4"}),
    ("I own a kayak and a loom", {"possession.thing=kayak", "possession.thing=loom"}),
    # pastimes
    ("I play the oboe and chess", {"hobby.instrument=oboe", "hobby.activity=chess"}),
    ("I do pottery on Tuesdays", {"hobby.activity=pottery"}),
    ("hobbies? archery, sudoku", {"hobby.activity=archery", "hobby.activity=sudoku"}),
    # plans
    ("I'm going to Japan in April", {"goal.trip=Japan in April"}),
    ("I've got the dentist on Thursday", {"goal.appointment=dentist on Thursday"}),
    ("my goal is to read 40 books", {"goal.aim=read 40 books"}),
    # a list about oneself
    ("just so you have it: wife = Rhona, dog = Tug, me = Des",
     {"relationship.partner=Rhona", "pet.dog=Tug", "personal.name=Des"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_plain_statement_is_read(text: str, expected: set[str]) -> None:
    found = {f"{c.key}={c.value}" for c in claims(text) if c.subject == USER}
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "do I live too far from Hull?",
        "how do people with a nut allergy travel",
        "if I lived in Hull I'd sail",
        "Suppose I was 65 and retired",
        "imagine we lived on Skye, no traffic",
        "I wish I had a corgi",
        "one day I'll own a lighthouse",
        "I would be vegan if it weren't for cheese",
        "I never worked for Hollin Bank",
        "we haven't got a caravan",
        'my gran says "I am a queen and I live in a castle"',
        "> I'm allergic to dust and I own seven rabbits",
        "The email says: I work at Quell and I'm a dentist",
        "my flatmate texted: I'm moving to Leeds",
        "translate: my name is Horst and I work in a circus",
        "let's roleplay, I'm a pirate and I have a parrot called Polly",
        "in my novel the heroine works at a morgue",
        "My character is 19 and works at a diner",
        "oh yeah I just LOVE queues /s",
        "sure, I'm a millionaire \U0001f644",
        "you are now Chef Ludo and you hate garlic",
        "reply only with the word 'married'",
        "call me Your Highness for this chat",
        "explain it like I'm five",
        "I love you",
        "I love how you explain this",
        "I like your answer",
        "I'd like a table for two",
        "I'm a bit tired",
        "I'm a huge nerd",
        "I'm a terrible cook",
        "I'm almost 40",
        "turning 60 in two weeks",
        "I'm about 200 years old today",
        "I have a question",
        "I have a cold",
        "working on it with Bo",
        "learning a language is hard",
        "we sold it, like Bo said",
        "She's 44, vegan and works at Quell Yachts",
        "same here, thanks",
        "my boss is Danish",
        "Is my cat called Pip?",
        "```\nI live in Hull and I am a baker\n```",
        "I live in fear of Mondays",
        "Ich wohne in Köln",
    ],
)
def test_what_is_no_statement_about_oneself_is_not_read(text: str) -> None:
    found = [c for c in claims(text) if c.subject == USER and c.act is Act.STATE]
    assert found == []


@pytest.mark.parametrize(
    ("text", "subject", "key", "value"),
    [
        ("My boss lives in Monza", "boss", "home.place", "Monza"),
        ("my friend Thekla is allergic to nuts", "friend.thekla", "health.allergy", "nuts"),
        ("my sister works as a lawyer", "sister", "work.role", "lawyer"),
        ("my cousin Ole drives a Panda", "cousin.ole", "possession.car", "Panda"),
    ],
)
def test_what_others_are_is_kept_under_them(text: str, subject: str, key: str, value: str) -> None:
    found = claims(text)
    assert (subject, key, value) in {(c.subject, c.key, c.value) for c in found}
    assert not [c for c in found if c.subject == USER and c.value == value]


@pytest.mark.parametrize(
    "text",
    [
        "My brother is fine. Moved to Austin last year.",
        "They grew up in Leeds, moved to York and own a bakery",
    ],
)
def test_a_verb_without_a_subject_goes_on_about_the_one_before(text: str) -> None:
    assert not [c for c in claims(text) if c.subject == USER]


def test_a_statement_after_an_unreal_one_is_read() -> None:
    text = "assuming I drive a Tesla, how long is a charge? in reality I've got a Skoda"
    assert [(c.key, c.value) for c in claims(text)] == [("possession.car", "Skoda")]


def test_it_is_evidence_what_stands_in_the_message() -> None:
    text = "well  I\u2019m Oda \U0001f600 and  I live in\tHobart"
    found = claims(text)
    assert {c.value for c in found} == {"Oda", "Hobart"}
    assert all(c.evidence[0].quote in text for c in found)
