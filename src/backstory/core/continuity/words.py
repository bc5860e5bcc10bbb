# ruff: noqa: RUF001 (words of Russian)
"""Words by which a text says that somebody acts, is dead, or is only remembered."""

import re
from typing import Final

from backstory.core.wordlists import word_set

_SPEAK: Final = (
    "said says asked asks replied replies answered answers cried shouted whispered muttered "
    "murmured exclaimed added continued called screamed laughed snapped growled insisted agreed "
    "explained remarked demanded declared protested repeated yelled sighed sobbed sagte fragte "
    "antwortete rief dijo preguntó respondió dit répondit demanda disse chiese rispose сказал "
    "сказала спросил спросила ответил ответила"
)
_ACT: Final = (
    "smiled grinned frowned nodded shrugged wept coughed stared glanced gazed looked watched "
    "listened turned walked ran stood sat knelt rose hurried stepped climbed woke ate drank "
    "swallowed blushed hesitated paused leaned reached took held picked pulled pushed opened "
    "closed shut read threw caught waved pointed poured lit danced sang played worked came went "
    "entered left returned arrived followed led drove rode jumped bowed kissed embraced hugged "
    "shook put grabbed carried dropped washed dressed cooked counted paid bought sold wandered "
    "crossed spoke lifted raised lowered knocked ging kam lachte lächelte nickte setzte entró "
    "salió sonrió sourit entra sorrise entrò вошёл вошла улыбнулся улыбнулась"
)


def _any_of(text: str) -> str:
    return "(?:" + "|".join(sorted(word_set(text), key=lambda word: (-len(word), word))) + ")"


SPEAKS: Final = _any_of(_SPEAK)
ACTS: Final = _any_of(f"{_SPEAK} {_ACT}")
MANNER: Final = r"(?:(?:just|then|now|suddenly|only|also|still|finally|[a-z]+ly) )?"
DOING: Final = (
    r"(?:was|were) (?:already |still )?(?:walking|talking|sitting|standing|smiling|laughing|running"
    r"|waiting|working|eating|drinking|cooking|reading|writing|singing|dancing|speaking|shouting"
    r"|watching|listening|looking|leaning|pacing|packing|riding|driving|kneeling)"
)

DEATH: Final = re.compile(
    r"\b(?:dead|died|dies|deceased|killed|murdered|drowned|executed|hanged|beheaded|slain|perished"
    r"|buried|death|starb|gestorben|tot|tote|muri\u00f3|falleci\u00f3|muert[oa]|mort[eoa]?|mourut"
    r"|d\u00e9c\u00e9d\w+|mor\u00ec|morreu|умер\w*|погиб\w*|мёртв\w*|мертв\w*)\b"
    r"|死|殺|杀|亡|죽|사망|\b(?:مات|ماتت|توفي|توفيت|נהרג|נהרגה|מת|מתה)\b",
    re.IGNORECASE,
)
ALIVE: Final = re.compile(
    r"\b(?:alive|living|survived|not dead|never died|undead|resurrected|revived|reborn"
    r"|(?:came|come|brought|risen|rose|back) (?:back )?(?:to life|from the dead)|faked"
    r"|lebt|vivo|viva|vivant|жив[ао]?)\b|n['\u2019]t dead\b",
    re.IGNORECASE,
)
# Somebody of whom this is said in the same sentence does not act now.
ABSENT: Final = re.compile(
    r"\b(?:if|would|could|might|should|may|whether|perhaps|maybe|as if|as though|like|never|not|no"
    r"|had|has|have|used to|once|remember\w*|recall\w*|memor\w+|reminded|forgot\w*|thought"
    r"|grave|tomb|coffin|corpse|funeral|body|statue|portrait|painting|picture|photo\w*|drawing"
    r"|letters?|diar\w+|journal|notes?|wrote|written|book|tape|recording|film|video"
    r"|mem\u00f3ria|wenn|h\u00e4tte|hatte|war|si|hab\u00eda|avait|aurait|бы|если)\b"
    r"|n['\u2019]t\b|['\u2019]d\b",
    re.IGNORECASE,
)
# And where this was said before in the paragraph, nobody in it acts now.
ELSEWHERE: Final = re.compile(
    r"\b(?:dream(?:s|ed|t|ing)?|nightmares?|visions?|imagin\w+|hallucinat\w+|ghosts?|spirits?"
    r"|spectres?|phantoms?|apparition|s\u00e9ance|afterlife|heaven|memor(?:y|ies)"
    r"|remember(?:ed|s|ing)?|recall(?:ed|s|ing)?|flashback|tape|recording|film|video|letter|diary|portrait|photograph"
    r"|legends?|story|tale|play|stage|actor|reflection"
    r"|(?:years?|months?|weeks?|days?|hours?|summers?|winters?) (?:ago|earlier|before|back)"
    r"|long ago|in those days|as a (?:boy|girl|child)|when (?:he|she|they) (?:was|were)"
    r" (?:alive|young|a (?:boy|girl|child))|back then"
    r"|before (?:his|her|the) (?:death|war)"
    r"|last (?:year|winter|summer|spring|autumn))\b",
    re.IGNORECASE,
)
# A name behind one of these is that of another, or stands in a thought.
NAMESAKE: Final = re.compile(
    r"(?:\b(?:young|little|another|the other|baby|late|how|when|that|which|whom|whose|what|where"
    r"|why|than|as|of"
    r"|than|like|about|for)|['\u2019]s) $",
    re.IGNORECASE,
)
UNSURE: Final = re.compile(
    r"\b(?:if|whether|would|could|might|may|perhaps|maybe|not|never|no|nobody|suppose\w*|guess\w*"
    r"|suspect\w*|wonder\w*|hope\w*|fear\w*|believe\w*|imagin\w+|dream\w*|ask(?:ed|s)?|rumou?rs?"
    r"|lie[ds]?|lying)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
