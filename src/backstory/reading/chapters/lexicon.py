# ruff: noqa: RUF001 (words of Russian and Greek)
"""Words that tell names from other words that begin with a capital, and persons from places."""

from typing import Final

from backstory.core.wordlists import word_set

MALE: Final = word_set(
    "Mr Sir Lord King Prince Duke Count Baron Earl Father Brother Uncle Master Monsieur M Señor "
    "Sr Don Signor Signore Herr Senhor Squire Grandfather Emperor Pan Господин Дядя"
)
FEMALE: Final = word_set(
    "Mrs Miss Ms Lady Queen Princess Duchess Countess Baroness Mother Sister Aunt Auntie "
    "Mistress Madame Madam Mme Mlle Mademoiselle Señora Señorita Sra Srta Doña Dona Signora "
    "Signorina Frau Fräulein Senhora Dame Nurse Grandmother Empress Pani Госпожа Тётя"
)
TITLES: Final = MALE | FEMALE | word_set(
    "Dr Doctor Prof Professor Captain Capt Colonel Col General Gen Major Lieutenant Lt Sergeant "
    "Sgt Inspector Constable Judge Reverend Rev Bishop Cardinal Pope President Senator Governor "
    "Gov Corporal Commander Admiral Detective Officer Chief Cousin Saint St Old Doktor Docteur "
    "Doctora Professeur Profesor Kapitän Capitaine Capitán Доктор Профессор Капитан"
)  # fmt: skip
ROYAL: Final = word_set(
    "King Queen Lord Lady Duke Duchess Prince Princess Count Countess Earl Saint"
)

# Capitalised, but names of nobody who acts in a book.
_TIMES: Final = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays "
    "Thursdays Fridays Saturdays Sundays January February March April May June July August "
    "September October November December Christmas Easter Lent Michaelmas Halloween "
    "Thanksgiving Sabbath Passover Ramadan Midsummer Spring Summer Autumn Winter Lunes Martes "
    "Lundi Mardi Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Januar Februar "
    "März Juni Juli Oktober Dezember"
)
_PEOPLES: Final = (
    "English British Scottish Irish Welsh French German Spanish Italian Portuguese Dutch Danish "
    "Swedish Norwegian Finnish Polish Russian Greek Turkish Roman Romans Latin Hebrew Jewish "
    "Jew Jews Christian Christians Muslim Muslims Catholic Protestant American Americans "
    "Canadian Mexican Indian Indians Chinese Japanese Korean African Asian European Europeans "
    "Arab Arabs Arabic Egyptian Egyptians Persian Englishman Englishmen Frenchman Frenchmen "
    "Germans Russians Greeks Italians Victorian Gothic Australian Austrian Hungarian Swiss "
    "Belgian Israelite Israelites Englishwoman Scotsman Irishman Dutchman Spaniard Spaniards "
    "Turk Turks Pole Poles"
)
_OTHERS: Final = (
    "I God Gods Lord Heaven Heavens Hell Devil Satan Providence Bible Scripture Goodness Jesus "
    "Christ Almighty Creator Fate Nature Majesty Highness Lordship Ladyship Excellency Honour "
    "Honor Grace Holiness Sir Madam Ma'am Mother Father Mum Mom Mummy Mama Papa Dad Daddy "
    "Grandma Grandpa Granny Mutter Vater Tante Onkel Oma Opa Gott Dieu Dios Бог Chapter Part "
    "Book Volume Prologue Epilogue Section Scene Act Lesson Page Note The End OK TV PS AM PM "
    "Internet North South East West Yes No Oh Ah Well Hello Goodbye Thanks Thank Sorry Please "
    "Damn Hey Nay Aye Alas Amen"
)
TRAPS: Final = word_set(f"{_TIMES} {_PEOPLES} {_OTHERS}")

# Begin sentences; none of them begins a name there.
OPENERS: Final = word_set(
    "moreover also hence thereupon whereupon furthermore accordingly afterward afterwards "
    "likewise lastly firstly secondly thereafter surely truly verily a an the this that these "
    "those some any each every both either neither such all many most few much more several "
    "another other no none nobody noone nothing everybody everyone everything somebody someone "
    "something anybody anyone anything he him his himself she her hers herself it its itself we "
    "us our they them their you your my me mine i one two three four five six seven eight nine "
    "ten hundreds thousands and or but nor so if than then because as while though although "
    "unless until whether of at by for with about against between into through to from in on "
    "off over under out up down during within without upon per via before after above below "
    "behind beside beneath beyond around across along among near toward towards what which who "
    "whom whose when where why how whoever whatever whenever wherever not never ever always "
    "often sometimes once twice again still yet already soon later now today tonight tomorrow "
    "yesterday here there perhaps maybe surely certainly indeed however therefore thus "
    "meanwhile suddenly finally eventually presently instead besides otherwise only just even "
    "also too very quite almost nearly rather poor old young dear little good great big sweet "
    "fair brave silly clever wise noble holy wicked mad blind is are was were be been do does "
    "did done have has had can could will would shall should may might must let come go look "
    "listen see wait stop take give get tell ask say said says know think believe remember "
    "forget keep hold leave bring put run stand sit like since ah oh yes well hush god welcome "
    "farewell good-bye outside inside upstairs downstairs nevertheless nonetheless like unlike "
    "except despite beware behold lo mrs mr miss el los las un una unos unas y o pero mas si no "
    "como cuando donde porque aunque entonces luego después antes ahora ya también solo sólo "
    "este esta estos estas ese esa aquel aquella su sus mi mis tu tus yo él ella ellos ellas "
    "nosotros ustedes usted qué quién cómo cuándo dónde en de a con sin por para sobre hasta "
    "desde entre según todo toda todos todas nadie nada algo alguien le la les l' d' des du au "
    "aux et ou mais donc car si comme quand où que qui quoi puis alors ensuite après avant "
    "maintenant déjà aussi ce cet cette ces son sa ses mon ma mes ton ta tes notre nos votre "
    "vos leur leurs je tu il elle on nous vous ils elles pour par sur sous dans avec sans chez "
    "vers tout toute tous toutes rien personne il lo gli i un uno una e ma se come quando dove "
    "perché poi allora dopo prima adesso ora anche questo questa questi queste quello quella "
    "suo sua mio mia io lui lei noi voi loro per con su tra fra o os as um uma mas então depois "
    "antes agora também ele ela eles elas nós você der die das den dem des ein eine einen einem "
    "einer und oder aber denn doch sondern wenn als da weil dass ob wie wo wer was wann warum "
    "dann danach jetzt nun schon auch nur sehr hier dort ich du er sie es wir ihr man mein "
    "meine dein seine ihre unser kein keine nicht mit ohne für auf an in aus bei von zu nach "
    "vor hinter über unter alle alles jeder jede viele manche niemand jemand etwas nichts и но "
    "а или если когда где кто что как почему потом тогда теперь уже тоже он она они оно мы вы "
    "ты я его её их мой моя твой свой этот эта это эти тот та те все всё никто ничто в на с со "
    "к у о об от до из за под над по для при без через не ни да нет вот"
)

PERSON_VERBS: Final = word_set(
    "said says asked asks replied answered cried shouted whispered muttered murmured exclaimed "
    "added continued called told screamed laughed smiled grinned frowned nodded sighed shrugged "
    "wept sobbed snapped growled insisted agreed admitted explained remarked observed begged "
    "demanded declared protested repeated thought wondered knew felt believed remembered "
    "decided hoped looked stared glanced gazed watched listened turned walked ran stood sat "
    "knelt rose went came hurried stepped climbed slept woke ate drank swallowed blushed "
    "hesitated paused leaned reached took held picked pulled pushed opened closed wrote read "
    "lied swore prayed loved hated married died lived wanted tried refused promised waited "
    "spoke talked yelled dijo preguntó respondió contestó gritó murmuró pensó dit demanda "
    "répondit cria murmura pensa sourit disse chiese rispose perguntou respondeu gritou sagte "
    "fragte antwortete rief flüsterte lächelte lachte nickte dachte ging kam stand saß sah lief "
    "wusste sa frågade svarade sagde spurgte svarede сказал сказала спросил спросила ответил "
    "ответила подумал подумала крикнул крикнула прошептал прошептала улыбнулся улыбнулась пошёл "
    "пошла rzekł rzekła powiedział powiedziała zapytał zapytała είπε ρώτησε απάντησε"
)
SPEECH_VERBS: Final = word_set(
    "said says asked asks replied answered cried shouted whispered muttered murmured exclaimed "
    "added called told screamed laughed snapped growled insisted explained remarked begged "
    "demanded declared protested yelled sighed sobbed dijo preguntó respondió contestó gritó "
    "murmuró dit demanda répondit cria murmura disse chiese rispose perguntou respondeu gritou "
    "sagte fragte antwortete rief flüsterte sa frågade svarade sagde spurgte svarede сказал "
    "сказала спросил спросила ответил ответила крикнул крикнула прошептал прошептала rzekł "
    "rzekła powiedział powiedziała zapytał zapytała είπε ρώτησε απάντησε"
)
PERSON_PARTS: Final = word_set(
    "eyes hair face hand hands voice arm arms head heart lips mouth mother father brother "
    "sister son daughter wife husband uncle aunt cousin friend smile shoulder shoulders cheek "
    "cheeks fingers mind gaze words"
)

PLACE_ENDS: Final = word_set(
    "Street Road Lane Avenue Square Park Inn Tavern Hotel Castle Tower Hall House Palace Abbey "
    "Cathedral Church Chapel Bridge Gate River Lake Sea Ocean Bay Harbour Harbor Island Islands "
    "Isle Forest Woods Valley Vale Hill Hills Mountain Mountains Moor Marsh Desert Plain City "
    "Town Village Station Manor Farm Cottage Court Prison Hospital School College University "
    "Library Museum Theatre Market Quay Wharf Pier Cove Falls Creek Canyon Heights Gardens "
    "Cemetery"
)
PLACE_STARTS: Final = word_set("Mount Lake Port Fort Cape Castle River Isle New Saint St")
GROUP_ENDS: Final = word_set(
    "Guild Order Company Council Army Brotherhood Sisterhood Society League Legion Clan Tribe "
    "Alliance Union Party Ministry Parliament Senate Bank Club Police Fleet Empire Kingdom "
    "Republic"
)
INSIDE: Final = word_set("in into through throughout across via within en dans à im aus nach в из")
TOWARDS: Final = word_set("to on from at near toward towards outside around beyond")
PARTICLES: Final = word_set(
    "of the de la le du da di del della von van der den dos das al el bin ibn ben y zu"
)

GERMAN: Final = word_set("und der die das nicht ist war sie er ein eine ich zu mit auf dem den es")
DETERMINERS: Final = word_set(
    "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner "
    "mein meine meinen meinem meiner dein deine deinen deinem deiner sein seine seinen seinem "
    "seiner ihr ihre ihren ihrem ihrer unser unsere unseren euer eure dieser diese dieses "
    "diesen diesem jeder jede jedes jeden jedem welche welcher welches im am zum zur vom beim "
    "ins ans aller alle allen viele vielen einige manche zwei drei vier fünf kaum viel mehr "
    "wenig ohne"
)

SURNAMES: Final = (
    "王李张劉刘陈陳杨楊黄黃赵趙周吴吳徐孙孫马馬胡朱郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹"
    "彭曾肖田董潘袁蔡蒋蔣余于杜叶葉程魏苏蘇 吕呂丁任卢盧姚沈钟鍾姜崔谭譚陆陸范汪廖石金韦韋贾賈"
    "夏付方邹鄒熊白孟秦邱侯江尹薛阎段雷龙龍陶贺賀顾顧毛郝龚邵万萬钱錢严嚴赖莫孔向汤湯"
)
