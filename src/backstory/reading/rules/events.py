"""Further sentences that tell of a change: what took place, and what holds since then.

For: "bought a house in Ghent, moved in yesterday", "the baby's here, we called her Ada", "Bo and I
are together now", "celebrated my 40th birthday", "took over as head gardener". Not for: "bought a
house in Ghent to let", "celebrated my gran's 90th", "took over the kitchen".
"""

from typing import Final

from backstory.reading.rules.lexicon.peoples import LANGUAGES
from backstory.reading.rules.phrases import JOB, ME, NOUN, PLACE, START, UPTO

_CAPITAL: Final = r"(?P<v>[A-Z][\w'-]+)"
_DWELLING: Final = r"(?:flat|house|apartment|place|home|cottage|bungalow|room|studio|condo|cabin)"
_AT_WORK: Final = (
    r"(?:(?:left|leaving|quit) (?:[A-Z]|my (?:old )?(?:job|firm|company|employer)|the (?:firm"
    r"|company))"
    r"|resigned|fired|sacked|laid off|new job|changed (?:jobs|employers?)"
    r"|switched (?:jobs|employers?|companies)|poached|headhunted|old job)"
)
_TONGUE: Final = "|".join(sorted(LANGUAGES))
_CLOSED: Final = r"(?=\s*(?:[,;!()\u00b7]|\.(?:\s|$)|$))"

EVENTS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (
        f"{ME}(?:gone|went|switched to|moved to|am now|am|working) (?:down to |back to |up to )?"
        r"(?P<v>(?:full|part)[- ]time)\b(?! (?:mum|dad|mother|father|parent|student))",
        "I work {v}.",
        ("work.schedule",),
    ),
    (
        rf"{START}(?:our|my) (?:second|third|fourth|fifth|first|youngest|newest)(?: child| baby"
        rf"| kid)?, "
        rf"{_CAPITAL}, (?:was born|is born|has arrived|arrived|is here|came|has joined us)\b",
        "My baby is called {v}.",
        ("family.child",),
    ),
    (
        f"{ME}(?:bought|got|found|rented|took|built|inherited|signed for|closed on) "
        rf"(?:ourselves |myself )?(?:an?|the|our|my)(?: \w+){{0,3}} {_DWELLING} (?:in|near) "
        rf"{PLACE}(?=.*\b(?:mov(?:ed|ing) in|unpack(?:ed|ing)|boxes|settl(?:ed|ing) in)\b)",
        "I live in {v}.",
        ("home.",),
    ),
    (
        rf"{START}(?:and |so )?(?P<v>[A-Z][\w-]+(?: [A-Z][\w-]+)?)(?: is|'s) (?:my |our "
        rf"|now )*home(?: now| these days)(?=\s*(?:[,;!.]|$))",
        "I live in {v}.",
        ("home.",),
    ),
    (
        rf"{START}(?:i am|we are|am) (?:now )?(?:an? )?(?:proud |official "
        rf"|happy )?(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) resident(?: now)?\b",
        "I live in {v}.",
        ("home.",),
    ),
    (
        rf"\b(?:keys (?:to|for|of)) (?:our|my|the) (?:own |new |first )*{_DWELLING} (?:in|near)"
        rf" {PLACE}",
        "I live in {v}.",
        ("home.",),
    ),
    (
        rf"(?:{ME}|{START}[A-Z][\w'-]+ and i (?:have |just |finally )*)(?P<v>tied the knot|got"
        rf" hitched|eloped|said i do)\b",
        "I am married.",
        ("relationship.status",),
    ),
    (
        r"^(?:[^,;]*\b(?:i|we) (?:was|were|am|got|had)\b[^,;]*[,;] ?(?:but |and )?)?"
        r"(?P<v>divorced|single|married|engaged|widowed) (?:now|again|these days)\b",
        "I am {v}.",
        ("relationship.status",),
    ),
    (
        rf"{ME}(?:got|have got|have|bought) (?:myself )?a new (?P<n>phone|car|laptop|bike"
        rf"|tablet|camera"
        rf"|computer|van|scooter), (?:an? |the |it is an? |it's an? )?(?P<v>[A-Z][\w'-]*"
        rf"(?: (?:[A-Z][\w'-]*|\d\w*))*){_CLOSED}",
        "My {n} is a {v}.",
        ("possession.",),
    ),
    (
        rf"{START}(?:fully |full |full-on |strictly |proudly |totally |completely |properly "
        rf"|proper |all-in |gone |went |turned |been )+(?P<v>vegan"
        rf"|vegetarian|pescatarian|keto|sober|teetotal) (?:now|since|for)\b",
        "I am {v}.",
        ("health.",),
    ),
    (
        r"\b(?P<v>[\w'-]+(?: [A-Z][\w'-]+)*), (?:and )?(?:that|it)(?: is"
        r"|'s) my (?:new )?favou?rite (?P<n>[a-z]+(?: [a-z]+)?)(?= now| these days"
        r"|\s*(?:[,;!.]|$))",
        "My favourite {n} is {v}.",
        ("preference.favourite",),
    ),
    (
        r"\bback to (?:my |using )*(?:maiden|birth|old|unmarried) (?:sur"
        r"|last )?name,? (?:which is )?"
        rf"{_CAPITAL}",
        "My surname is {v}.",
        ("personal.surname",),
    ),
    (rf"{ME}(?:got|get) (?P<v>divorced)\b", "I am {v}.", ("relationship.status",)),
    (
        rf"\b(?:hired|employed|taken|took) me (?:on )?as {JOB}{NOUN}{UPTO}",
        "I work as a {v}.",
        ("work.role",),
    ),
    (
        r"\b(?:seeing|dating|met|found|with) (?:someone|somebody|a (?:guy|girl|man"
        r"|woman))(?: new| else| lovely| great)*,? (?:and )?(?:(?:his|her|their) name(?: is"
        r"|'s)"
        r"|called|named|who is called) (?P<v>[A-Z][\w'-]+)",
        "My partner is called {v}.",
        ("relationship.partner",),
    ),
    (
        rf"{START}(?:the |our |my )?(?:new )?baby\b[^;!?]*?\b(?:her|his|its) name(?: is|'s)"
        rf" {_CAPITAL}",
        "My baby is called {v}.",
        ("family.child",),
    ),
    (
        rf"{ME}(?:switched|changed|swapped) (?:my |the )?(?:major|degree|course|studies|subject)s? "
        rf"(?:from [\w ]{{2,25}} )?to {NOUN}{UPTO}",
        "I am studying {v}.",
        ("study.subject",),
    ),
    (
        rf"\b(?:maiden name|surname|last name|family name)\b.*?\bit(?:'s| is) (?:now )?{_CAPITAL}"
        r"(?: now| again)\b",
        "My surname is {v}.",
        ("personal.surname",),
    ),
    (
        rf"{ME}(?:started|begun|began|took up|moved on to)(?: on)? (?P<v>{_TONGUE})\b",
        "I am learning {v}.",
        ("study.learning",),
    ),
    (
        rf"{ME}(?:moved|settled) (?:in(?:to)? )?with [^,;.!?]{{2,25}}? in (?=[A-Z]){PLACE}",
        "I live in {v}.",
        ("home.",),
    ),
    (
        rf"\b(?:used to live|lived|moved|left)\b.*?\b(?:have )?been (?:living )?in (?=[A-Z]){PLACE}"
        r"(?= (?:for|since)\b)",
        "I live in {v}.",
        ("home.",),
    ),
    (
        rf"\b(?:left|leaving|goodbye|said goodbye to|done with)\b[^;!?]*?\b(?:i am|we are|am|are) "
        rf"(?:now )?in (?=[A-Z]){PLACE}(?: now| for good)(?=\s*(?:[,;!.]|$))",
        "I live in {v}.",
        ("home.",),
    ),
    (
        f"{ME}(?:switched|moved|went|changed|gone|transferred) (?:over )?to (?=[A-Z])"
        rf"{NOUN}{UPTO}(?=.*\bwork(?:ing)? there\b)",
        "I work at {v}.",
        ("work.employer",),
    ),
    (
        rf"\b{_AT_WORK}[^;!?]*?\b(?:i am|am|we are) (?:now )?(?:at|with) "
        r"(?P<v>[A-Z][\w'-]+(?: (?:&|[A-Z][\w'-]*))*)"
        rf"(?: now| instead| these days)?{_CLOSED}",
        "I work at {v}.",
        ("work.employer",),
    ),
    (
        rf"(?:{ME}(?:was |were |got |been )?(?:hired|poached|headhunted|recruited|taken on) by|"
        rf"{START}i (?:have )?(?:just )?signed (?:a contract )?with) (?=[A-Z]){NOUN}{UPTO}",
        "I work at {v}.",
        ("work.employer",),
    ),
    (
        f"{ME}(?:took over as|taken over as|stepped up as|moved up to|got (?:a|the|my) (?:first )?"
        "(?:job|role|position|post|gig) as|been appointed(?: as)?|was appointed(?: as)?|got the job"
        rf" as|re-?trained to (?:be|become)) {JOB}{NOUN}{UPTO}",
        "I work as a {v}.",
        ("work.role",),
    ),
    (
        rf"{START}{_CAPITAL} and (?:i|me) (?:are|have been|got|have got|finally got) (?:now |"
        r"officially |finally )?(?:together|a couple|an item|dating|seeing each other|going out)"
        r"(?= now| since| for | last|\s*(?:[,;!.]|$))(?!,? (?:in|at|on) (?:the|a) )",
        "My partner is called {v}.",
        ("relationship.partner",),
    ),
    (
        f"{ME}(?:started|begun|began) (?:dating|seeing|going out with) (?!(?:Dr|Mr|Mrs|Ms|Prof)\\b)"
        rf"{_CAPITAL}{UPTO}",
        "My partner is called {v}.",
        ("relationship.partner",),
    ),
    (
        rf"{START}(?:it(?:'s| is| was) |today is |yesterday was |celebrated |just had |had )my "
        rf"(?P<v>\d{{2,3}})(?:st|nd|rd|th) (?:birthday|bday|b-day|(?=last|yesterday|today|this"
        rf"|on \w+day|[,.!]|$))(?! party (?:next|in|on)\b)"
        r"(?!.*\b(?:next|tomorrow)\b)",
        "I am {v} years old.",
        ("personal.age",),
    ),
    (
        rf"\b(?:i|we)(?: have)? (?:just |finally )?(?:had|welcomed|gave birth to|have) (?:a|our)"
        r" (?:(?:baby|little|second|third|first|new|beautiful|healthy) )*(?P<n>boy|girl|son"
        r"|daughter"
        rf"|baby)(?:,? (?:called|named)|[,:])? {_CAPITAL}",
        "My {n} is called {v}.",
        ("family.",),
    ),
    (
        rf"{ME}(?:eat(?:ing)?|eating|started eating|back to eating) fish (?:now|again)\b.*?"
        r"\bi am (?:now )?(?:an? )?(?P<v>pescatarian)\b",
        "I am {v}.",
        ("health.diet",),
    ),
    (
        rf"{ME}(?:moved|came|relocated)\b[^,;.!?]*? to (?:start )?work(?:ing)? (?:for|at|with) "
        rf"(?=[A-Z]){NOUN}{UPTO}",
        "I work at {v}.",
        ("work.employer",),
    ),
    (
        r"\b(?:used to live|lived|grew up|moved)\b[^;!?]*?(?:[,;.] ?(?:and |but |so )?"
        r"| (?:and|but|so) )(?:now|these days|nowadays) (?:i am|we are) (?:back )?in "
        rf"(?=[A-Z]){PLACE}",
        "I live in {v}.",
        ("home.",),
    ),
    (
        r"\bused to (?:really |absolutely )?(?:hate|dislike|despise|not like|loathe) "
        r"(?P<v>[a-z][\w' -]+?),? (?:but|and|yet) (?:now|these days|nowadays) (?:i )?(?:actually "
        r"|really |kind of |quite )*(?:love|adore|like|enjoy) (?:them|it)\b",
        "I love {v}.",
        ("preference.like",),
    ),
    (
        r"\bused to (?:really |absolutely )?(?:love|adore|like|enjoy) "
        r"(?P<v>[a-z][\w' -]+?),? (?:but|and|yet) (?:now|these days|nowadays) (?:i )?(?:actually "
        r"|really |kind of |quite )*(?:hate|dislike|can not stand|despise|loathe) (?:them|it)\b",
        "I hate {v}.",
        ("preference.dislike",),
    ),
    (
        rf"{START}(?:it is |it's |today is )?my (?:birthday|bday)(?: today| yesterday)?[,;:.!]+ ?"
        r"(?:and )?(?:so )?(?:i am )?(?:finally |now |already )?(?P<v>\d{2,3})(?= (?:at last|now"
        r"|today|already|finally|years (?:old|young)|and)\b|\s*(?:[,;!.]|$))",
        "I am {v} years old.",
        ("personal.age",),
    ),
    (
        rf"{START}so i (?:guess|suppose) i am (?:now )?(?:an? )?(?P<v>[a-z-]+(?: [a-z-]+)?)(?:"
        rf" now)?"
        rf"{_CLOSED}",
        "I am a {v}.",
        ("health.diet", "work.role"),
    ),
)
"""Patterns, the statement each is retold as, and the slots it may be about."""
