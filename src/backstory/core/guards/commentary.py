"""Talk about the machinery of an assistant, told from facts about a user.

A sentence is judged by its subject. Where the user is the subject, only talk with the
assistant and "was not mentioned" count, because users do search, forget, lack and build
things. Where a part of the machine is the subject (a tool, a query, the context, the
assistant itself), a verb behind it is enough if the noun can mean nothing else; a noun of
daily life as well (a session, a record) needs a predicate of machines.
"""

import re
from functools import cache
from typing import Final

_MOST_CHARS: Final = 2000
_SPACES: Final = re.compile(r"\s+")
_QUOTES: Final = str.maketrans("\u2018\u2019\u201c\u201d`", "''\"\"'")

_BOT: Final = (
    r"(?:(?:ai |virtual |digital |chat )?assistant|ai(?: model)?|chat ?bot|bot"
    r"|(?:large )?language model|llm)"
)
_DET: Final = r"(?:the |this |that |these |a |an |any |all |our |your |my |its )?"
_KIND: Final = (
    r"(?:(?:ai|api|available|chat|conversation|current|database|document|earlier|embedding|external"
    r"|first"
    r"|follow-?up|full|given|gpt|internal|internet|keyword|knowledge|language|last|long-?term"
    r"|memory|new|past"
    r"|previous|prior|provided|relevant|retrieved|second|semantic|session|stored|supplied|system"
    r"|tool|top|user"
    r"|vector|weather|web) )*"
)
# These can be no part of a user's life when they are what a sentence is about.
_MACHINE_NOUN: Final = (
    r"(?:tool calls?|function calls?|api calls?|(?:memory|web|vector|semantic|keyword|document"
    r"|internet) search(?:es)?"
    r"|search (?:results?|quer(?:y|ies)|index)|quer(?:y|ies)|prompts?|embeddings?|embedding model"
    r"|retrieval|retriever"
    r"|re-?ranker|recall(?: step)?|context(?: window)?|transcript|chat (?:history|log)"
    r"|knowledge (?:base|graph|cut-?off)"
    r"|token limit|similarity scores?|vector (?:store|database)|look-?ups?"
    r"|conversation(?: history)?"
    r"|(?:stored|retrieved|relevant|long-?term) (?:memory|memories|facts?|data)|completion"
    r"|inference"
    r"|retrieved (?:\w+ )?\w+|training data|plug-?ins?|parser|rag pipeline|chunks?|excerpts?"
    r"|passages?)"
)
# These can, so that the predicate has to tell.
_COMMON_NOUN: Final = (
    r"(?:search|tools?|function|api|index|model|system|agent|database|data ?base|profile|records?"
    r"|sessions?|messages?"
    r"|summar(?:y|ies)|documents?|files?|pages?|request|response|answer|reply|output|question"
    r"|memory|memories|facts?"
    r"|information|data|details|text|input|log|key|connection|call|notes?|entry|entries|preference"
    r"|server|service"
    r"|cache|store)"
)
_VERB: Final = (
    r"(?:is|was|are|were|has|have|had|do|does|did|can|can ?not|could|will|would|may|[a-z]+n't"
    r"|contains?|holds?"
    r"|lacks?|mentions?|shows?|says?|gives?|gave|returns?|fails?|finds?|found|yields?|brought|came"
    r"|timed|threw"
    r"|tells?|told|makes?|made|needs?|seems?|limits?|prevents?|moves?|went|ended|[a-z]{3,}ed)"
)
_PREDICATE: Final = (
    r"(?:return(?:s|ed)?|fail(?:s|ed)?|yield(?:s|ed)?|timed out|came back|crash(?:es|ed)"
    r"|hallucinated|threw|refused"
    r"|brought (?:up|back)|found (?:no|nothing|\d+)|gave (?:no|\d+|an error)"
    r"|(?:do|does|did|could|can|will|has|have)(?: ?not|n't) (?:\w+ )?(?:mention|contain|return|find"
    r"|answer|determine"
    r"|indicate|state|specify|say|include|show|support|respond|provide|identify|resolve|hold|know"
    r"|yield|bring|be"
    r"|recall|access|decide|been)"
    r"|contains? no|holds? no|mentions? no|(?:has|have|had|shows?|gives?|lists?) no|lacks?"
    r"|(?:is|was|are|were|has been|have been|be|been|being)(?: not|n't)? (?:\w+ly )?(?:being )?"
    r"(?:empty|missing|unavailable|truncated|cut off|shortened|saved|stored|updated|deleted|cleared"
    r"|rebuilt"
    r"|indexed|called|invoked|used to|queried|generated|summari[sz]ed|retrieved|returned|loaded"
    r"|fetched|parsed"
    r"|encoded|answered|found|mentioned|specified|stated|given|known|unknown|unclear|incomplete"
    r"|insufficient"
    r"|overloaded|offline|installed|configured|available|too (?:long|large)|relevant|irrelevant"
    r"|about another"
    r"|exceeded|reached|added|recorded|redacted|sent to the model))"
)
_INFORMATION: Final = (
    r"(?:information|info|details?|data|records?|mentions?|results?|hits?|match(?:es|ing \w+)?"
    r"|entr(?:y|ies)"
    r"|memor(?:y|ies)|facts?|documents?|context|evidence|references?|conversations?|sessions?"
    r"|notes?|chunks?"
    r"|passages?|indication|node|answer)"
)
_STORE: Final = (
    r"(?:memory|memories|context|conversations?|chats?|(?:chat |conversation )?history|dialogue"
    r"|transcript"
    r"|excerpts?|passages?|chunks?|knowledge (?:base|graph)|data ?base|(?:user|stored) (?:profile"
    r"|data|facts)"
    r"|messages?|sessions?|(?:session|conversation) summary|prompt|input|logs?|text"
    r"|(?:available|provided|given|stored|retrieved|supplied) \w+)"
)
_IN_STORE: Final = rf"(?:in|from|within|by|on) (?:the |this |our |any |my )?(?:\w+ )?{_STORE}\b"
_UNSAID: Final = (
    r"(?:specified|mentioned|stated|provided|given|known|disclosed|recorded|available|listed"
    r"|indicated|found"
    r"|stored|noted|shared|clear|documented|present|described|revealed|returned|retrieved)"
)
_ABSENT: Final = (
    rf"(?:(?:not|never|n't)(?: \w+)? {_UNSAID}|unknown|unclear|unspecified|undisclosed|missing"
    rf"|unavailable)"
)
# Of something in the user's life, which may well be unavailable or not be found.
_NOT_TOLD: Final = (
    r"(?:(?:not|never|n't)(?: \w+)? (?:specified|mentioned|stated|provided|known|disclosed|recorded"
    r"|indicated"
    r"|documented|clear|described)|unknown|unclear|unspecified|undisclosed)"
)
_THE_USER: Final = r"(?:the |this )?user"

_WITH_ANY_SUBJECT: Final = (
    rf"\b(?:ask(?:ed|s|ing)?|told|tells|instruct(?:ed|s)?|request(?:ed|s)?) (?:the|this|your|an"
    rf"|our) {_BOT}\b",
    rf"\b(?:the|this) {_BOT}'s? (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|output|summary"
    rf"|suggestion)\b",
    rf"\b(?:answers?|repl(?:y|ies)|responses?) (?:of|from|by) (?:the|this) {_BOT}\b",
    r"\bno (?:search )?(?:results?|hits|matches|records?|information|memories) (?:came back|exists?"
    r"|found|available"
    r"|(?:were|was|is|are) (?:found|returned|available))\b",
    rf"\b{_ABSENT} (?:anywhere )?{_IN_STORE}",
    r"\b(?:search )?(?:results?|hits|matches): ?(?:0|none|no|empty|\[\])",
    rf"[:=] ?(?:not {_UNSAID}|n/a|unknown|null|unspecified)\W*$",
)
_AT_THE_START: Final = (
    rf"{_THE_USER}(?:'s)? (?:profile|records?|memory|data|history) (?:is|was|has|contains?|holds"
    rf"|does|shows|lists)\b"
    rf"(?: \S+){{0,2}} ?\b(?:empty|no|not|nothing|updated|missing|incomplete)\b",
    rf"{_THE_USER}'s (?:last |previous |first )?(?:question|query|message|prompt|input"
    rf"|utterance) (?:{_VERB})\b",
    rf"{_THE_USER}'s [\w' -]+?(?:is|are|was|were|has|have|remains?)(?: been)? ?"
    rf"{_NOT_TOLD}(?: (?:yet|here|anywhere|so far))?\W*$",
    rf"{_THE_USER} (?:has not|hasn't|have not|haven't|did not|didn't|does not|never)(?: yet"
    rf"| ever)? (?:mention|specif"
    r"|state|disclose|indicate|clarif|provide)\w*\b(?!.* to (?:his|her|their|the|my|a)\b)",
)
_IMPERSONAL: Final = (
    rf"(?:the|this|your|our) {_BOT}\b(?:'s)?(?! (?:of|at|in|from|who|to)\b)",
    r"assistant (?:is|was|has|had|did|does|can|could|cannot|will|said|gave|found|thinks|knows"
    r"|[a-z]{3,}ed)\b",
    rf"an? {_BOT} (?:{_VERB})\b",
    rf"(?:as|i am|i'm|being) (?:just |only )?an? {_BOT}\b",
    rf"{_DET}{_KIND}{_MACHINE_NOUN}(?: \S+){{0,4}}? (?:{_VERB})\b",
    rf"{_DET}{_KIND}{_COMMON_NOUN}(?: (?:about|on|regarding|for|of|with|from"
    rf"|to) .{{1,60}}?)? {_PREDICATE}\b",
    rf"(?:\w+, )?(?:[\w-]+ )?no (?:\w+ ){{0,2}}{_INFORMATION}\b(?: (?:about|on|of|for|regarding|in"
    rf"|from|that|to)\b| is| are"
    r"| was| were|\W*$)",
    rf"(?:no|nothing) .{{0,60}}?\b(?:(?:is|are|was|were) )?{_UNSAID}\b(?: (?:about|in|for|on|yet"
    rf"|here)\b.*)?\W*$",
    rf"nothing (?:\w+ )?{_IN_STORE}",
    rf"there (?:is|was|are|were) (?:no|not any|nothing) (?:\w+ ){{0,2}}(?:{_INFORMATION}\b"
    rf"|{_IN_STORE})",
    rf"(?:missing|insufficient|not enough|no further|incomplete) (?:\w+ )?{_INFORMATION}\b",
    r"(?:based on|according to|given|from) (?:the |my |our |this )?(?:retrieved|provided|available"
    r"|stored|given) ",
    rf"(?:according to|based on) (?:the |my |our )?{_STORE}\b",
    rf"it (?:is|was) {_ABSENT} (?:\w+ )?(?:{_IN_STORE}|(?:if|whether|what|where|when|who"
    rf"|which) {_THE_USER})",
    rf"(?:i|we)\b.*\b{_THE_USER}(?:'s)?\b",
    r"(?:sorry|apologies|unfortunately)\b.*\b(?:i|we) (?:could|can|do|did|was|am|were"
    r"|are)(?:n't)?\b",
    r"let me (?:check|search|look|see|find|try)\b",
    r"(?:i|we)(?: will|'ll|'m going to) (?:search|look|check|try|query|fetch)\b(?! (?:after|out"
    r"|in)\b)",
    rf"(?:i|we) (?:(?:was|were|am|are) (?:unable|not able) to|could(?: not|n't)|can(?: ?not|'t)"
    rf"|did(?: not|n't))"
    rf" (?:retrieve|find|locate|access|recall|look up|see|get|determine) (?:any(?:thing)? )?"
    rf"(?:about|on|(?:\w+ ){{0,2}}{_INFORMATION}\b)",
    r"(?:i|we) (?:search|check|query|queri|look)(?:ed|ing)?(?: in| through| up)? (?:the|my|our"
    r"|your)"
    r" (?:\w+ )?(?:memory|memories|web|database|history|internet|index|knowledge base"
    r"|conversations?|context)\b",
    rf"(?:i|we) (?:do not|don't|did not|didn't) have (?:any |enough |sufficient "
    rf"|access to )(?:\w+ ){{0,2}}?"
    rf"(?:{_INFORMATION}|that|the internet|real-time)\b",
    r"i have no (?:memory|record|recollection) of (?:(?:our|any|the|your|this|previous|earlier"
    r"|past) )+"
    r"(?:\w+ )?(?:conversations?|chats?|sessions?|messages?)\b",
    r"my (?:training(?: data)?|knowledge cut-?off|context window|system prompt|instructions"
    r"|memory) (?:ends?|is|was"
    r"|says?|does(?: not|n't)|contains?|has no|cannot)\b(?! (?:bad|poor|good|excellent|terrible"
    r"|failing|getting))",
    r"(?:call|retriev|search|query|queri|fetch|invok|look|scann|load|us)(?:ed|ing)\b.*\b(?:chunks?"
    r"|documents?"
    r"|memory|memories|web|database|results?|tools?|functions?|api|quer(?:y|ies)|internet|history"
    r"|[a-z]+_[a-z_]+)\b",
    r"(?:memory|memories|facts?|profile|embeddings?) (?:saved|updated|stored|added|deleted"
    r"|created)\b",
    r"(?:query|tool|search|function|error|observation|action|tool result|system)s?(?: \w+)?: ?\S",
    r"(?:http )?(?:error|status)(?: code)? \d{3}\b",
    r"http \d{3}\b",
)
_IMPERSONAL_ANYWHERE: Final = (
    r"\b(?:system prompt|tool call|function call|context window|token limit|knowledge cut-?off"
    r"|vector store"
    r"|similarity scores?|embedding model|retrieval (?:confidence|scores?|step|results?))\b",
    r"\b[a-z]+(?:_[a-z]+)+\b.*\b(?:call|function|tool|quer|return|fail|error|invok|result|argument"
    r"|respon|gave|hits)",
    r"\b(?:call|function|tool|quer|invok)\w*\b.*\b[a-z]+(?:_[a-z]+)+\b",
    r"^[a-z]+(?:_[a-z]+)*\(.*?\)",
    r"\b(?:request|call|connection) timed out\b",
    r"\b(?:used|using|called|ran|invoked|via) (?:the|a) (?:\w+ )?(?:tool|plug-?in|function|api)\b",
    r"\b(?:could not|failed to|unable to|error while) (?:be )?(?:fetch|load|pars|retriev|encod"
    r"|read by the)",
)
_NO_VALUE: Final = re.compile(
    rf"(?:n/?a|none|null|nil|unknown|unspecified|undefined|not (?:applicable|{_UNSAID})"
    r"|no (?:information|data|value|answer|results?))[.!]?"
)
# A record or a profile of the user's may be one of the machine's.
_PERSON: Final = re.compile(
    rf"(?:{_THE_USER}(?!(?:'s)? (?:profile|records?|memory|data|history)\b)|he|she|they|(?:his|her"
    rf"|their) \w+)\b"
)


@cache
def _joined(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern of all, compiled at its first use: opening a file should not wait for it."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def is_meta_commentary_fact(text: str) -> bool:
    """Whether a text talks about the machinery and not about the user.

    Meant are tools, retrieval and what it did not find, prompts, what the assistant is or
    did, and values that say that there is none.

    Args:
        text: A fact as a sentence, or its value; English. Only the first 2,000 characters are
            looked at.
    """
    plain = _SPACES.sub(" ", text[:_MOST_CHARS].translate(_QUOTES)).strip(" '\"-*").casefold()
    if _NO_VALUE.fullmatch(plain):
        return True
    if plain.isalpha():  # talk takes more than a word
        return False
    if _joined(_WITH_ANY_SUBJECT).search(plain) or _joined(_AT_THE_START).match(plain):
        return True
    if _PERSON.match(plain):
        return False
    return bool(_joined(_IMPERSONAL).match(plain) or _joined(_IMPERSONAL_ANYWHERE).search(plain))
