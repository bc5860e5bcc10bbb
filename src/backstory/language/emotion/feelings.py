"""English words for feelings, with what they name and how strong it is; lists of our own."""

from typing import Final

from backstory.core.wordlists import word_set

STRONG: Final = (3.2, 0.8)
MEDIUM: Final = (2.1, 0.5)
MILD: Final = (1.3, 0.25)
"""Value (for an unpleasant feeling its opposite) and strength of the three levels."""

PLEASANT: Final = {
    "joy": (
        "ecstatic overjoyed elated euphoric jubilant blissful exhilarated happiest",
        "happy happier joyful delighted thrilled gleeful joyous rejoicing",
        "glad pleased cheerful merry happily gladly jolly",
    ),
    "love": (
        "adore smitten besotted adoring lovestruck",
        "love loved loving cherish cherished",
        "fond affection affectionate",
    ),
    "gratitude": ("", "grateful thankful indebted", "thanks thank thx ty appreciate appreciated"),
    "relief": ("", "relieved", "reassured phew unburdened"),
    "pride": ("proudest", "proud prouder", "proudly"),
    "hope": ("", "", "hopeful optimistic confident encouraged"),
    "calm": ("", "", "calm calmer contented relaxed peaceful rested satisfied comfortable"),
    "amusement": (
        "",
        "hilarious lmao",
        (
            "amused funny laughed laughing smiled smiling haha hahaha lol rofl hehe laughing "
            "giggling"
        ),
    ),
    "excitement": (
        "stoked psyched giddy hyped pumped",
        "excited thrilling elating",
        "eager enthusiastic yay woohoo hooray yippee woo hurray",
    ),
    "interest": ("", "fascinated inspired", "intrigued curious interested motivated"),
    "surprise": ("", "amazed astonished flabbergasted", ""),
}

UNPLEASANT: Final = {
    "anger": (
        "furious livid enraged fuming seething irate infuriated incensed hate hated loathe loathed "
        "despise detest outraged infuriating raging apoplectic hating",
        "angry angrier mad pissed resentful resent outrageous",
        "indignant",
    ),
    "annoyance": (
        "",
        "frustrated frustrating exasperated exasperating",
        "annoyed annoying irritated irritating grumpy irked miffed peeved bugged cranky grouchy "
        "bothered impatient argh ugh grr tiresome",
    ),
    "sadness": (
        "devastated heartbroken heartbreaking anguished inconsolable distraught shattered gutted "
        "devastating sobbing bawling sobbed bawled wailing weeping",
        "miserable depressed depressing crushed crying cried unhappy wept tearful",
        "sad sadder gloomy glum melancholy sadly upset upsetting moping wistful sorrowful bummed",
    ),
    "grief": ("bereft grieving", "mourning grieve", ""),
    "loneliness": ("", "abandoned unloved isolated friendless", "lonely lonelier"),
    "longing": ("", "", "homesick nostalgic"),
    "disappointment": (
        "",
        "disillusioned",
        "disappointed disappointing disheartened discouraged underwhelmed unimpressed letdown "
        "dissatisfied unfortunately dismayed meh",
    ),
    "regret": ("", "remorseful", "regret regretted regrettably"),
    "shame": (
        "humiliated mortified humiliating",
        "ashamed guilty humiliation",
        "embarrassed embarrassing awkward sheepish",
    ),
    "envy": ("", "", "jealous envious"),
    "disgust": (
        "revolted",
        "disgusted disgusting disgusts revolting gross sickening nauseating",
        "yuck ew",
    ),
    "fear": (
        "terrified petrified horrified panicking panicked terrifying horrifying hyperventilating",
        "scared afraid frightened scary frightening panicky fearful dreading trembling",
        "spooked alarmed uneasy",
    ),
    "worry": ("", "distressed", "worried worrying anxious nervous apprehensive"),
    "stress": (
        "suffocating",
        "overwhelmed overwhelming swamped frazzled",
        "stressed stressful hectic pressured",
    ),
    "exhaustion": (
        "",
        "exhausted burnt-out burned-out drained knackered",
        "tired exhausting weary sleepless shattering",
    ),
    "despair": (
        "hopeless worthless suicidal despairing desperate unbearable hopelessness",
        "helpless powerless trapped",
        "",
    ),
    "hurt": (
        "agonising agonizing excruciating",
        "betrayed heartache",
        "hurt hurts hurting aches sore painful ache",
    ),
}

NEED_SELF: Final = {
    "down": "sadness", "low": "sadness", "blue": "sadness", "lost": "despair", "empty": "sadness",
    "numb": "sadness", "bitter": "anger", "cross": "anger", "concerned": "worry", "tense": "stress",
    "content": "calm", "off": "sadness", "bad": "sadness", "awful": "sadness", "sick": "sadness",
    "alone": "loneliness", "sorry": "regret", "stuck": "stress", "ill": "sadness",
}  # fmt: skip
"""Words that name a feeling only behind "I am" or "feel"; all mild, and unpleasant but for
"content"."""

OTHERS_FORMS: Final = word_set("hates loves adores loathes despises fears dreads enjoys likes")
"""Verbs whose form says that it is not the writer who feels it."""

DOINGS: Final = word_set(
    "crying sobbing bawling weeping mourning grieving dreading panicking hyperventilating seething "
    "raging hating loving adoring rejoicing trembling moping laughing giggling smiling wailing "
    "despairing fuming suffocating"
)
"""Words in -ing for what somebody feels; all others ("annoying") are said of what causes it."""

CAUSES: Final = word_set("scary funny hilarious stressful gross hectic awkward")
"""Also said of what causes a feeling, so that it is the writer's."""

STRONG_NOUNS: Final = word_set("rage fury terror panic agony despair misery horror euphoria bliss")

NOUNS_PLEASANT: Final = {
    "joy": "joy happiness bliss delight euphoria",
    "love": "tenderness adoration",
    "gratitude": "gratitude",
    "relief": "relief",
    "pride": "pride",
    "excitement": "excitement",
}
NOUNS_UNPLEASANT: Final = {
    "anger": "anger rage fury hatred wrath",
    "sadness": "sadness sorrow misery depression anguish heartbreak",
    "grief": "grief",
    "fear": "fear terror panic dread horror",
    "worry": "worry anxiety",
    "stress": "stress",
    "shame": "shame guilt embarrassment",
    "loneliness": "loneliness",
    "despair": "despair hopelessness desperation",
    "hurt": "pain agony",
    "disgust": "disgust",
    "annoyance": "frustration",
}

JUDGEMENTS: Final = (
    # value, strength, words
    (
        2.8,
        0.5,
        "amazing awesome incredible fantastic wonderful magnificent gorgeous breathtaking "
        "phenomenal "
        "spectacular magical unbelievable perfect stunning marvellous marvelous brilliant superb "
        "unforgettable beautiful miraculous",
    ),
    (
        1.3,
        0.2,
        "nice pleasant cosy cozy tasty good better lovely fun sweet kind polite useful "
        "helpful quiet "
        "delicious fine decent great cute comfy refreshing yummy neat handy smooth smoothly "
        "well-made "
        "pleasantly friendly charming enjoyable welcoming  worthwhile",
    ),
    (
        -2.8,
        0.5,
        "horrible terrible awful horrific horrendous atrocious appalling dreadful ghastly hellish "
        "vile nightmare cruel heartless",
    ),
    (
        -1.3,
        0.2,
        "bad worse boring bland noisy dull rude lousy mediocre unfair unpleasant poor ugly stupid "
        "dreary clumsy crap crappy rubbish sucks sucked nasty unfriendly tedious overpriced "
        "inconvenient confusing badly lame pathetic ridiculous useless pointless unacceptable "
        "uncomfortable stuffy filthy",
    ),
    (
        -1.0,
        0.2,
        "wrong problem problems trouble mess complaints complaint complain waste wasted drag "
        "nuisance chore",
    ),
    (1.0, 0.2, "success successful progress improvement improved rewarding"),
)
