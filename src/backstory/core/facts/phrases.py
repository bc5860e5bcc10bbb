"""How people say a fact of a known slot: what questions about it are worded like.

Search reads a fact as its sentence and its slot: "lives in Lund · home place: Lund". A question
asks "where does she live", not for a "home place".
"""

from typing import Final

from backstory.core.facts.sentences import fact_text, key_words
from backstory.core.model.fact import USER, Fact

_PHRASES: Final = {
    "personal.name": "is called {}, the name is {}",
    "personal.surname": "the surname, last name, is {}",
    "personal.nickname": "the nickname is {}",
    "personal.age": "is {} years old",
    "personal.birthday": "was born on {}, has birthday",
    "personal.birth_year": "was born in the year {}",
    "personal.birthplace": "was born in {}",
    "personal.origin": "comes from {}, grew up there",
    "personal.nationality": "is {} by nationality",
    "personal.mother_tongue": "native language, mother tongue, is {}",
    "personal.language": "speaks {}",
    "personal.height": "is {} tall",
    "home.place": "lives in {}, the city or town where they live",
    "home.address": "the address is {}",
    "work.employer": "works at {}, the company, firm, job",
    "work.role": "works as {}, the job, profession, occupation",
    "work.place": "works in {}",
    "work.started": "started the job in {}",
    "work.commute": "gets to work, commutes, by {}",
    "study.subject": "studies {}",
    "study.school": "goes to school, university, at {}",
    "study.learning": "is learning {}",
    "relationship.status": "is {}, marital status",
    "relationship.partner": "partner, husband, wife, spouse, is {}",
    "relationship.friend": "has a friend called {}",
    "relationship.colleague": "has a colleague called {}",
    "relationship.boss": "the boss, manager, is {}",
    "family.mother": "the mother, mum, is called {}",
    "family.father": "the father, dad, is called {}",
    "family.sister": "has a sister called {}",
    "family.brother": "has a brother called {}",
    "family.daughter": "has a daughter, child, called {}",
    "family.son": "has a son, child, called {}",
    "family.child": "has a child called {}",
    "family.children": "has {} children, kids",
    "family.siblings": "has {} siblings, brothers and sisters",
    "preference.like": "likes {}, loves, enjoys",
    "preference.dislike": "does not like {}, dislikes, hates",
    "health.allergy": "is allergic to {}",
    "health.condition": "has {}, a health condition",
    "health.diet": "eats {}, the diet, food",
    "possession.car": "drives a {}, the car",
    "possession.phone": "has a {} phone",
    "possession.computer": "uses a {} computer, laptop",
    "possession.bike": "rides a {} bike",
    "possession.thing": "owns {}, has",
    "hobby.activity": "does {} as a hobby, in their free time",
    "hobby.instrument": "plays the {}, an instrument",
    "goal.plan": "plans to {}",
    "goal.trip": "is planning a trip to {}, travel",
    "goal.appointment": "has an appointment: {}",
    "goal.aim": "has the goal to {}",
    "context.location": "is staying in {} for now",
}
_FAVOURITE: Final = "preference.favourite."
_PET: Final = "pet."


def indexed_text(fact: Fact) -> str:
    """What search reads of a fact: the words of a sentence about it, then its slot and value."""
    phrase = _phrase(fact)
    if phrase is None:
        return fact_text(fact)
    whose = "" if fact.subject == USER else f"{key_words(fact.subject)} "
    return f"{whose}{phrase} \u00b7 {fact_text(fact)}"


def _phrase(fact: Fact) -> str | None:
    value = " ".join(fact.value.split())
    if fact.key.startswith(_FAVOURITE):
        return f"likes {value} best, favourite {key_words(fact.key.removeprefix(_FAVOURITE))}"
    if fact.key.startswith(_PET):
        return f"has a pet, a {key_words(fact.key.removeprefix(_PET))}, called {value}"
    template = _PHRASES.get(fact.key)
    return None if template is None else template.replace("{}", value)
