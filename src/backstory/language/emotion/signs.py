"""Emoji and emoticons: what they say of a feeling; a list of our own."""

from typing import Final

from backstory.language.emotion.model import Entry, Kind

_SIGNS: Final = """
joy 1.3 .25 😀 😃 😄 😁 😊 🙂 ☺ 😺 😸 👍 🌞 :) :-) =) ^^ :D :-D =D :] 👌 🤗 😌 🙌 💪 🌈 ✨ 😇
joy 2.0 .5 🥳 🎉 🎊 🤩 💃 🕺
love 1.8 .45 ❤ 🧡 💛 💚 💙 💜 🖤 🤍 💗 💓 💞 💕 💖 💘 💝 😘 😗 😚 😙 <3 ♥ 😻 🫶
love 2.4 .6 😍 🥰
amusement 1.2 .25 😂 🤣 😆 😹 xD XD :P ;) ;-) 😉 😜 😝 😛 :-P
gratitude 1.0 .2 🙏
sadness -1.3 .25 😕 🙁 ☹ 😞 😔 😟 😢 😥 😿 :( :-( =( :/ :-/ 😓 :\\ 😪 :[ 🥀
sadness -2.4 .6 :'( 💔 😩 😫 </3
fear -1.8 .45 😰 😨 😧 😦 😬
fear -2.6 .65 😱
anger -1.8 .45 😠 😤 👿 💢
anger -2.8 .7 😡 🤬
disgust -1.8 .4 🤢 🤮
annoyance -1.0 .2 😒 😑 🙄 👎 😣 😖
exhaustion -1.0 .2 🥱 😴
"""
EITHER: Final = frozenset("😭🥹🥺")
"""Tears that a text makes sad or happy."""
EITHER_VALUE: Final = 2.0
EITHER_STRENGTH: Final = 0.55
WRY: Final = frozenset("🙄🙃😒👏")
"""Signs that turn praise into its opposite."""


def signs() -> dict[str, Entry]:
    """Each sign with its meaning."""
    found: dict[str, Entry] = {}
    for line in _SIGNS.strip().splitlines():
        tag, value, strength, *shown = line.split()
        entry = Entry(Kind.SIGN, float(value), float(strength), tag)
        found |= dict.fromkeys((sign.replace("\\\\", "\\") for sign in shown), entry)
    return found | dict.fromkeys(EITHER | {"🙃", "👏"}, Entry(Kind.SIGN))
