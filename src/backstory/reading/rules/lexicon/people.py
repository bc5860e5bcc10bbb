"""Relatives, other people, animals."""

from typing import Final

from backstory.reading.rules.lexicon import word_set

KIN: Final = {
    "mother": "family.mother", "mum": "family.mother", "mom": "family.mother",
    "mam": "family.mother", "mama": "family.mother", "mummy": "family.mother",
    "father": "family.father", "dad": "family.father", "papa": "family.father",
    "daddy": "family.father", "sister": "family.sister", "sis": "family.sister",
    "stepsister": "family.sister", "half-sister": "family.sister", "brother": "family.brother",
    "bro": "family.brother", "stepbrother": "family.brother", "half-brother": "family.brother",
    "daughter": "family.daughter", "girl": "family.daughter", "stepdaughter": "family.daughter",
    "son": "family.son", "boy": "family.son", "stepson": "family.son", "child": "family.child",
    "kid": "family.child", "baby": "family.child", "eldest": "family.child",
    "oldest": "family.child", "youngest": "family.child", "twin": "family.child",
    "toddler": "family.child", "firstborn": "family.child", "newborn": "family.child",
    "middle": "family.child", "parent": "family.parent",
    "wife": "relationship.partner", "husband": "relationship.partner",
    "hubby": "relationship.partner", "partner": "relationship.partner",
    "spouse": "relationship.partner", "girlfriend": "relationship.partner",
    "boyfriend": "relationship.partner", "fiance": "relationship.partner",
    "fiancee": "relationship.partner", "fianc\u00e9": "relationship.partner",
    "fianc\u00e9e": "relationship.partner", "missus": "relationship.partner",
    "ex": "relationship.ex", "ex-wife": "relationship.ex", "ex-husband": "relationship.ex",
    "ex-girlfriend": "relationship.ex", "ex-boyfriend": "relationship.ex",
    "ex-partner": "relationship.ex",
    "friend": "relationship.friend", "mate": "relationship.friend", "buddy": "relationship.friend",
    "bestie": "relationship.friend", "pal": "relationship.friend", "bff": "relationship.friend",
    "flatmate": "relationship.flatmate", "roommate": "relationship.flatmate",
    "housemate": "relationship.flatmate", "colleague": "relationship.colleague",
    "coworker": "relationship.colleague", "co-worker": "relationship.colleague",
    "workmate": "relationship.colleague", "boss": "relationship.boss",
    "manager": "relationship.boss", "supervisor": "relationship.boss",
    "cousin": "family.other", "aunt": "family.other", "auntie": "family.other",
    "uncle": "family.other", "niece": "family.other", "nephew": "family.other",
    "grandmother": "family.other", "grandma": "family.other", "gran": "family.other",
    "granny": "family.other", "nan": "family.other", "nana": "family.other",
    "grandfather": "family.other", "grandad": "family.other", "granddad": "family.other",
    "grandpa": "family.other", "grandson": "family.other", "granddaughter": "family.other",
    "grandchild": "family.other", "godson": "family.other", "goddaughter": "family.other",
    "mother-in-law": "family.other", "father-in-law": "family.other",
    "sister-in-law": "family.other", "brother-in-law": "family.other",
    "son-in-law": "family.other", "daughter-in-law": "family.other", "stepmum": "family.other",
    "stepmother": "family.other", "stepdad": "family.other", "stepfather": "family.other",
    "neighbour": "relationship.neighbour", "neighbor": "relationship.neighbour",
    "coach": "relationship.other", "trainer": "relationship.other",
    "therapist": "relationship.other", "carer": "relationship.other",
    "landlord": "relationship.other", "landlady": "relationship.other",
    "teacher": "relationship.other", "tutor": "relationship.other",
    "doctor": "relationship.other", "student": "relationship.other",
}  # fmt: skip
_IRREGULAR: Final = {
    "children": "child", "kids": "kid", "wives": "wife", "babies": "baby", "besties": "bestie",
    "buddies": "buddy", "parents": "parent", "folks": "parent", "grandchildren": "grandchild",
    "boys": "boy", "girls": "girl", "sons": "son", "daughters": "daughter",
}  # fmt: skip

PETS: Final = {
    form: kind
    for kind, forms in {
        "dog": "dog dogs doggo pup puppy puppies spaniel greyhound lurcher terrier labrador lab "
        "poodle collie beagle dachshund corgi retriever husky pug whippet alsatian bulldog "
        "rottweiler dalmatian chihuahua schnauzer mastiff setter mutt hound boxer sheepdog "
        "labradoodle cockapoo",
        "cat": "cat cats kitty kitten kittens tomcat tabby moggy",
        "rabbit": "rabbit rabbits bunny bunnies", "hamster": "hamster hamsters",
        "guinea pig": "guinea-pig guinea-pigs", "parrot": "parrot parrots cockatoo macaw",
        "budgie": "budgie budgies budgerigar parakeet parakeets", "canary": "canary canaries",
        "tortoise": "tortoise tortoises", "turtle": "turtle turtles terrapin terrapins",
        "ferret": "ferret ferrets", "hen": "hen hens chicken chickens rooster cockerel",
        "goat": "goat goats", "horse": "horse horses pony ponies mare gelding",
        "donkey": "donkey donkeys", "sheep": "sheep ewes", "pig": "pig pigs piglet",
        "alpaca": "alpaca alpacas", "llama": "llama llamas", "duck": "duck ducks",
        "goose": "geese", "snake": "snake snakes python", "lizard": "lizard lizards",
        "gecko": "gecko geckos", "rat": "rat rats", "gerbil": "gerbil gerbils",
        "fish": "goldfish betta koi", "cow": "cow cows", "iguana": "iguana iguanas",
        "axolotl": "axolotl axolotls", "pigeon": "pigeon pigeons", "hedgehog": "hedgehog hedgehogs",
        "chinchilla": "chinchilla chinchillas", "tarantula": "tarantula tarantulas",
        "pet": "pets",
        "bird": "bird birds cockatiel cockatiels lovebird finch finches",
    }.items()
    for form in forms.split()
}  # fmt: skip
MANY_PETS: Final = frozenset(form for form in PETS if form.endswith("s") or form == "geese")

ADJECTIVES: Final = word_set(
    """
    older younger elder little big best eldest oldest youngest other new first second third dear
    lovely beloved old twin late only sweet beautiful wonderful closest oldest-friend good close
    rescue black white grey gray ginger brown tabby baby dead own step half adopted teenage
    grown current long-term longtime amazing lazy fat tiny great middle favourite small
    identical
    """
)
"""Words that may stand between "my" and the person or animal."""

NUMBERS: Final = {
    "one": 1, "a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "no": 0,
}  # fmt: skip


def singular(word: str) -> str:
    """The singular of a word for a person."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    stem = word[:-1]
    return stem if word.endswith("s") and stem in KIN else word


def is_plural(word: str) -> bool:
    """Whether a word for persons or animals means several."""
    return word in _IRREGULAR or (word.endswith("s") and word[:-1] in KIN) or word in MANY_PETS
