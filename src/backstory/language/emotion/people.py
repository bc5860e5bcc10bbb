"""Who is meant: words for the writer, for others, and signs that a word is a name."""

from typing import Final

from backstory.core.wordlists import word_set

SELF: Final = word_set("i i'm i've i'd i'll me myself mine we we're we've we'd we'll us ourselves")
OTHERS: Final = word_set("""
    he he's he'd he'll him himself she she's she'd she'll herself they they're they've they'd
    they'll them themselves
    everyone everybody people someone somebody anyone who you you're your you've
    mother mum mom mommy mama father dad daddy papa parents sister brother sisters brothers
    sibling son daughter
    wife husband partner boyfriend girlfriend fiance fiancee grandmother grandma granny
    grandfather grandpa aunt
    uncle cousin cousins niece nephew friend friends flatmate roommate neighbour neighbor
    neighbours neighbors
    boss manager colleague colleagues coworker coworkers teacher teachers doctor nurse student
    students client
    clients customer customers guy guys man woman men women boy girl boys girls kid kids child
    children
    fans crowd team-mate landlord landlady police passengers patient patients character characters
    hero heroine
    dog cat puppy kitten horse
    """)
NEAR: Final = word_set("""
    mother mum mom mama father dad papa sister brother son daughter wife husband partner boyfriend
    girlfriend
    grandmother grandma granny gran nan grandfather grandpa aunt uncle cousin niece nephew friend
    dog cat puppy
    kitten horse hamster rabbit baby
    """)
"""Whose death is felt when it is fresh."""
DYING: Final = word_set("died dead dying passed")
COPULAS: Final = word_set(
    "is was are were seems looks feels felt got gets said says looked seemed sounds sounded has had"
)
NAMING: Final = word_set(
    "called named titled entitled name title album song band film movie novel series hotel "
    "street lane villain book"
)
NAMES: Final = word_set(
    "joy faith hope grace felicity mercy merry patience charity chance bliss victor constance "
    "prudence"
    " honor clement rage happy sunny"
)
"""What begins a sentence and may be a person's name."""
FELT_BEFORE: Final = word_set(
    "with in from my much such pure sheer this what so feel feeling feels felt no oh full more our"
)
"""Before a noun such as "anger": then it is felt and no mere topic."""
FELT_AFTER: Final = word_set(
    "and that when in at for today right because is i over about since now anymore but like "
    "inside again as if it"
)
FEEL: Final = word_set("feel feeling feels felt i'm am i've been")
SARCASTIC_OPENERS: Final = word_set(
    "great wonderful fantastic lovely perfect brilliant nice joy amazing awesome excellent "
    "superb splendid delightful "
    "marvellous marvelous terrific fabulous good fun thrilled glad happy super cool"
)
LOVING: Final = word_set("love adore enjoy loving")
LOVED_IN_JEST: Final = word_set(
    "when how waiting being having getting that paying sitting it working"
)
