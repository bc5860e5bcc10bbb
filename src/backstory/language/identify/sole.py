"""Languages that a script alone decides, and those that a few letters tell apart."""

import re
from typing import Final

# Scripts that one language uses nearly alone.
SOLE: Final = {
    "Adlam": "ff", "Ahom": "aho", "Armenian": "hy", "Avestan": "ae", "Balinese": "ban",
    "Bamum": "bax", "Bassa_Vah": "bsq", "Bopomofo": "zh", "Buginese": "bug", "Buhid": "bku",
    "Chakma": "ccp", "Cham": "cjm", "Cherokee": "chr", "Coptic": "cop", "Deseret": "en",
    "Egyptian_Hieroglyphs": "egy", "Georgian": "ka", "Glagolitic": "cu", "Gothic": "got",
    "Gujarati": "gu", "Gunjala_Gondi": "gon", "Gurmukhi": "pa", "Hangul": "ko",
    "Hanifi_Rohingya": "rhg", "Hanunoo": "hnn", "Imperial_Aramaic": "arc", "Javanese": "jv",
    "Kana": "ja", "Kannada": "kn", "Khmer": "km", "Lao": "lo", "Lepcha": "lep", "Limbu": "lif",
    "Linear_B": "gmy", "Lisu": "lis", "Lycian": "xlc", "Lydian": "xld", "Malayalam": "ml",
    "Mandaic": "mid", "Masaram_Gondi": "gon", "Meetei_Mayek": "mni", "Mende_Kikakui": "men",
    "Mongolian": "mn", "Mro": "mro", "New_Tai_Lue": "khb", "Newa": "new",
    "Nko": "nqo", "Nushu": "zh", "Ol_Chiki": "sat", "Old_Hungarian": "hu", "Old_Persian": "peo",
    "Old_Turkic": "otk", "Oriya": "or", "Osage": "osa", "Osmanya": "so", "Phoenician": "phn",
    "Rejang": "rej", "Samaritan": "sam", "Saurashtra": "saz", "Shavian": "en", "Sinhala": "si",
    "Sora_Sompeng": "srb", "Sundanese": "su", "Sunuwar": "suz", "Syloti_Nagri": "syl",
    "Syriac": "syr", "Tagalog": "tl", "Tagbanwa": "tbw", "Tai_Le": "tdd", "Tai_Tham": "nod",
    "Tai_Viet": "blt", "Tamil": "ta", "Tangut": "txg", "Telugu": "te", "Thaana": "dv",
    "Thai": "th", "Tifinagh": "zgh", "Toto": "txo", "Ugaritic": "uga", "Vai": "vai",
    "Vithkuqi": "sq", "Wancho": "nnp", "Warang_Citi": "hoc", "Yi": "ii",
}  # fmt: skip

_YIDDISH: Final = re.compile(
    "[\u05f0-\u05f2\ufb1f]|\u05d0[\u05b7\u05b8](?![\u05b0-\u05bc])|[\ufb2e\ufb2f]|\u05d5\u05d5|"
    "(?<![\u05d0-\u05ea])(?:\u05d0\u05d9\u05d6|\u05d0\u05d5\u05df|\u05d0\u05d9\u05da|\u05d0\u05d9\u05df"
    "|\u05d3\u05d9|\u05d3\u05e2\u05e8|\u05d3\u05d0\u05e1|\u05e4\u05d5\u05df|\u05de\u05d9\u05d8"
    "|\u05e0\u05d9\u05e9\u05d8|\u05d6\u05d9\u05d9\u05df|\u05d1\u05d9\u05df)(?![\u05d0-\u05ea])"
)
_ONLY_POINTED: Final = re.compile("[\u05b0\u05b1\u05b2\u05b3\u05b6\u05b9\u05bb]")
_POLYTONIC: Final = re.compile("[\u1f00-\u1f6f\u1f72-\u1fff\u0313\u0314\u0345]")
_TONIC: Final = re.compile("[\u03ac-\u03b0\u03cc-\u03ce]")
_GREEK_WORD: Final = re.compile("(?:[\u0370-\u03ff\u1f00-\u1fff][\u0300-\u036f]*){3}")
_NOT_BURMESE: Final = re.compile("[\u1022\u1028\u1050-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f]")
_BURMESE: Final = re.compile("[\u1000-\u1021]")
_INUKTITUT: Final = re.compile(
    "[\u1542-\u1545\u154b-\u1550\u1555-\u155d\u157f-\u1586\u158f-\u1596\u15a0-\u15a6\u1670-\u1676]"
)
_SYLLABLE: Final = re.compile("[\u1401-\u167f]")
_DZONGKHA: Final = re.compile(
    "(?<![\u0f40-\u0fbc])(?:\u0f68\u0f72\u0f53|\u0f63\u0f74|\u0f5a\u0f74|\u0f60\u0f51\u0f74\u0f42)"
    "(?![\u0f40-\u0fbc])"
)
_TIBETAN_WORD: Final = re.compile("[\u0f40-\u0fbc]+")
_ASSAMESE: Final = re.compile("[\u09f0\u09f1]")
_BENGALI_R: Final = "\u09b0"


def hebrew(text: str) -> str:
    """``yi`` for Yiddish spelling, which writes vowels as letters, else ``he``."""
    words = len(text.split())
    signs = len(_YIDDISH.findall(text))
    pointed = len(_ONLY_POINTED.findall(text))
    return "yi" if signs * 8 >= words and signs > pointed else "he"


def greek(text: str) -> str | None:
    """``grc`` where accents of ancient Greek are more than those of today, else ``el``.

    None for signs of mathematics: no word has three letters.
    """
    if not _GREEK_WORD.search(text):
        return None
    return "grc" if len(_POLYTONIC.findall(text)) > len(_TONIC.findall(text)) else "el"


def myanmar(text: str) -> str | None:
    """``my``; None with many letters that other languages of the script add."""
    other = len(_NOT_BURMESE.findall(text))
    return "my" if other * 20 <= len(_BURMESE.findall(text)) else None


def syllabics(text: str) -> str | None:
    """``iu`` for syllables that Cree and Ojibwe lack, else None."""
    return "iu" if len(_INUKTITUT.findall(text)) * 25 >= len(_SYLLABLE.findall(text)) else None


def tibetan(text: str) -> str:
    """``dz`` for small words of Dzongkha, else ``bo``."""
    words = len(_TIBETAN_WORD.findall(text))
    return "dz" if len(_DZONGKHA.findall(text)) * 25 > words else "bo"


def bengali(text: str) -> str:
    """``as`` where its own r is more frequent than the Bengali one, else ``bn``."""
    return "as" if len(_ASSAMESE.findall(text)) > text.count(_BENGALI_R) else "bn"
