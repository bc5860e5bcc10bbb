"""What a chapter does to a thread, from the word that a model or a person uses for it."""

import re
from typing import Final
from unicodedata import normalize

from backstory.core.model.plot import ThreadEventKind
from backstory.core.wordlists import word_set

_LONGEST_TEXT: Final = 200
_WORD: Final = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")

_WORDS: Final[dict[ThreadEventKind, frozenset[str]]] = {
    ThreadEventKind.PLANTED: word_set(
        "plant plants planted planting open opens opened opening new add added adds create "
        "created creates start started starts begin begins began introduce introduces "
        "introduced introduction set setup foreshadow foreshadows foreshadowed seed seeded "
        "establish established hook raise raised 埋下 开启 開始 开始 eröffnet geöffnet abierto "
        "abre ouvert открыта"
    ),
    ThreadEventKind.PROGRESSED: word_set(
        "progress progresses progressed progressing advance advances advanced advancing "
        "continue continues continued continuing develop develops developed developing "
        "development ongoing update updates updated updating mention mentions mentioned touch "
        "touched touches escalate escalates escalated escalating complicate complicated "
        "complicates deepen deepens deepened hint hints hinted remind reminded active still "
        "pending 推进 推進 進行 进展 進展 继续 継続 진행 fortgeführt avanza avanzado avance "
        "progresse progressa продолжается"
    ),
    ThreadEventKind.RESOLVED: word_set(
        "resolve resolves resolved resolving resolution close closes closed closing closure "
        "conclude concludes concluded conclusion complete completes completed completion finish "
        "finishes finished end ends ended ending answer answers answered solve solves solved "
        "settle settles settled fulfil fulfill fulfils fulfills fulfilled payoff payoffs paid "
        "pay pays paying done 解决 解決 回收 完结 完結 結束 结束 完了 해결 решена решено gelöst "
        "aufgelöst abgeschlossen resuelto resuelta cerrado cerrada résolu résolue risolto "
        "risolta resolvido resolvida"
    ),
    ThreadEventKind.ABANDONED: word_set(
        "abandon abandons abandoned abandoning drop drops dropped dropping discard discards "
        "discarded cancel cancels cancelled canceled cut scrap scrapped remove removed removes "
        "delete deleted forget forgotten obsolete void voided withdrawn 放弃 放棄 废弃 중단 "
        "aufgegeben verworfen abandonado abandonada abandonné abbandonato"
    ),
    ThreadEventKind.REOPENED: word_set(
        "reopen reopens reopened reopening revive revives revived restart restarted resume "
        "resumes resumed resurrect resurrected undo unresolve 重开 再開 重启 재개 "
        "wiedereröffnet reabierto rouvert"
    ),
}
_KIND_OF: Final = {word: kind for kind, words in _WORDS.items() for word in words}
# Written without blanks around them: looked for inside the text.
_UNSPACED: Final = {word: kind for word, kind in _KIND_OF.items() if word > "\u2e80"}
# Beside a word for closing these say that it is not closed, or not yet.
_NOT_YET: Final = word_set(
    "not never no un almost nearly partial partially partly half isn aren wasn hasn haven doesn "
    "didn begins began starts started starting will"
)
_UNSPACED_NOT_YET: Final = re.compile("[未没沒不非]|部分|部份|尚|안 |미해결")
_STILL_OPEN: Final = word_set("unresolved unsolved unfinished unanswered incomplete")
_CLOSING: Final = frozenset({ThreadEventKind.RESOLVED, ThreadEventKind.ABANDONED})
# Of two kinds the one that says more: "progressed and resolved" resolves.
_ORDER: Final = (
    ThreadEventKind.REOPENED,
    ThreadEventKind.RESOLVED,
    ThreadEventKind.ABANDONED,
    ThreadEventKind.PROGRESSED,
    ThreadEventKind.PLANTED,
)
_LONGEST_PHRASE: Final = 5


def read_action(raw: object) -> ThreadEventKind | None:
    """Read the word for what happens to a thread.

    Args:
        raw: "resolve", "Closed.", "PAYOFF", "pay off", "in progress", or anything else. "Re-open"
            reopens; "not resolved" and "partly resolved" are progress.

    Returns:
        None for what is empty, not understood, says opposite things, or is a whole sentence.
    """
    if not isinstance(raw, str):
        return None
    text = normalize("NFKC", raw[:_LONGEST_TEXT]).casefold()
    text = text.replace("re-open", "reopen").replace("re open", "reopen")
    words = _WORD.findall(text)
    if len(words) > _LONGEST_PHRASE:
        return None
    kinds = {_KIND_OF[word] for word in words if word in _KIND_OF}
    is_not_yet = not _NOT_YET.isdisjoint(words)
    if not text.isascii():
        kinds |= {kind for word, kind in _UNSPACED.items() if word in text}
        is_not_yet = is_not_yet or bool(_UNSPACED_NOT_YET.search(text))
    if not _STILL_OPEN.isdisjoint(words) or (is_not_yet and kinds & _CLOSING):
        return ThreadEventKind.PROGRESSED
    says_opposites = len(kinds & {*_CLOSING, ThreadEventKind.REOPENED}) > 1
    return None if says_opposites else next((kind for kind in _ORDER if kind in kinds), None)
