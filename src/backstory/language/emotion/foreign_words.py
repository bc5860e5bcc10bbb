"""Frequent words for feelings in languages other than English; small lists of our own.

By language: words of strong, plain and mild pleasant feelings, then of unpleasant ones; words that
deny, that strengthen, and that weaken. A word that ends in ``*`` stands for all that begin so.
"""

from typing import Final

WORDS: Final[dict[str, tuple[str, str, str, str, str, str, str, str, str]]] = {
    "de": (
        "überglücklich begeistert fantastisch wahnsinnsglück liebe* vergöttere traumhaft "
        "bester schönste*",
        "glücklich* stolz dankbar toll wunderbar wunderschön* großartig super herrlich freue "
        "freuen genial",
        "gut schön gern mag froh danke zufrieden nett lecker angenehm erleichtert freut "
        "lustig klasse prima hoffnungsvoll",
        "verzweifelt* hasse wütend stinksauer furchtbar* schrecklich* entsetzlich* panik "
        "todunglücklich heule weine schlimmste* schlimmster zusammengebrochen",
        "traurig unglücklich sauer verletzt einsam ängstlich angst schlecht enttäuscht "
        "frustriert schäme erschöpft",
        "müde genervt nervös schade leider besorgt langweilig unzufrieden ärgerlich blöd doof "
        "unangenehm sorgen nervt",
        "nicht kein keine keinen nie niemals ohne",
        "sehr so total unglaublich wahnsinnig absolut extrem mega riesig zutiefst völlig",
        "bisschen etwas leicht wenig ziemlich eher",
    ),
    "fr": (
        "adore euphorique comblé* extatique amoureu* formidable incroyable meilleur "
        "meilleure magnifique",
        "heureux heureuse fier fière reconnaissant* merveilleu* génial géniale super aime "
        "excellent* ravi ravie",
        "content contente bien bon bonne belle beau merci agréable sympa soulagé* joli "
        "plaisir drôle ravis",
        "désespéré* déteste furieu* hais horrible* terrifié* affreu* dévasté* pleurer pleure "
        "pire effondré*",
        "triste malheureu* peur colère blessé* honte épuisé* mal angoissé*",
        "déçu déçue fatigué* inquiet inquiète ennuyeu* dommage énervé* malheureusement "
        "stressé* nerveu* agacé*",
        "pas ne jamais sans aucun plus",
        "très si tellement vraiment absolument extrêmement trop",
        "peu légèrement plutôt assez",
    ),
    "es": (
        "felicísim* encantad* adoro amo maravilloso maravillosa increíble mejor eufóric* "
        "emocionadísim*",
        "feliz felices orgullos* agradecid* genial fantástic* estupend* emocionad* "
        "encanta alegre alegría",
        "bien bueno buena content* gusta gustó gracias agradable bonit* aliviad* tranquil* "
        "divertid* rico",
        "odio desesperad* furios* aterrad* horrible* destrozad* llorar llorando peor "
        "devastad* insoportable",
        "triste enfadad* miedo enojad* herid* vergüenza agotad* fatal rabia",
        "cansad* preocupad* nervios* decepcionad* aburrid* lástima molest* desgraciadamente "
        "estresad* mal",
        "no nunca sin jamás ningún ninguna tampoco",
        "muy tan mucho realmente absolutamente muchísimo súper totalmente",
        "poco algo bastante ligeramente",
    ),
    "it": (
        "adoro felicissim* innamorat* fantastic* meraviglios* incredibil* migliore entusiast* "
        "emozionatissim*",
        "felice felici orgoglios* grat* stupend* splendid* amo bellissim* ottim* gioia",
        "bene bello bella content* piace piaciut* grazie buono buona piacevole sollevat* "
        "simpatic* tranquill* divertente",
        "odio furios* disperat* terrorizzat* orribil* devastat* piangere piango peggiore "
        "distrutt* insopportabil*",
        "triste tristi arrabbiat* paura infelice ferit* vergogna esaust* rabbia malissimo",
        "stanc* preoccupat* nervos* delus* annoiat* peccato purtroppo stressat* male noios* "
        "fastidi*",
        "non mai senza nessun nessuna",
        "molto così davvero tantissimo assolutamente troppo tanto",
        "po poco abbastanza leggermente piuttosto",
    ),
    "pt": (
        "adoro amo felicíssim* apaixonad* maravilhos* incrível melhor emocionadíssim* fantástic*",
        "feliz felizes orgulhos* grato grata ótim* excelente* lindo linda empolgad* alegria",
        "bem bom boa content* gosto gostei obrigad* agradável aliviad* legal tranquil* divertid*",
        "odeio furios* desesperad* apavorad* horríve* horrível devastad* chorar chorando pior "
        "arrasad* insuportável",
        "triste tristes medo raiva infeliz machucad* vergonha exaust* péssim* zangad*",
        "cansad* preocupad* nervos* decepcionad* chatead* chato pena infelizmente estressad* "
        "mal irritad*",
        "não nunca sem nem jamais",
        "muito tão demais realmente absolutamente super totalmente",
        "pouco pouquinho meio levemente bastante",
    ),
    "ru": (
        "обожаю счастлив* восторг* лучший лучшая потрясающ* невероятн* влюблен* влюблён* "
        "восхитительн*",
        "рад рада люблю горжусь прекрасн* замечательн* отличн* благодар* чудесн* великолепн* "
        "радост*",
        "хорошо нравится понравил* спасибо приятн* доволен довольна весело хорош* рады "
        "спокойн* вкусно облегчение",
        "ненавижу отчаян* ужас* кошмар* рыдаю рыдал* бешен* невыносим* худший плачу плакал* "
        "разбит* паник*",
        "грустн* груст* злюсь боюсь страшно одинок* больно стыдно плохо несчаст* зол зла обидно",
        "устал* скучно жаль тревож* волнуюсь беспокоюсь расстро* нервничаю разочарован* "
        "неприятн* раздража*",
        "не ни никогда без нет",
        "очень так такой такая ужасно невероятно безумно совсем слишком",
        "немного чуть слегка довольно",
    ),
}

UNSPACED: Final[dict[str, tuple[str, str, str, str, str, str, str, str, str]]] = {
    "zh": (
        "爱死 太开心 太幸福 太高兴 最好 太棒 激动死 欣喜若狂",
        "开心 開心 高兴 高興 幸福 快乐 快樂 自豪 骄傲 兴奋 興奮 感激 喜悦 真棒",
        "喜欢 喜歡 不错 不錯 谢谢 謝謝 满意 舒服 放心 好吃 有趣 好玩 还好 顺利",
        "绝望 絕望 崩溃 崩潰 恨死 气死 氣死 讨厌死 痛苦 太难过 受不了 吓死 想死 心碎 痛哭",
        "难过 難過 伤心 傷心 生气 生氣 害怕 愤怒 孤独 孤獨 讨厌 討厭 悲伤 难受 悲傷",
        "担心 擔心 累 失望 紧张 緊張 无聊 無聊 遗憾 烦 郁闷 糟糕 可惜 不舒服 焦虑",
        "不 没 沒 别 無",
        "很 太 非常 特别 超级 真 好",
        "有点 有點 一点 稍微 有些",
    ),
    "ja": (
        "大好き 最高 幸せすぎ 感動 愛してる 嬉しすぎ 夢みたい",
        "嬉し うれし 幸せ 楽しみ 感謝 素晴らし 誇り わくわく ワクワク 素敵",
        "楽し 好き ありがとう 良かった よかった 安心 おいし 美味し 満足 面白 心地よ",
        "絶望 最悪 大嫌い 死にたい 許せない もう無理 泣きそう 号泣 耐えられない 消えたい 激怒",
        "悲し 怖い 怖かっ 辛い つらい 辛かっ 寂し 怒っ 腹が立 苦し 嫌い 悔し 恐ろし",
        "疲れ 心配 不安 残念 がっかり イライラ 退屈 緊張 面倒 落ち込",
        "ない なかった ません 無",
        "とても すごく 本当に めちゃくちゃ 超 かなり",
        "ちょっと 少し やや 多少",
    ),
}
