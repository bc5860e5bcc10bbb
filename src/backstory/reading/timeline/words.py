"""The words that the finding of events looks at."""

from typing import Final

from backstory.reading.rules.lexicon import word_set

RANGES: Final = word_set(
    "before after until till til by since from to between through than like as of about starting "
    "beginning effective"
)
"""With one of these before it, a date is a bound, not the day on which something happened."""

RECURRING: Final = word_set("every each since")
"""A clause with one of these tells of more than one day."""

DANGLING: Final = word_set("and but so or because that to then with which who than as if until")
"""What a clause does not end with."""

VAGUE: Final = word_set("it them that this those these one ones him her something stuff so too")
"""What a thing is that was told before; alone they say nothing."""

DAY_PARTS: Final = word_set("morning afternoon evening night lunchtime noon")
"""Behind a date they belong to it."""

AT: Final = word_set("on in at over during around back this just earlier early late for")
"""Those that belong to a date that stands behind them."""

NEGATIVE: Final = word_set(
    "not never neither nor hardly barely nearly almost no cannot nobody nothing none without"
)
ADVERBS: Final = word_set(
    """
    just also really actually still now finally recently already basically officially both all
    definitely truly even then proudly happily sadly quite bloody fucking damn honestly literally
    totally accidentally suddenly unfortunately luckily thankfully apparently only so together too
    eventually randomly kinda sort
    """
)
MODALS: Final = word_set("would could might may must should can ought 'd")
BEING: Final = word_set("am is are was were 's be been being")
HAVING: Final = word_set("have has had 've")
PAST_HELPERS: Final = word_set("was were had did")
FUTURE: Final = word_set("will shall")

WISHES: Final = word_set(
    """
    hope hoped hoping want wanted wanting wish wished wishing need needed needing plan planned
    intend intended meant mean dream dreamt dreamed dreaming imagine imagined pretend pretended
    think thought thinking consider considering considered wonder wondering wondered guess guessed
    expect expected expecting try trying forget remind believe believed suppose supposed assume
    assumed feel felt feeling like liked love loved prefer preferred hate hated know knew look
    looking doubt remember remembered suggest suggested recommend recommended ask
    """
)
"""What is wished, meant or felt is no happening."""

REPORTS: Final = word_set(
    """
    said says say saying told tells tell telling asked asks claimed claims mentioned wrote writes
    texted heard read replied reckons reckoned swears swore
    """
)
"""Behind these stands what somebody says happened."""

SAME_IN_PAST: Final = word_set("beat put cut set shut let cost read split hit quit hurt cast bet")
"""Verbs whose past is written as their present."""

STARTING: Final = word_set(
    """
    start starts begin begins leave leaves fly flies arrive arrives open opens close closes go goes
    come comes get gets return returns move moves meet meets graduate graduates turn turns end ends
    finish finishes launch launches travel travels drive drives take takes play plays land lands
    retire retires switch switches run runs sit sits host hosts expire expires renew renews
    """
)
"""In the present tense with a date to come these tell of what is fixed."""

FAVOURED: Final = word_set(
    "favourite favorite best worst busiest nicest hardest easiest least name named called fine ok"
)

OTHERS: Final = word_set(
    "he she they it you this that these those who which what whoever let lets please how why can "
    "do does remind given if unless no not"
)
"""A subject that this does not follow."""

PERSONS: Final = word_set(
    """
    mum mom dad mam mummy mommy daddy grandma grandpa granny gran grandad granddad nana nan papa
    mama auntie
    """
)
"""Said as names are, with or without a capital."""

NOT_NAMES: Final = word_set(
    """
    work school traffic dinner lunch breakfast everything everyone everybody someone somebody
    people life football training practice church class classes college university uni therapy
    physio christmas easter halloween thanksgiving monday tuesday wednesday thursday friday saturday
    sunday january february march april may june july august september october november december
    great good news fun update small big huge next last today yesterday tomorrow tonight guess long
    our my the a an
    """
)
"""With a capital at the beginning of a sentence these are no names."""

PLACED: Final = word_set(
    "off in at on back away due set scheduled booked planned here over open out from"
)
"""Behind "is" and before a date to come these tell of what is fixed."""

NOUN_STARTS: Final = word_set("my our the a an his her their")
OWN: Final = word_set("my our")
