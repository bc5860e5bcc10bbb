# ruff: noqa: RUF001
"""Frequent small words of languages that are written in Latin letters.

Articles, pronouns, prepositions, conjunctions, forms of "be" and "have" and some everyday words,
lower case, with their accents; endings begin with a hyphen. Written by hand for this
package; a word may stand in many lists, and counts the less the more lists have it.
"""

from typing import Final

WORDS: Final = {
    "af": """die en van is in nie dit het ek jy hy sy ons hulle wat vir met om te aan op as maar
        ook was sal kan by my jou se so n 'n baie daar hier nou net dat deur word moet nog
        geen hoe waar wie haar hom julle iemand alle elke gekoop gister huis hond kat dag
        jaar werk tyd stad nuwe groot klein ma pa broer suster hallo dankie -heid -ing -lik
        -like""",
    "ast": """el la los les de del y en que un una nun ye ye'l pa con por xente tien tolos toles
        d'una so al nel na nos y'l más esti esta'l ser foi yera tamién asina pue -ción -dá
        -aes -es -mientu""",
    "az": """və bir bu ilə üçün da də o ki ya olan mən sən biz siz onlar var yox çox nə necə hər
        amma lakin sonra kimi daha isə görə onun mənim bizim deyil idi olur bütün öz gün
        çünki edir harada kim ev yaxşı salam təşəkkür -lar -lər -dır -dir -nın -nin -maq
        -mək -lıq -lik -ları -ləri -dakı -dəki -ır -ir -irəm -ıram -ması -məsi""",
    "br": """ar an ur un ha hag a e en da gant evit war eus ket ne eo din dit dezhañ dezhi ni int
        c'hoazh ivez met pe ma va he o all pep en-deus oa bet""",
    "ca": """el la els les de del dels i en que un una és amb per a al als no es més però com ho
        hi ha són seva seu seus aquest aquesta també molt què jo tu ell ella nosaltres o
        l'home tot tots tota ser va vaig meva meus meu petit on avui persona cap des dia
        hola gràcies bon""",
    "ceb": """ang sa ug nga mga usa kay dili si ni kini iyang ako ikaw siya kita kami sila akong
        imong adunay aduna wala unsa kinahanglan alang tanan matag tawo o og mao""",
    "cs": """a v se na je že to s z do o i ve k po pro jsem jsi jsme jste jsou byl byla bylo být
        ale jak jako který která které za od nebo tak když jen už má mám ne není co si mi mě
        tě jeho její jejich ten ta každý každé bude by ze včera dnes zítra kde proč přáteli
        nevím dům pes kočka práce čas rok město nový velký malý matka otec bratr sestra kině
        ahoj dobrý den děkuji prosím ano -ost -ého -ému -ých -ými -ění -ání""",
    "cy": """y yr a ac yn i o ar am gan gyda mae oedd nid ddim sydd bod fod ei eu fy dy ein eich
        hi ni chi nhw ond neu pob pawb un dim wedi i'r o'r a'r i'n rydw dw roedd wrth ger
        mewn hynny hwn hon beth ble diolch helo""",
    "da": """og i at det er en den til på de med for af der som ikke jeg du han hun vi har et var
        kan skal men om sig fra ud så mig dig hvad efter også nogle hende ham være blev
        bliver meget eller når hvor denne dette købt hver kun over op været have havde min
        mit din nu her morgen enhver hus hund kat dag år tid by arbejde ny stor lille mor
        far bror søster hej tak godt -ning -hed -lig -erne -else""",
    "de": """der die das und ist in ich nicht zu ein eine den mit es sie er auf für von dem im
        des an auch als war wir wie aber so hat du bei sich haben sind wenn noch nur nach
        mir mich dir oder einen einem einer mein meine meiner meinem sein seine ihr ihre was
        dass wird kann habe heute gestern morgen immer sehr leider vor zum zur uns unser
        jeder aus über schon kein keine bin hast hatte am um wo dann weil ja nein danke
        bitte haus hund katze stadt arbeit zeit tag jahr seit monaten jeden abend gut neu
        groß klein mutter vater bruder schwester gibt geht kommt macht gegen durch nichts
        etwas alles gebacken hallo guten schön viel vielen tschüss -ung -lich -keit -heit
        -ungen""",
    "en": """the of and to in is a that it was i for on you he she with as his her they at be
        this have from or had by not but what all were we when your can there an which their
        if will out so up about who them me my no has been would more do did don't didn't
        it's i'm than its our into could then some only other where how every each just
        because after before never always very today yesterday everyone shall any us him am
        are said hello good please thanks morning friend friends house dog cat city work
        time day year new big small mother father brother sister want know go get come came
        went like love live lives home night nobody last saw rained stopped left keeps
        people thing really hi hey thank much yes well see make need sorry""",
    "eo": """la de kaj en estas al ne mi vi li ŝi ĝi ni ili kun por ke sed pri el per aŭ ĉu kiu
        kio kiel kie tiu tio ĉiu ĉi sur estis havas mia via lia ilia tre nur ankaŭ ĉar se da
        je ĝis malgranda devas povas ĉiuj""",
    "es": """de la que el en y a los se del las un por con no una su para es al lo como más pero
        sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay
        donde quien desde todo nos todos uno les ni ese eso mi mis tu tus yo él ella ellos
        estaba está están fue era ser son tiene tengo qué cómo dónde hoy ayer mañana siempre
        nunca casa toda persona has he ha puedo sé feliz te mucho noche vive hermana trabajo
        día año tiempo ciudad perro gato nuevo grande pequeño madre padre hermano hola
        gracias adiós buenos buenas quiero puedes vale claro perdón -ción -mente -dad
        -ciones -ando -iendo""",
    "et": """ja on ei et ta ma see oli kui ka aga oma mis siis mina sina tema meie nad ning või
        kes seda selle kõik iga tal mul mu minu su sinu veel nii juba olen oled oleme saab
        pole üks ühes välja sest kus kuidas mida väga peab olema elab töötab maja koer päev
        töö öö tere aitäh palun -sse -st -le -lt -ks -des -dega -mine -mise -sed -vad -da
        -takse""",
    "eu": """eta da ez du bat dira izan egin hau hori zuen dute ere baina edo nire zure bere gure
        ni zu gu da'la dela den duen dago daude beti oso gaur atzo bihar zer nor non egunero
        guztiak orok duten naiz zara dut dugu nahi kaixo eskerrik asko -ren -ko -tzen -etan
        -aren -eko -ean -era -ekin -tik -tzea -dun -tasun -tasuna -en""",
    "fi": """ja on ei se että oli hän en minä sinä me te he mutta kun niin joka ovat tai kuin
        myös mitä mikä sen siitä minun sinun hänen ole olen olet olemme olivat jos nyt vain
        vielä kaikki jo tämä tässä siellä täällä eikä sekä sitten koska missä kuka
        jokaisella hyvin paljon eilen tänään huomenna illalla kanssa minulla talo koira
        päivä yö työ kiva hei kiitos moi hyvää -ssa -ssä -sta -stä -lla -llä -lle -lta -ltä
        -iden -ien -inen -isen -isesti -vat -vät -minen -misen -neet -tta -ttä""",
    "fo": """og í at er á tað til ikki ein eg tú hann hon vit hava hevur sum fyri við av teir um
        kann skal var men ella hansara síni øll tey eru frá ongin""",
    "fr": """de la le et les des en un une du que est pour qui dans a par plus pas au sur ne se
        ce il elle nous vous ils je tu on sont avec son sa ses mais ou comme aux cette leur
        était être fait tout y si ont été mon ma mes ton ta tes notre votre très où quand
        bien sans aussi même encore toujours jamais j'ai c'est n'est qu'il d'un d'une l'on
        suis es sommes ai as avons avez demain hier aujourd'hui derrière chez j'adore moi
        toi lui rien personne toute travail jour an temps ville chien chat nouveau grand
        petit mère père frère soeur bonjour merci beaucoup salut oui non sais peux veux dois
        faut aime t'aime bonne -tion -ment -ité -tions -eux -ons""",
    "fy": """de it en fan yn is in dat net op te foar mei hy sy wy ik jo har syn wie hat oan ek
        of as mar by om ha wurde kin sil dy't dit elk alle""",
    "ga": """an na agus i a ar is tá go le de do sé sí ní bhí mé tú siad muid seo sin ag as faoi
        ó nó ach gach duine mo aige aici acu againn níl ina den don bheith féin ann raibh
        leis chun cad cá liom agam bhfuil sa gan aon dia duit maith""",
    "gd": """an na agus a air is tha gu le de do e i cha bha mi thu iad sinn seo sin aig às fo no
        ach gach neach mo aige aca againn chan anns bhith fhèin robh leis airson còir gun
        ann am agam""",
    "gl": """o a os as de do da dos das e en que un unha non por con para é máis como pero na no
        nas nos se ao á súa seu meu miña eu ti el ela nós eles moi tamén onte hoxe mañá
        noite está son foi ten teño toda todos casa onde podo puidemos nin sen dun dunha ola
        grazas""",
    "ha": """da a na ya ta ne ce ba don wannan wani wata ina kana yana tana muna suna shi ita mu
        su ni kai ko amma kuma tare cikin daga zuwa akwai babu sai idan kowa kowane mutum
        nan can haka duk sun an mai masu son aikina zaune""",
    "hr": """i u je na se da su za od sa s ne što koji koja koje nije ili ali kao sam si smo ste
        bi bio bila bilo biti ima mi ti on ona oni ga mu joj im svaki svatko tko gdje kada
        tjedan lijepo vrijeme uvijek danas sutra jučer jako samo još već moj moja tamo dana
        ovaj ovo sve svoje dok prema kod idemo kuća pas mačka posao grad nov velik mali
        majka otac brat sestra bok hvala molim dobro -ost -og -om -ima -nje -anje""",
    "hsb": """a w na je z so do ma sy su za při po kotrež wot ale abo ty wón wona my swoje kóždy
        njeje ně hdyž tež kaž ničo -osć -nje -eho -emu -ych""",
    "ht": """li nan yon ki ak pou yo pa se te mwen ou nou gen sa tout moun kay fè lè m' l' ap
        pral sou chak oswa men tankou piti bò fanmi rete toupre la a""",
    "hu": """a az és hogy nem is egy van volt meg de ez csak ha én te ő mi ti ők már még mint el
        ki be fel le minden vagy kell lesz lehet ezt azt nekem neked neki nekünk aki ami
        amely mert nagyon itt ott hol mit mikor ma tegnap holnap este sem között vasárnap
        nincs vagyok vannak után majd így úgy ház kutya nap jó barátaimmal vacsoráztam szia
        köszönöm kérem igen -ban -ben -nak -nek -hoz -hez -ból -ből -tól -től -ságok -ság
        -ség -ását -ését -ok -ek -ott -ett -unk -ünk -ik""",
    "id": """yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada
        mereka kami kita dia kamu adalah bisa sudah atau oleh orang setiap tersebut telah
        bahwa hanya lebih seperti sangat banyak harus sebuah besok kemarin hari kalau tapi
        belum sedang apa siapa mana aku lagi dapat sebagai tanpa anda rumah anjing kucing
        kerja waktu kota baru besar kecil ibu ayah kakak adik teman bekerja terima kasih
        selamat -nya -kan""",
    "ig": """na nke ya ka bụ ndị a nwere mmadụ ọ i m ha anyị unu onye bụla ihe maka n'ime ma
        ga-enwe mgbe dị ruru si gị ahụ""",
    "is": """og að í er á sem það til um við var en hann hún ég þú þeir þær ekki með af fyrir eru
        frá hefur hafa eða mér mig þér sér einn ein minn mín mínu sinn þetta þessi hver
        hvert svo bara líka kom fór verið vera skal allir hverjum út hjá eftir hús hundur
        dagur ár tími litlu húsi sjóinn bý systir bróðir mamma pabbi halló takk""",
    "it": """di che e la il un a per in una è sono mi si ho lo ma ha le non con ti i se da come
        ci questo qui hai sei del bene tutto della dei delle degli al alla nel nella più io
        tu lui lei noi voi loro suo sua mio mia essere era anche perché quando dove oggi
        ieri domani molto ogni gli ed o sul dal quindi andiamo siamo fa stato ancora solo
        mai sempre casa lavoro giorno anno tempo città cane gatto nuovo grande piccolo madre
        padre fratello sorella leggere ciao grazie mille buongiorno buona prego voglio sì
        -zione -mente -ità -zioni -ndo""",
    "jv": """lan ing kang sing karo iku iki ora saka menyang kula aku kowe dheweke ana wong saben
        nduwe utawa marang kanggo wis arep amarga supaya""",
    "ku": """û di de ji bo ku ez tu ew em hûn bi jî li ne wek her kes heye xwe vî vê yê ya yên an
        na min te wî wê me""",
    "la": """et in est non ad cum ut sed quod qui quae ex ab de per si aut enim esse sunt eius
        hoc me te se nos ego tu eam eum atque nec neque omnia omnes iam ante post erat fuit
        sic nunc ubi mihi tibi sibi homo""",
    "lb": """an de d' ass net mat dat ze vun fir ech du hien si mir op och eng en wéi oder ginn
        gëtt hunn huet sinn all jidderee kee bei déi dee um den der am säin hir nëmmen wat""",
    "lt": """ir yra kad į su iš ne jis ji aš tu mes jie bet kaip tai buvo nuo už ar prie apie dėl
        tik dar jau kai jo jos jų mano tavo savo labai kas kur šiandien vakar rytoj turi
        kiekvienas žmogus arba visi būti gyvenu namuose man mums po per čia namas šuo katė
        darbas laikas metai miestas jūros gyvena dirba labas ačiū taip -imas -imo -umas -iui
        -ais -ose -ų -iai""",
    "lv": """un ir ka uz ar no es tu viņš viņa mēs viņi bet kā tas tā nav par pie lai gan vai
        tikai vēl jau kad man tev mana mans mūsu savu ļoti kas kur šodien vakar rīt ikvienam
        katram bija pēc šo tiek mežu ejam māja suns kaķis darbs laiks gads pilsēta sveiki
        paldies jā -šana -šanas -ība -ības -iem -ām -ajā -ai""",
    "mg": """ny sy dia ao amin'ny fa izy aho ianao isika ireo izay ho an'ny tsy misy olona
        rehetra na koa ary noho ka no dia'ny tokony hanana""",
    "ms": """yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke ada mereka
        kami kita dia kerana boleh tak awak esok semalam sahaja ialah adalah orang setiap
        telah bahawa hanya lebih seperti sangat perlu sebuah atau oleh beliau pejabat
        hendaklah mempunyai rumah anjing kucing kerja masa bandar baru besar kecil ibu ayah
        kakak adik kawan bekerja terima kasih selamat -nya -kan""",
    "mt": """il u li ta' ma hu hi fi għal lil jew minn dan din kull wieħed għandu kien hija huma
        jien int aħna mhux fuq f' b' ma' tiegħi tiegħu tal fil bil mill is it ir il-baħar
        biex ukoll -zzjoni -ijiet -hom -ija -ejn -ilha""",
    "nb": """og i jeg det at en et den til er som på de med han av ikke der så var meg seg men
        ett har om vi min mitt ha hadde hun nå over da ved fra du ut sin dem oss opp man kan
        hans hvor eller hva skal selv sjøl her alle vil bli ble blitt kunne inn når være
        noen noe deg etter mye bare enhver håper blir bor helga hus hund katt dag år tid by
        arbeid ny stor liten mor far bror søster landet høner hei takk -ning -het -lig -ene
        -else""",
    "nds": """de un in dat is en van to för op mit nich he se wi ji ik hebbt hett as oder sik na
        bi den dör elkeen sien ehr dissen kann keen -ung -heit -lich -en""",
    "nl": """de het een en van ik te dat die in is je niet zijn op aan met als voor had er maar
        om hem dan zou of wat mijn men dit door over ze zich bij ook tot uit kan daar naar
        wij haar hij heb heeft was worden wordt nog wil geen omdat iets wie waar hoe dag
        elke mij ons jullie gisteren vandaag morgen altijd weet ben bent hebben al ieder
        deze sleutels werk jaar tijd stad hond kat nieuw groot klein moeder vader broer zus
        regent fiets hallo dank bedankt goed goede jij dankjewel alsjeblieft -heid -lijk
        -ing -ingen""",
    "nn": """og i eg det at ein eit den til er som på dei med han av ikkje der så var meg seg men
        har om vi min mitt ho no frå du ut sin oss opp kan kvar eller kva skal sjølv her
        alle vil bli vart vere nokon noko deg etter mykje berre kven hei takk""",
    "oc": """lo la los las de del e en que un una es amb per a al non se mai coma dins son sas
        sieu totes tota persona o ne pas qu'es aver aquel""",
    "pl": """i w na z się nie do to że jest o jak po ale za od co tak przez dla już tylko jego
        jej ich był była było być są mam masz ma mnie mi ja ty on ona my wy oni ten ta te
        który która które lub albo czy kiedy gdzie bardzo więc też jeszcze wczoraj dzisiaj
        jutro moja mój moje każdy człowiek może tego cały dzień bo pod przy ze we żeby dom
        pies kot praca czas rok miasto nowy duży mały matka ojciec brat siostra okulary
        cześć dobry dziękuję proszę -ość -ego -emu -ych -ymi -nie -anie -enie""",
    "pt": """de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi
        ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela
        até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão
        você tinha foram essa num nem suas meu minha meus minhas têm numa tu te lhe estava
        hoje ontem amanhã sempre onde porque tenho toda pessoa ainda fui são vocês trabalho
        dia ano tempo cidade cão gato novo grande pequeno mãe pai irmão irmã olá obrigado
        obrigada bom boa quero -ção -mente -dade -ções -ando -endo""",
    "rm": """il la ils las da e en ch'el che è cun per na betg u sin ses sia mintga ad in ina tut
        s' han vegnir ni dal mia tia -ziun -maint -adad -ziuns""",
    "ro": """și de a în la cu nu pe o un din că este sunt se care mai pentru ce să sau au fost am
        ai dar ca lui ei el ea eu tu noi voi lor acest această când unde foarte dacă doar
        prin fără orice persoană are mea meu mei noștri mâine ieri azi împreună oricare mele
        știu cheile îmi îți ne vă le sa într ar fi al ale cum până casă câine pisică muncă
        timp an oraș nou mare mic mama tata fratele sora bună salut mulțumesc -ului -ilor
        -ile -ea -ție -ții -ate -ării""",
    "sk": """a v sa na je že to s z do o aj vo k po pre som si sme ste sú bol bola bolo byť ale
        ako ktorý ktorá ktoré za od alebo tak keď len už má mám nie čo mi ma ťa jeho jej ich
        ten tá každý bude by včera dnes zajtra kde veľmi tam moja môj neďaleko ani dom pes
        mačka práca čas rok mesto nový veľký malý matka otec brat sestra byte ahoj dobrý
        ďakujem prosím áno -osť -ého -ému -ých -ými -nie -anie""",
    "sl": """in je v na se da za so ne z s pa ki bi sem si smo ste bil bila bilo biti kot ali
        tudi po od pri do iz le že še jaz ti on ona mi oni ga mu ji jih vsak vsakdo ima kje
        kdaj danes jutri včeraj zelo lepo moj moja kaj samo ker če bo to ta grem prijatelji
        hiša pes mačka delo čas leto mesto nov velik majhen mati oče brat sestra hvala
        prosim dobro živjo -ost -ega -emu -ih -imi -nje -anje""",
    "so": """iyo ee oo ka ku u waa la leh in aan ay uu waxaa waxaan si aad ma inuu kale qof kasta
        ama uma isaga iyada marka hal aniga adiga waxay yahay tahay magaalo jeclahay -ka -ga
        -ada -aan -ooyin -yada -tay""",
    "sq": """të e në dhe një i me që për nga është se ka nuk si por më do unë ti ai ajo ne ju ata
        kjo ky ose edhe u ta mos janë jam ishte kam ke çdo kush sot nesër dje shumë vetëm ku
        kur sa deri pa prej gjithë shtëpi qen ditë punë vit qytet punoj shkollë vogël
        përshëndetje faleminderit po -ve -isë -imin -imit -im""",
    "sr": """je i u na se da su za od sa s ne što šta koji koja koje nije ili ali kao sam si smo
        ste bi bio bila bilo biti ima mi ti on ona oni ga mu joj im svaki svako ko gde kada
        kad nedelju lepo vreme uvek danas sutra juče samo još već moj moja dana ovaj ovo sve
        svakog jutra pored prozora novine kafu pijem čitam zdravo hvala molim dobro ćao""",
    "sv": """och i att det som en på är av för med till den har de inte om ett han men var jag
        sig från vi så kan när hon du nu också efter ska eller hade bara mig dig min mitt
        vad denna detta någon något alla mycket utan där här blev blir vara varit över ut
        upp in sin hans hennes dem oss man bor två själv står igår idag imorgon huset hur
        vem hus hund katt dag år tid stad arbete ny stor liten mamma pappa bror syster hej
        tack god -ning -het -lig -arna -erna""",
    "sw": """na ya wa kwa ni katika za cha la kuwa hii hiyo yake yao yangu mimi wewe yeye sisi
        wao kila mtu ana au hakuna hapana sana karibu leo kesho jana nini wapi kama lakini
        pia hata baada kabla ndogo nyumba watu wote si ambaye anapenda kaka kusoma anaishi
        ninaishi kubwa mji ana- nina- wana- tuna- ali- nili- wali- ata- nita- kwenye mwana-
        asante habari jambo -ni -isha -iwa -wao -zao -yako""",
    "tl": """ang ng sa na mga at ay si ni ko mo niya ako ikaw siya kami tayo sila ito iyon hindi
        para may mayroon walang wala isang kung o lahat bawat tao din rin lang po namin
        natin nila nang kanyang nanay dahil pero saan ano sino masarap amin salamat kumusta""",
    "tn": """le ya go mo ga e a ba ka tsa o ke mme motho mongwe kgotsa fa wa na botlhe gagwe nna
        wena ena rona sa tsotlhe""",
    "tr": """ve bir bu için de da o ne ile çok gibi daha ama var yok ben sen biz siz onlar olan
        olarak kadar sonra değil mi mı en her şey ya ki bana sana ona benim senin onun bizim
        ise veya hiç bugün dün yarın nasıl nerede kim herkes vardır akşam içtik önce şimdi
        neden ev iyi güzel evde gün merhaba teşekkürler teşekkür ederim lütfen evet hayır
        -lar -ler -dır -dir -ın -nın -nin -mak -mek -acak -ecek -lık -lik -ları -leri -daki
        -deki -yor -rum -dım -dim -dık -dik""",
    "uz": """va bir bu bilan uchun ham u edi men sen biz siz ular har lekin yoki o'z o‘z ega
        kerak bo'lgan bo‘lgan emas yo'q bor juda qanday qayerda kim nima inson kuni ertalab
        keyin esa kun faqat olaman salom rahmat -lar -ning -lari -gan -lik -ligi -ish -man
        -miz -dan -ini -adi -moq""",
    "vi": """và là của có không được cho một các những người với trong này đó khi thì mà để từ ra
        vào đến như cũng về tôi bạn anh chị em ông bà nó họ chúng ta đã đang sẽ rất nhiều gì
        nào ở hay hoặc mọi trên dưới hôm nay ngày nhà làm biết quá nói sống xin chào cảm ơn
        vâng""",
    "xh": """ukuba kwaye okanye wonke umntu ku nge kunye yaye abantu yi le lo ngokwe ke kungekho
        nawuphi na kufuneka mna wena yena nokuba nayo ngokuba loo uku- aba- izi- ndi- oku-
        nku- ama- kwa- -eni -ini -weyo -kileyo""",
    "yo": """ni ti àti sí ó tí fún gbogbo ẹnikẹ́ni ènìyàn lè láti rẹ̀ wọn kò kí bá ń náà nínú
        tàbí pẹ̀lú mo wa wọ́n ìlú àwọn kan gbé ọmọ sì ní mi""",
    "zu": """ukuthi futhi noma wonke umuntu ku nge kanye abantu yi le lo ngokwe akekho kumele
        mina wena yena ngiyabonga kakhulu kusasa namhlanje izolo kodwa uma ngi uku- ngi-
        aba- izi- nge- uma- oku-""",
}  # fmt: skip
