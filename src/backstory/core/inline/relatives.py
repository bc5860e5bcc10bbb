"""Names of the people and animals in a user's life."""

from typing import Final

from backstory.core.inline.patterns import (
    ADJECTIVES,
    I_AM,
    I_HAVE,
    MINE,
    NOT_TOLD,
    Concept,
    pattern,
)
from backstory.core.inline.values import take_name, take_whole_name
from backstory.core.wordlists import word_set

RELATIVES: Final = {
    "partner": "wife|husband|girlfriend|boyfriend|partner|spouse|fianc\u00e9e?|fiancee?|hubby"
    "|missus|other half",
    "spouse": "wife|husband|spouse|partner|hubby|missus",
    "wife": "wife|missus", "husband": "husband|hubby", "girlfriend": "girlfriend",
    "boyfriend": "boyfriend",
    "fiance": "fianc\u00e9e?|fiancee?", "fiancee": "fianc\u00e9e?|fiancee?",
    "sister": "sister|sis", "brother": "brother|bro", "sibling": "sister|brother|sis|bro",
    "daughter": "daughter", "son": "son", "child": "son|daughter|kid|child|baby",
    "kid": "son|daughter|kid|child|baby",
    "mother": "mother|mum|mom|mama|mam", "father": "father|dad|papa|daddy",
    "mum": "mother|mum|mom", "mom": "mother|mum|mom", "dad": "father|dad|papa",
    "grandmother": "grandmother|grandma|gran|nan|granny",
    "grandfather": "grandfather|grandpa|grandad",
    "aunt": "aunt|auntie", "uncle": "uncle", "cousin": "cousin", "niece": "niece",
    "nephew": "nephew",
    "boss": "boss|manager|supervisor|line manager",
    "manager": "boss|manager|supervisor|line manager",
    "colleague": "colleague|coworker|co-worker", "coworker": "colleague|coworker|co-worker",
    "friend": "friend|mate|bestie", "roommate": "roommate|flatmate|housemate",
    "flatmate": "roommate|flatmate|housemate",
    "neighbour": "neighbour|neighbor", "teacher": "teacher|tutor", "coach": "coach|trainer",
    "doctor": "doctor|gp|physician", "gp": "doctor|gp", "physician": "doctor|gp|physician",
    "dentist": "dentist", "therapist": "therapist|psychologist", "vet": "vet",
    "lawyer": "lawyer|solicitor",
    "landlord": "landlord|landlady",
    "pet": "pet|dog|cat|puppy|kitten|rabbit|bunny|hamster|parrot|horse|pony|guinea pig|tortoise"
    "|budgie",
    "dog": "dog|puppy|pup", "cat": "cat|kitten|kitty", "horse": "horse|pony|mare",
    "rabbit": "rabbit|bunny",
    "hamster": "hamster", "parrot": "parrot|budgie",
}  # fmt: skip
_ANIMALS: Final = word_set("pet dog cat horse rabbit hamster parrot")
BESIDE_RELATIVE: Final = word_set(
    "name names first full called family relationship relationships relative relatives personal "
    "current "
    "user s best the my is s of home work health social person people close significant other pets "
    "animal animals primary care"
)


def relative(kind: str) -> Concept:
    """What one of the ``RELATIVES`` is called."""
    nouns = RELATIVES[kind]
    owned = rf"{MINE}{ADJECTIVES}(?:{nouns})"
    patterns = [
        pattern(
            rf"{owned}(?:'s\sname(?:\sis|'s)|(?:\sis|'s)?\s(?:called|named)|\sname\sis),?\s",
            take_name,
        ),
        pattern(rf"{NOT_TOLD}{owned},?\s", take_name),
        pattern(rf"{owned}(?:\sis|'s)\s(?:now\s|actually\s)?", take_whole_name),
        pattern(rf"{MINE}{ADJECTIVES}(?:{nouns})\s\(", take_name),
    ]
    if kind in _ANIMALS:
        patterns.append(
            pattern(rf"\bthe\s(?:{nouns})(?:'s\sname\sis|\sis\scalled|\sis\snamed)\s", take_name)
        )
    if kind in {"partner", "spouse", "wife", "husband"}:
        patterns.append(
            pattern(rf"(?:{I_AM}|{I_HAVE})(?:married|engaged|dating)(?:\sto)?\s", take_name)
        )
    return Concept(patterns=tuple(patterns), person=True)
