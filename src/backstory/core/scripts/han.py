"""What Han characters tell by their forms: simplified or traditional Chinese, or Japanese.

The national character sets of 1978 to 1984 each list the characters that one country prints:
GB 2312 (simplified), Big5 (traditional) and the first level of JIS X 0208 (Japanese). Python
carries all three as codecs. A character that one set has and the others lack speaks for
its country.
"""

import codecs
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

# Looked up here, so that the codecs are loaded with this module and not at the first text.
_GB, _BIG5, _JIS = (codecs.lookup(name) for name in ("gb2312", "big5", "euc_jp"))
_TRAILS: Final = tuple(range(0xA1, 0xFF))
_BIG5_TRAILS: Final = (*range(0x40, 0x7F), *_TRAILS)

# Pronouns, particles and other words of Chinese sentences; Japanese has them in no compound that is
# common.
_CHINESE: Final = frozenset(
    "我你您她它们們这這哪吗嗎呢吧么麼没沒很还還给給让讓说說跟啊呀啦嘛谁誰怎啥咱啡把也就去吃喝看找"
    "嘅咗唔喺佢冇哋嗰嚟啲嘢"
)
_RATHER_CHINESE: Final = frozenset("的了是在不他有和都要到着個个那吃坐走拿做")
_CANTONESE: Final = frozenset("嘅咗唔喺佢冇哋嗰嚟啲嘢睇")
# Names and words that only Japanese writes so, in characters that Chinese has too.
_JAPANESE_WORDS: Final = (
    "東京", "大阪", "京都", "奈良", "神戸", "名古屋", "北海道", "沖縄", "九州",
    "日本語", "物語", "新幹線", "株式会社", "大丈夫", "勉強", "切符", "手紙", "番組",
    "電話番号", "誕生日", "弁当", "寿司", "味噌", "太郎", "次郎", "花子", "田中",
    "佐藤", "鈴木", "高橋", "渡辺", "山田", "中村", "小林", "会社", "時刻表",
    "映画", "写真", "料理屋", "居酒屋", "神社", "着物", "人気", "彼女", "名前",
    "予約", "受付", "禁煙", "取扱",
)  # fmt: skip
_MIN_ODDS: Final = 3.0
_MIN_CANTONESE: Final = 2


@dataclass(frozen=True, slots=True)
class HanEvidence:
    """How much speaks for each way of writing, in characters.

    Attributes:
        chinese: Forms and words of Chinese.
        japanese: Forms and words of Japanese.
        simplified: Characters that only simplified Chinese (and perhaps Japanese) has.
        traditional: Characters that simplified Chinese lacks.
        cantonese: Characters that only Cantonese uses.
    """

    chinese: float
    japanese: float
    simplified: int
    traditional: int
    cantonese: int

    @property
    def variant(self) -> str | None:
        """``Hans`` or ``Hant`` where one of them is three times as frequent, else None."""
        if self.simplified > _MIN_ODDS * self.traditional:
            return "Hans"
        if self.traditional > _MIN_ODDS * self.simplified:
            return "Hant"
        return None

    @property
    def language(self) -> str | None:
        """``ja``, ``yue`` or ``zh``; None where nothing decides."""
        if self.japanese > self.chinese:
            return "ja"
        if self.cantonese >= _MIN_CANTONESE and self.cantonese * 10 >= self.chinese:
            return "yue"
        return "zh" if self.chinese >= 1 else None


def han_evidence(counts: Mapping[str, int], text: str) -> HanEvidence:
    """What the characters of a text tell.

    Args:
        counts: How often each character occurs in it; others than Han do not matter.
        text: The text, in which words are looked for.
    """
    forms = _forms()
    sums: Counter[str] = Counter()
    chinese = 0.0
    for char, count in counts.items():
        for form in forms.get(char, ()):
            sums[form] += count
        if char in _CHINESE:
            chinese += count
        elif char in _RATHER_CHINESE:
            chinese += 0.5 * count
        sums["cantonese"] += count * (char in _CANTONESE)
    japanese = sums["japanese"] + sum(text.count(word) * 2 for word in _JAPANESE_WORDS)
    return HanEvidence(
        chinese=chinese + sums["chinese"],
        japanese=float(japanese),
        simplified=sums["simplified"],
        traditional=sums["traditional"],
        cantonese=sums["cantonese"],
    )


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """What each character speaks for, of those that do not belong to all three sets."""
    simplified = _listed(_GB, range(0xB0, 0xF8), _TRAILS)
    traditional = _listed(_BIG5, [*range(0xA4, 0xC7), *range(0xC9, 0xFA)], _BIG5_TRAILS)
    japanese = _listed(_JIS, range(0xB0, 0xD0), _TRAILS)
    forms: dict[str, tuple[str, ...]] = {}
    for char in simplified | traditional | japanese:
        found = []
        if char not in japanese and (char not in simplified or char not in traditional):
            found.append("chinese")
        if char in japanese and char not in simplified and char not in traditional:
            found.append("japanese")
        if char in simplified and char not in traditional:
            found.append("simplified")
        if char in traditional and char not in simplified:
            found.append("traditional")
        forms[char] = tuple(found)
    return forms


def _listed(codec: codecs.CodecInfo, leads: Iterable[int], trails: tuple[int, ...]) -> set[str]:
    spelled = b"".join(bytes((lead, trail)) for lead in leads for trail in trails)
    return {char for char in codec.decode(spelled, "ignore")[0] if char >= "\u4e00"}
