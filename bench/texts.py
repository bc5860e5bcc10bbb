"""Seeded random texts of many kinds: prose, code, scripts, and what breaks token counts.

Nothing is taken from a corpus: prose is drawn from short word lists, the rest from alphabets.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

Draw: TypeAlias = Callable[[Random, int], str]

_WORDS: Final = {
    "english": "the a I you she we my your and but so then because work home moved live like love "
    "think remember yesterday morning doctor sister garden Gothenburg Monday thirty kitchen "
    "appointment finally probably wonderful unfortunately don't it's we'll guitar lessons",
    "spanish": "el la los que una pero también ayer mañana hermana trabajo jardín médico ciudad "
    "quería decidió próxima reunión años todavía porque cumpleaños corazón",
    "german": "der die das und aber weil gestern Geburtstag Krankenversicherung Schwester Arbeit "
    "wohnt möchte Straße Frühstück vielleicht wahrscheinlich Donaudampfschifffahrt",
    "russian": "я ты она но потому вчера сестра работа живёт переехала хочет врач понедельник "
    "наверное здравствуйте достопримечательность",
    "hindi": "मैं तुम वह लेकिन क्योंकि कल बहन काम रहती है चाहती डॉक्टर सोमवार शायद नमस्ते विद्यालय",
    "arabic": "أنا أنت هي ولكن لأن أمس أختي العمل تعيش تريد الطبيب الاثنين ربما السلام المستشفى",
    "hebrew": "אני אתה היא אבל כי אתמול אחותי עבודה גרה רוצה רופא שלום בוקר",
    "thai": "ฉัน คุณ เธอ แต่ เพราะ เมื่อวาน พี่สาว ทำงาน อาศัย อยู่ ต้องการ หมอ วันจันทร์ สวัสดี",
    "korean": "나는 당신은 그녀는 하지만 어제 언니 직장 살아요 원해요 의사 월요일 아마 안녕하세요",
    "greek": "εγώ εσύ αλλά επειδή χθες αδελφή δουλειά θέλει γιατρός Δευτέρα ίσως καλημέρα",
}
_EMOJI: Final = (
    *(
        "😀",
        "😭",
        "❤️",
        "👩\u200d👩\u200d👧",
        "👍🏽",
        "🏳️\u200d🌈",
        "🇸🇪",
        "🎸",
        "🦜",
        "🫠",
        "1️⃣",
        "☕",
        "™",
        "✅",
    ),
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
)
_CODE: Final = (
    "def f(x):\n    return x + 1\n",
    "if (a && !b) { c[i++] = d->e; }\n",
    "SELECT * FROM t WHERE id = $1;\n",
    "for (;;) {}\n",
    "\t\t}\n\t}\n}\n",
    "import os, sys\n",
    "λ = (λx.x)\n",
    "x = '%s' % {y!r}\n",
    "<div class='a'>&nbsp;</div>\n",
    "        self.__init__(*args, **kwargs)\n",
    "#!/bin/sh\n",
)
_HOSTILE: Final = (
    *("</memory>", "<|im_start|>system\n", "<|endoftext|>", "[/INST]", "\n\nSYSTEM: ", "\n## F\n"),
    *("\n- 2024-05-12 vera: ", "```\n", "{0}{x}%s%", "\\", '"', "\r", "\u2028", "\u202e", "\n\n\n"),
    *("\ufeff", "\u200b", "\ufffd", "a" * 40, " " * 40, "=" * 40, "\n" * 10, "\t" * 9, "é" * 9),
)  # fmt: skip


def _joined(piece: Callable[[Random], str], separator: str = "") -> Draw:
    def draw(random: Random, length: int) -> str:
        parts: list[str] = []
        size = 0
        while size < length:
            parts.append(piece(random))
            size += len(parts[-1]) + len(separator)
        return separator.join(parts)[:length]

    return draw


def _between(*ranges: tuple[int, int]) -> Callable[[Random], str]:
    def piece(random: Random) -> str:
        return chr(random.randint(*random.choice(ranges)))

    return piece


def _of(choices: tuple[str, ...]) -> Callable[[Random], str]:
    return lambda random: random.choice(choices)


def _json(random: Random) -> str:
    row = {
        "id": random.getrandbits(40),
        random.choice(("name", "ключ", "on")): random.choice((None, True, "ü\n", -1.5e-9)),
        "tags": [random.random(), {"a": []}],
    }
    return json.dumps(row, ensure_ascii=random.random() < 0.5, indent=random.choice((None, 2)))


def _url(random: Random) -> str:
    path = f"{random.getrandbits(64):x}/{random.choice(('Straße', 'a-b_c', '%D0%B6'))}"
    return f"https://www.{random.getrandbits(20)}.example/{path}?q={random.getrandbits(30)}&x=1#t "


def _zalgo(random: Random) -> str:
    marks = (chr(random.randint(0x300, 0x36F)) for _ in range(random.randint(0, 8)))
    return random.choice("zalgo hecomes ") + "".join(marks)


def _any_character(random: Random) -> str:
    code = random.choice((0x100, 0x3000, 0x11000, 0x110000))
    char = chr(random.randrange(code))
    return "\ufffd" if "\ud800" <= char <= "\udfff" else char


KINDS: Final[dict[str, Draw]] = {
    **{name: _joined(_of(tuple(words.split())), " ") for name, words in _WORDS.items()},
    "chinese": _joined(_between((0x4E00, 0x9FFF), (0x4E00, 0x5FFF), (0x3001, 0x3002))),
    "japanese": _joined(_between((0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x7FFF))),
    "rare scripts": _joined(_between((0x1200, 0x137C), (0x1780, 0x17D3), (0x13A0, 0x13F4))),
    "astral": _joined(_between((0x20000, 0x2A6DF), (0x1D400, 0x1D7FF), (0x10300, 0x1031F))),
    "emoji": _joined(_of(_EMOJI)),
    "code": _joined(_of(_CODE)),
    "json": _joined(_json, ","),
    "urls": _joined(_url),
    "hex": _joined(lambda random: f"{random.getrandbits(128):032x}"),
    "numbers": _joined(lambda random: f"{random.uniform(-1e6, 1e9):,.3f} "),
    "zalgo": _joined(_zalgo),
    "controls": _joined(_between((0, 0x1F), (0x7F, 0x9F), (0x61, 0x7A))),
    "any character": _joined(_any_character),
    "hostile": _joined(_of(_HOSTILE)),
}


def draw_text(random: Random, longest: int = 2_000) -> str:
    """A text of one kind, or of several in a row, of up to ``longest`` characters."""
    length = int(longest ** random.random())
    kinds = list(KINDS.values())
    parts = random.choice((1, 1, 1, 3))
    return "".join(random.choice(kinds)(random, length // parts) for _ in range(parts))
