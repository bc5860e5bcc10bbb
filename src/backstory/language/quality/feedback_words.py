"""Phrases by which users thank, praise, complain, correct and ask again; small tables of our own.

For lower-case text. Words of unspaced scripts are found anywhere, others at the borders of words.
"""

import re
from typing import Final


def _any(words: str, unspaced: str = "") -> re.Pattern[str]:
    phrases = [phrase.strip() for phrase in words.split("|") if phrase.strip()]
    spaced = r"(?<!\w)(?:" + "|".join(phrases) + r")(?!\w)"
    return re.compile(f"{spaced}|{unspaced}" if unspaced else spaced)


PRAISE: Final = _any(
    r"""thanks?(?: you| u)?|thx|ty|tysm|cheers|perfect(?:ly)?|great|awesome|amazing|brilliant
    |excellent|wonderful|fantastic|lovely|nice|cool|good (?:to know|tips?|idea|point|job|answer)
    |(?:very |really |so |super )?helpful|useful|exactly(?: what i (?:needed|wanted))?|that helps
    |(?:it|that|this)? ?work(?:s|ed)(?: well| now| perfectly)?|love (?:it|this|that)|loves it
    |well done
    |you're right|spot on|just what i needed|asleep|i appreciate|appreciated|got it,? thanks
    |number \w+ it is|booking now
    |danke\w*|vielen dank|super|prima|toll|klasse|perfekt|genial|hilfreich|hat geklappt|sehr gut
    |tack\w*|toppen|perfekt|jättebra|bra (?:svar|tips|idé)|kanon|underbart
    |merci\w*|parfait\w*|génial\w*|excellente?|super|très (?:bien|utile)|bravo
    |gracias|perfecto|genial|muy útil|excelente|estupendo|buenísim[oa]
    |grazie\w*|perfetto|ottimo|buonissim[oa]|fantastico|utilissimo
    |obrigad[oa]\w*|perfeito|ótimo|valeu|muito útil
    |bedankt|dank (?:je|u)(?: wel)?|dankjewel|top|geweldig|fijn
    |dzięki|dziękuję|świetnie|super|doskonale
    |спасибо\w*|благодарю|отлично|супер|класс|помогло
    |дякую|чудово|teşekkür\w*|sağ ?ol|tak skal du have|mange tak|kiitos\w*|děkuji|díky|köszön\w*
    |mulțumesc|ευχαριστώ|شكرا\w*|شكراً|ممتاز|تسلم|תודה\w*|מעולה|מצוין""",
    r"谢谢|感谢|多谢|謝謝|太好了|很好|有用|完美|棒|厉害|ありがと|助かり|助かった|完璧|すごい"
    r"|素晴らし"
    r"|고마워|고맙|감사|최고|완벽|ขอบคุณ|धन्यवाद|शुक्रिया",
)
COMPLAINTS: Final = _any(
    r"""useless|not what i (?:asked|meant|wanted|said)
    |(?:did|does)n't (?:answer|help|work|understand)
    |did not (?:answer|help|work)|does not (?:answer|help|work)|not working|broken\??|gibberish
    |nonsense
    |rubbish|garbage|terrible|awful|horrible|lazy|stupid|dumb|ridiculous|disappoint\w+|annoying
    |waste
    |(?:thanks|thank you) for nothing|are you (?:serious|kidding|joking)|wtf
    |what the (?:hell|heck)
    |deleted my|bad (?:answer|advice|idea)|(?:worse|worst)|makes? no sense|fail(?:ed|s)? again
    |nope
    |you can't do that|says? the opposite|seriously\?|same thing|hello\?
    |(?:you|is|on|and) what\?|even mean
    |not my question|why not\?.*|and the rest\??|on what\?.*|the opposite
    |hilft (?:mir )?(?:\w+ )?nicht\w*|hilft überhaupt nicht|unbrauchbar|nutzlos|quatsch|unsinn
    |schlecht\w*
    |keine antwort|(?:nicht|keine?) (?:meine )?(?:frage|antwort)|nicht gefragt|was soll das
    |dåligt?|värdelöst?|hjälper inte|svarar inte|fel svar|inte min fråga|inget svar|skräp
    |varför inte\?
    |ne répond pas|pas (?:ma question|une réponse)|bah pourquoi|n'aide pas|inutile|nul(?:le)?
    |mauvais\w*|n'importe quoi
    |no (?:me )?(?:sirve|ayuda|responde|funciona)|inútil|mal[ao]? respuesta|tontería
    |no es (?:mi pregunta|una respuesta)|no ayuda
    |non (?:mi )?(?:serve|aiuta|risponde|funziona)|inutile|pessim[oa]|sciocchezze
    |non è (?:la mia domanda|una risposta)
    |não (?:ajuda|serve|responde|funciona)|inútil|péssim[oa]
    |helpt niet|niet mijn vraag|niks aan|geen antwoord|nutteloos|onzin|slecht\w*|nie pomaga
    |bez sensu|bezużyteczn\w*
    |бесполезн\w*|не помога\w*|не то|не ответ\w*|не на вопрос|не работает|ерунда|чушь|плохо
    |غير مفيد|لا يفيد|لا يساعد|سيئ|לא עוזר|חסר תועלת|שטויות|גרוע""",
    r"没有回答|有什么用|不是我问的|没回答|答非所问|没用|没有用|没有帮助|垃圾|胡说|役に立たない|役立た|意味がない"
    r"|使えない|ふざけ|答えじゃない"
    r"|答えになって|쓸모없|도움이 안|소용없|엉터리",
)
DENIED_PRAISE: Final = _any(
    r"""(?:not|isn't|wasn't|never|hardly) (?:\w+ )?(?:helpful|useful|good|great|nice|right)
    |nicht (?:\w+ )?(?:gut|hilfreich|toll|super)|inte (?:\w+ )?(?:bra|till hjälp)
    |pas (?:\w+ )?(?:bon|utile|bien)
    |no (?:\w+ )?(?:útil|bueno)|non (?:\w+ )?(?:utile|buono)|niet (?:\w+ )?(?:goed|handig)
    |nie (?:\w+ )?dobre
    |не (?:\w+ )?(?:помогло|хорошо|полезно)""",
    r"不好|不太好|没什么用|よくない|良くない|안 좋",
)
CORRECTIONS: Final = _any(
    r"""(?:it|that|this|he|she|name|name's|it's|that's|he's|she's|is|was|are) [^.!?]{1,60},? not \w+
    |(?:no|nope|wrong|actually|incorrect)[,!.:;]? (?:i|i'm|i've|my|it|it's|he|she|we|the|that)
    |(?:that's|that is|this is|you're|it's) (?:wrong|incorrect|not (?:right|true|correct))|wrong
    |i (?:already |just )?(?:said|told you|meant)|you know that|i never said
    |i (?:do|am|did)n't [^.!?]{1,40}, i(?:'m| am| work| live| have)
    |das stimmt (?:so )?nicht|falsch|nein,? ich|nein,? (?:mein|das)\w*
    |ich (?:habe|hatte) \w+ ?gesagt|ich meinte
    |det stämmer inte|fel|nej,? (?:jag|min|det)|jag sa
    |c'est faux|non,? (?:je|j'ai|mon|ma|c'est)|j'ai dit|ce n'est pas (?:vrai|juste|correct)
    |(?:eso )?no es (?:correcto|verdad|cierto)|está mal|no,? (?:yo|vivo|soy|mi|es)|dije
    |non è (?:vero|giusto|corretto)|sbagliato|no,? (?:io|sono|vivo)|ho detto
    |está errad[oa]|não é verdade|não,? (?:eu|moro|sou|meu|minha)|eu disse
    |dat klopt niet|fout|nee,? (?:ik|mijn|het)|ik zei|nieprawda|nie,? (?:ja|mam|to|mieszkam)
    |неверно|неправильно|это не так|нет,? (?:я|мой|моя|это)|я сказал\w*
    |خطأ|غير صحيح|لا[،,] أنا|לא נכון|טעות|לא,? אני""",
    r"不对|不對|错了|錯了|不是.{1,12}是|我说的是|違う|違います|ちがい|間違|いいえ、|아니야"
    r"|아니요|아니에요|틀렸|틀려",
)
REPEATS: Final = _any(
    r"""i asked|my question (?:was|is)|so,? (?:when|what|how|who|where|why|which)(?: \w+){0,3}\?
    |again:.*
    |i repeat|once more|ich (?:fragte|habe gefragt)|meine frage (?:war|ist)|noch ?mal[:!].*
    |jag frågade
    |min fråga (?:var|är)|j'ai demandé|ma question|pregunté|mi pregunta|ho chiesto|la mia domanda
    |perguntei|minha pergunta|ik vroeg|mijn vraag|pytałem|pytałam|я спросил\w*|я спрашива\w*
    |سألت|שאלתי""",
    r"我问的是|我的问题是|聞いたのは|質問は|물었|내 질문",
)
POLITE_NO: Final = re.compile(
    r"^(?:no,? thanks?(?: you)?|nein,? danke|nej,? tack|non,? merci|no,? gracias)[.! ]*$"
)
SMILES: Final = re.compile("[👍👏🙏❤💙💚💛🧡💜💕😊😀😃😄😁🥰😍🤩😘🎉🥳💯👌✅🙌🤗🫶⭐🔥]")
FROWNS: Final = re.compile("[👎😡😠🤬🙄😤😒🤦😞😣😩💩❌]")
