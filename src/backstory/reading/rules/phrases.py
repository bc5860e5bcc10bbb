"""Building blocks of the patterns of change: where a clause begins, who speaks, what is named."""

from typing import Final

from backstory.reading.rules.patterns import Pattern

_LED: Final = (
    "(?:well|ok|okay|so|just|also|then|oh|hey|anyway|update|news|btw|guess "
    "what|big news|good news|sadly|yay|woohoo"
    "|by the way|finally|recently|officially|actually|honestly|apparently|"
    r"today|yesterday|last \w+|in \w+"
    "|and|but|because|after all that|in between all that|meanwhile|new job|omg|"
    "hi|hello|yes|no|yep|it is with some regret that i tell you that)"
)
START: Final = (
    rf"(?:^|[,;:(\u00b7.!]\s*|\b(?:and|but|so|because|then|since|as|that)\s+)(?:{_LED}[,:]?\s+)*"
)
"""Where a clause may begin."""
WE: Final = (
    r"(?:(?:i|we)\s+(?:(?:have|had|am|are|will|just|finally|recently|also|only|"
    "already|now|then|actually|all|both|officially|sadly|went and|decided "
    r"and)\s+)*)"
)
"""The writer as the subject, with what may stand before the verb."""
ME: Final = (
    f"{START}(?:{WE})?(?:(?:just|finally|recently|also|sadly|then|actually|"
    r"officially|only|have|had|am)\s+)*"
)
"""The writer as the subject, said or left out."""

PLACE: Final = (
    "(?!(?:tears|together|with|spotify|notion|linux|windows|mac|slack|discord|teams|zoom|"
    "github|gitlab|gmail|signal|telegram|whatsapp|mastodon|android|ios|python|"
    "rust|go|postgres|kubernetes|aws|azure|bed|work|town|here|there|"
    r"home|school|part|full|remote)\b)"
    r"(?P<v>[^\W\d_][\w'.-]*(?: (?!(?:for|with|last|this|in|on|to|because|so|"
    "and|but|since|now|where|which|after|before|over|again"
    "|from|at|when|while|next|yesterday|today|a|the|due|is|are|was|i|we|btw|"
    "together|permanently|years?|two|three|just|by|or|of course|lol|haha|alone|"
    r"recently|ages|near)\b)[\w'.-]+){0,3})"
)
NOUN: Final = r"(?P<v>[^,;:!?()\u00b7]+?)"
END: Final = r"(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$))"
UPTO: Final = (
    r"(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$|\b(?:and|but|so|because|since|last|"
    "this|yesterday|today|now|on|in|at|with|for|after|from|when|next|as|where|"
    "which|instead|over|until|again|too|tomorrow|about|around|a week|two|three|"
    r"back)\b))"
)
JOB: Final = r"(?:an? |the |our |my )?(?!new\b|job|work\b|position|gig|firm|company|place)"
"""Before an occupation."""
OBJECT: Final = r"\s+(?P<o>[^,;:!?()\u00b7]+)"
"""What a verb of ending is said of."""
NAME: Final = r"(?P<o>(?:my |our |the |poor |dear )?[\w'.-]+(?: (?!and\b)[\w'.-]+){0,3}?)"
"""Who or what is said to be over or gone."""


def pattern_of(text: str) -> Pattern:
    """A pattern for which case counts only where it asks for a capital letter."""
    return Pattern(text.replace("[A-Z]", "(?-i:[A-Z])"), leads=(ME, START, WE, UPTO))
