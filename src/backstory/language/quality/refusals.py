# ruff: noqa: RUF001
"""Refusals, by their phrases."""

import re
from typing import Final

from backstory.language.quality.content import Content

_REFUSAL: Final = re.compile(
    r"\bas an? (?:ai|large language|language) (?:language )?(?:model|assistant)\b"
    r"|\bi(?:'m| am) (?:sorry,? (?:but )?i (?:can't|cannot|can not)|unable to|not able to"
    r"|not allowed to)\b|\bi (?:can't|cannot|can not|won't) (?:help|assist|answer|do that"
    r"|provide|comply|discuss|support)\b"
    r"|\bkann (?:ich )?(?:dir|ihnen|euch|das|dabei|diese\w*"
    r"|leider)?\s?(?:leider )?(?:dabei )?nicht "
    r"(?:helfen|beantworten|weiterhelfen)\b|\bals (?:ki|sprachmodell)\b"
    r"|\bkan (?:jag )?(?:tyvärr )?inte (?:hjälpa|svara)\b"
    r"|\bje ne (?:peux|puis) (?:malheureusement )?pas (?:vous |t')?(?:aider|répondre)\b"
    r"|\ben tant qu'(?:ia|intelligence artificielle|assistant)\b"
    r"|\bno puedo (?:ayudar|responder|hacer eso)\w*|\bcomo (?:modelo de lenguaje|ia)\b"
    r"|\bnon posso (?:aiutar|rispondere|farlo)\w*|\bnão posso (?:ajudar|responder)\w*"
    r"|\b(?:kan|kunnen) (?:je |u )?(?:daar )?(?:helaas )?niet (?:mee )?helpen\b"
    r"|\bnie mogę (?:pomóc|odpowiedzieć)\b|\bне могу (?:помочь|ответить)\b"
    r"|我?(?:无法|不能)(?:回答|提供|帮助)|作为(?:一个)?(?:ai|人工智能|语言模型)"
    r"|お答えできません|お手伝いできません|対応できません|도와드릴 수 없|답변(?:을"
    r"|은)? ?(?:드릴|할) 수 없"
    r"|لا (?:أستطيع|يمكنني) (?:المساعدة|الإجابة|مساعدتك)|לא יכול(?:ה)? (?:לעזור|לענות)",
    re.IGNORECASE,
)
_LONG: Final = 25
_LOOKED_AT: Final = 400


def refuses(text: str, said: Content) -> bool:
    """Whether a response refuses and gives little else.

    One that goes on with an answer or another way (more than 25 content words) does not count.
    """
    found = _REFUSAL.search(text[:_LOOKED_AT].replace("\u2019", "'"))
    return found is not None and len(said.distinct) <= _LONG
