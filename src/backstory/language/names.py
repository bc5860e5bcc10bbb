"""English names of the languages that are recognised, for prompts and messages."""

from typing import Final

_NAMES: Final = """
ae Avestan|af Afrikaans|aho Ahom|am Amharic|ar Arabic|arc Aramaic|as Assamese|ast Asturian
az Azerbaijani|ba Bashkir|ban Balinese|bax Bamum|be Belarusian|bg Bulgarian|bho Bhojpuri
bku Buhid|blt Tai Dam|bn Bengali|bo Tibetan|br Breton|bsq Bassa|bug Buginese|ca Catalan
ccp Chakma|ceb Cebuano|chr Cherokee|cjm Eastern Cham|ckb Central Kurdish (Sorani)|cop Coptic
cs Czech|cu Church Slavonic|cv Chuvash|cy Welsh|da Danish|de German|dv Dhivehi|dz Dzongkha
egy Ancient Egyptian|el Greek|en English|eo Esperanto|es Spanish|et Estonian|eu Basque
fa Persian|ff Fulah|fi Finnish|fo Faroese|fr French|fy West Frisian|ga Irish
gd Scottish Gaelic|gl Galician|gmy Mycenaean Greek|gon Gondi|got Gothic|grc Ancient Greek
gu Gujarati|ha Hausa|he Hebrew|hi Hindi|hnn Hanunoo|hoc Ho|hr Croatian|hsb Upper Sorbian
ht Haitian Creole|hu Hungarian|hy Armenian|id Indonesian|ig Igbo|ii Sichuan Yi|is Icelandic
it Italian|iu Inuktitut|ja Japanese|jv Javanese|ka Georgian|khb Lü|kk Kazakh|km Khmer
kn Kannada|ko Korean|ks Kashmiri|ku Kurdish (Kurmanji)|ky Kyrgyz|la Latin|lb Luxembourgish
lep Lepcha|lif Limbu|lis Lisu|lo Lao|lt Lithuanian|lv Latvian|mai Maithili|men Mende
mg Malagasy|mid Mandaic|mk Macedonian|ml Malayalam|mn Mongolian|mni Meitei|mr Marathi
mro Mru|ms Malay|mt Maltese|my Burmese|nb Norwegian (Bokmål)|nds Low German|ne Nepali
new Newar|nl Dutch|nn Norwegian (Nynorsk)|nnp Wancho|nod Northern Thai|nqo N'Ko|oc Occitan
or Odia|os Ossetian|osa Osage|otk Old Turkic|pa Punjabi|peo Old Persian|phn Phoenician
pl Polish|pnb Western Punjabi|ps Pashto|pt Portuguese|rej Rejang|rhg Rohingya|rm Romansh
ro Romanian|ru Russian|sa Sanskrit|sah Yakut|sam Samaritan Aramaic|sat Santali
saz Saurashtra|sd Sindhi|si Sinhala|sk Slovak|skr Saraiki|sl Slovenian|so Somali|sq Albanian
sr Serbian|srb Sora|su Sundanese|suz Sunuwar|sv Swedish|sw Swahili
syl Sylheti|syr Syriac|ta Tamil|tbw Tagbanwa|tdd Tai Nüa|te Telugu|tg Tajik|th Thai
ti Tigrinya|tk Turkmen|tl Tagalog|tn Tswana|tr Turkish|tt Tatar|txg Tangut|txo Toto
ug Uyghur|uga Ugaritic|uk Ukrainian|ur Urdu|uz Uzbek|vai Vai|vi Vietnamese|xh Xhosa
xlc Lycian|xld Lydian|yi Yiddish|yo Yoruba|yue Cantonese|zgh Tamazight|zh Chinese|zu Zulu
"""
LANGUAGE_NAMES: Final = {
    code: name
    for code, _, name in (
        entry.partition(" ") for entry in _NAMES.strip().replace("\n", "|").split("|")
    )
}
VARIANT_NAMES: Final = {"Hans": "simplified characters", "Hant": "traditional characters"}


def language_name(code: str, variant: str | None = None) -> str:
    """A language by its English name: ``Chinese in traditional characters``.

    Args:
        code: Primary subtag; one without a name stands for itself.
        variant: ``Hans``, ``Hant`` or None.
    """
    name = LANGUAGE_NAMES.get(code, code)
    return name if variant is None else f"{name} in {VARIANT_NAMES[variant]}"


def script_name(script: str) -> str:
    """A script as it stands in a sentence: ``Old Turkic letters``, ``Han characters``."""
    kind = "characters" if script == "Han" else "letters"
    return f"{script.replace('_', ' ')} {kind}"
