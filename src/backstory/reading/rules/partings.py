"""Further words for what is over: things gone, animals lost, posts laid down, pastimes left.

For: "the Corolla was scrapped", "our budgie flew away", "stepped down as captain", "Korean is on
ice, I gave it up", "sold my stamp collection". Not for: "I stepped down from the ladder", "the
tickets are gone", "I almost gave it up".
"""

from typing import Final

from backstory.reading.rules.phrases import ME, NAME, OBJECT, START

_BEEN: Final = (
    "(?:have |has |had |just |finally |sadly |recently |suddenly |actually |been |officially |are "
    "|were |is |was |got |had to be |completely |now |all )*"
)
_STOP: Final = (
    r"(?=\s*(?:[,;!()\u00b7]|\.(?:\s|$)|$)| (?:last|in|after|this|yesterday|today|now|since"
    r"|because|on"
    r"|and|so|two|three|for good|years|months|weeks|a (?:week|month|year|few|while))\b)"
)
_THINGS: Final = ("possession.", "home.kind")
_DOINGS: Final = (
    "hobby.", "study.", "preference.", "group.", "goal.", "health.diet", "health.habit",
    "health.avoids", "work.second",
)  # fmt: skip
_LET_GO: Final = (
    r"(?:i|we) (?:have |had |just |finally |recently |eventually |then |sadly |both )*"
    r"(?:had to )?(?:gave (?:it|them|that|her|him) (?:all )?(?:up|away)|given (?:it|them) (?:up"
    r"|away)"
    r"|give (?:it|them) up|sold (?:it|them|her)|sell (?:it|them|her)|got rid of (?:it|them)"
    r"|quit(?: it)?"
    r"|cancelled (?:it|them)|called it off|ended it|dropped (?:it|out)|let (?:it|her|him|them) go"
    r"|stopped(?: it| going| doing it| playing| watching)?|walked away|returned (?:it|them)"
    r"|binned (?:it|them)|(?:am|are) done with (?:it|that)|lost (?:it|interest))"
)

PARTINGS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        f"{ME}(?:gone off|went off|fell out of love with|fallen out of love with|lost (?:all )?"
        f"interest in|lost my (?:taste|love|passion) for|went cold on|swore off|sworn"
        f" off){OBJECT}",
        ("preference.like", "preference.favourite", "hobby."),
    ),
    (
        f"{ME}(?:ditched|scrapped|binned|packed in|jacked in|shelved|got tired of|got bored of"
        f"|bored of)"
        f"{OBJECT}",
        _DOINGS,
    ),
    (
        f"{ME}(?:step(?:ped|ping) down as|stepped back as|resigned as|retired as|quit as"
        f"|stopped being"
        f"|stopped working as|gave up being|gave up my (?:job|post|role|position) as|quit my job as"
        f"|left my (?:job|post|role|position) as|sold|closed down|closed|shut down|handed"
        f" over){OBJECT}",
        ("work.", "hobby.", "group.", "personal."),
    ),
    (
        f"{ME}(?:handed in my (?:notice|resignation) (?:at|to|with)|gave (?:in )?my notice"
        f" (?:at|to)"
        f"|gave notice (?:at|to)|finished at|finished up at|am out of|got out of){OBJECT}",
        ("work.", "study.", "hobby.", "group."),
    ),
    (
        rf"{ME}(?:sold|gave away|given away)(?: my| our)? (?P<o>[\w ]{{2,25}}?) collection\b",
        ("hobby.",),
    ),
    (
        rf"{START}{NAME} {_BEEN}(?:sold|scrapped|stolen|nicked|written off|totalled|wrecked"
        rf"|donated"
        rf"|returned|given away|gone|no more|history|recycled|kaput|beyond repair|auctioned(?:"
        rf" off)?"
        rf"|repossessed|traded in){_STOP}",
        _THINGS,
    ),
    (
        rf"{START}{NAME} {_BEEN}(?:went|gone) to (?:charity|(?:a|its|some) new (?:home|owner)"
        rf"|the (?:tip"
        rf"|dump|scrapyard|recycling|charity shop|junkyard)|(?:my|our) (?:\w+ )?(?:mum|mom"
        rf"|mother|dad"
        rf"|father|sister|brother|son|daughter|cousin|nephew|niece|uncle|aunt|friend|gran|nan"
        rf"|ex))\b",
        _THINGS,
    ),
    (
        rf"{START}{NAME} {_BEEN}(?:flew (?:off|away|out)|flown (?:off|away|out)|escaped|rehomed"
        rf"|given away|no longer with us|not with us any ?more|taken (?:from us|by a fox)"
        r"|crossed over|in (?:cat|dog|doggy|hamster) heaven|went to (?:a|his|her|its) new home)\b",
        ("pet",),
    ),
    (rf"{ME}(?:lost|gave up|rehomed|gave away|had to rehome){OBJECT}", ("pet",)),
    (
        rf"{START}{NAME} {_BEEN}moved (?:out|away|in with|back (?:home|to|in))\b",
        ("relationship.flatmate", "relationship.neighbour"),
    ),
    (
        rf"{START}{NAME} {_BEEN}(?:retired|replaced|transferred|left|left (?:the|our) (?:company"
        rf"|firm|team"
        rf"|department)|left us|quit|resigned|promoted){_STOP}",
        ("relationship.boss", "relationship.colleague"),
    ),
    (
        rf"{START}{NAME} {_BEEN}(?:gone|went away|gone away|cured|healed|cleared up|in remission"
        rf"|vanished|disappeared|behind me|a thing of the past){_STOP}",
        ("health.condition",),
    ),
    (
        rf"{START}{NAME} {_BEEN}(?:on ice|over|history|behind me|a thing of the past|done with"
        rf"|not my thing any ?more|no longer my thing){_STOP}",
        _DOINGS,
    ),
    (
        rf"{START}{NAME}[^;!?]{{0,60}}?[,;.] ?(?:so |and |but |then )*{_LET_GO}{_STOP}",
        (*_DOINGS, *_THINGS),
    ),
    (rf"{ME}(?:have |am |are )?(?:left|out of){OBJECT} for good\b", ("home.", "work.", "group.")),
    (rf"{START}(?:rip|r\.i\.p\.?|rest in peace|farewell),?{OBJECT}", ("pet", "family.")),
    (rf"{START}{NAME} (?:is|are) off{_STOP}", ("goal.", "event.")),
    (
        rf"{START}{NAME} (?:is not|is no longer) (?:ours|mine|with us)(?: any ?more)?\b",
        ("pet", "possession."),
    ),
    (rf"{START}no more{OBJECT}", (*_DOINGS, "pet", "possession.")),
)
"""Patterns that name what is over as ``o``, and the slots it may be about."""
