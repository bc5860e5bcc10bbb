"""Names in scripts without capitals, told by how one speaks to those who bear them. Pure."""

import re
from collections import defaultdict
from typing import Final

from backstory.core.wordlists import word_set
from backstory.reading.chapters.lexicon import SURNAMES

_TWICE: Final = 2
_JAPANESE: Final = re.compile(
    "(?<![\u4e00-\u9fff\u3005])([\u4e00-\u9fff\u3005]{2,4}|[\u30a1-\u30fa\u30fc]{2,8})"
    "(?:\u3055\u3093|\u3061\u3083\u3093|\u304f\u3093|\u3055\u307e|\u69d8|\u6bbf)"
)
_CHINESE: Final = re.compile(
    f"([{SURNAMES}])(?:\u5148\u751f|\u5c0f\u59d0|\u592a\u592a|\u5973\u58eb)"
)
_KOREAN: Final = re.compile(
    "(?<![\uac00-\ud7a3])([\uac00-\ud7a3]{2,3})\\s?\uc528(?![\uac00-\ud7a3]{3})"
)
# They have an honorific too, and are not names.
_NOBODY: Final = word_set(
    "皆 皆様 医者 患者 子供 息子 娘 兄 姉 奥 客 神 王 王子 王女 姫 殿下 先生 隣人 主人 旦那 "
    "警察 お客 学生 母上 父上 赤 爺 婆 祖父 祖母 伯父 伯母 叔父 叔母 運転手 店員 奥方 坊主 "
    "看護師 아저 아주머니 여자 남자"
)


def honoured(text: str) -> dict[str, list[tuple[int, int]]]:
    """Names that stand at least twice with an honorific: their code points by name.

    Japanese names in Han or Katakana before さん and its like, Chinese surnames before 先生 and its
    like, Korean names before 씨. A Chinese name is given with its honorific, for a surname alone
    is a character that means something else elsewhere.
    """
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for pattern, group in ((_JAPANESE, 1), (_KOREAN, 1), (_CHINESE, 0)):
        for one in pattern.finditer(text):
            if pattern is _CHINESE or one.group(1) not in _NOBODY:
                found[one.group(group)].append(one.span(group))
    return {name: spans for name, spans in found.items() if len(spans) >= _TWICE}
