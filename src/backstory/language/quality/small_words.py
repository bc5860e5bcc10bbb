# ruff: noqa: RUF001
"""Words that carry no content, of the languages that responses are often written in.

Frequent function words, lower case, without accents; written by hand. They are left out where
content is compared, and tell the language of a text from that of another.
"""

from functools import cache
from typing import Final

from backstory.language.words import without_accents

_WORDS: Final = {
    "en": """a an the this that these those i me my you your he him his she her it its we us our
        they them their is are was were be been am do does did have has had can could will would
        should may might must and or but if so than then because of at by for with about to
        from in
        on off up down out over not no yes what which who when where why how there here just very
        also some any all more as don't i'm it's that's you're i'd i'll i've get got let""",
    "de": """der die das den dem des ein eine einen einem einer und oder aber ist sind war bin bist
        ich du er sie es wir ihr mich mir dich dir sich mein dein nicht kein keine zu im in am an
        auf mit von fur aus bei nach vor wie was wer wo wann warum bis dass wenn kann kannst muss
        hat habe haben noch nur auch so sehr man wird werden einmal bevor""",
    "sv": """en ett den det de och eller men ar var jag du han hon vi ni mig dig min din inte att i
        pa av for med till fran om som kan ska har hade hur vad nar varfor sa sig lite ocksa ej
        er blir bli sedan""",
    "fr": """le la les un une des du de et ou mais est sont etait je tu il elle nous vous ils me te
        se mon ton son ne pas que qui quoi quel quelle quels avec pour dans sur par au aux ce
        cette
        c'est a en y plus tres si comme comment quand pourquoi par exemple""",
    "es": """el la los las un una de del y o pero es son era yo tu el ella nosotros me te se mi
        su no
        que quien cual como cuando donde por para con en al lo mas muy si ya hay este esta puedo
        puede tambien hace""",
    "it": """il lo la i gli le un una di del della e o ma sono era io tu lui lei noi mi ti si mio
        tuo non che chi cosa come quando dove perche per con in al da piu molto se questo posso
        puoi anche""",
    "pt": """o a os as um uma de do da dos das e ou mas sao era eu tu ele ela nos me te se meu teu
        seu nao que quem qual como quando onde por para com em no na ao mais muito se este esta
        posso tambem ha ha""",
    "nl": """de het een en of maar is zijn was ben ik jij je hij zij ze wij we mij me mijn jouw niet
        geen te in op aan met van voor uit bij naar hoe wat wie waar wanneer waarom dat die dit
        als
        kan moet heeft heb nog ook zo er om tot""",
    "pl": """i a w z na do nie to jest sa byl ja ty on ona my sie mi mnie ci jak co kto gdzie kiedy
        dlaczego czy ze o od po przez dla za ale lub oraz tak ten ta jego jej moze""",
    "da": """en et den det de og eller men er var jeg du han hun vi i mig dig min din ikke at pa af
        for med til fra om som kan skal har havde hvordan hvad hvornar hvorfor""",
    "ru": """и в не на я ты он она мы вы они что как это по но из у за от до для же бы а с к о мне
        меня мой твой его ее кто где когда почему или если так уже можно нужно""",
    "uk": """і й в у не на я ти він вона ми ви вони що як це по але з за від до для же би а мені
        мій твій його її хто де коли чому або якщо так вже можна""",
    "tr": """ve bir bu da de mi ben sen o biz siz ne nasil icin ile ama var yok cok daha gibi kim
        nerede ne zaman neden""",
    "ar": """في من على إلى عن أن هل ما ماذا كيف متى أين هذا هذه التي الذي هو هي أنا أنت مع أو لا
        لم قد
        كان ثم قبل بعد كل""",
    "he": """של את על אני אתה הוא היא אנחנו מה איך מתי איפה זה זאת לא כן עם או גם כי אם עד יש
        אין""",
}  # fmt: skip


@cache
def small_words() -> frozenset[str]:
    """All of them."""
    return frozenset(languages_of())


@cache
def languages_of() -> dict[str, tuple[str, ...]]:
    """For each of them the languages that it stands for."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in _WORDS.items():
        for word in dict.fromkeys(without_accents(word) for word in words.split()):
            found[word] = (*found.get(word, ()), language)
    return found
