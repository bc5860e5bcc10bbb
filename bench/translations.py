"""What the translations of the Declaration of Human Rights are written in, by their file names.

The names are codes of ISO 639-3, some with a script or a variety behind an underscore
(``uzn_cyrl.txt``). What is not listed here is written in Latin letters.
"""

import re
import zipfile
from pathlib import Path
from typing import Final

_SUFFIXES: Final = {
    "arab": "Arabic", "armn": "Armenian", "beng": "Bengali", "cans": "Canadian_Aboriginal",
    "cyrl": "Cyrillic", "deva": "Devanagari", "ethi": "Ethiopic", "grek": "Greek",
    "hans": "Han", "hant": "Han", "hebr": "Hebrew", "java": "Javanese", "latn": "Latin",
    "mong": "Mongolian", "monotonic": "Greek", "mtei": "Meetei_Mayek", "polytonic": "Greek",
    "tfng": "Tifinagh", "tibt": "Tibetan", "adlm": "Adlam", "nkoo": "Nko", "olck": "Ol_Chiki",
    "lana": "Tai_Tham", "mymr": "Myanmar", "syrc": "Syriac", "bali": "Balinese",
}  # fmt: skip
_SCRIPTS: Final = {
    "Cyrillic": """abk abq ady alt ava bak bel bua bul che chv ckt cjs dar eve evn gld inh kaz
        kbd kca khk kir kjh koi kpv krc kum lbe lez mdf mhr mkd mns mrj myv nio niv
        nog oaa oss rus sah sel srp tab tat tgk tyv udm ukr ulc xal ykg yrk yux""",
    "Arabic": "arb ckb pbu pes pnb prs skr snd uig urd kas azb bal glk lki lrc mzn",
    "Devanagari": "awa bho doi gom hin hne mag mai mar nep new npi san sck taj",
    "Bengali": "asm ben bpy", "Gurmukhi": "pan", "Gujarati": "guj", "Oriya": "ori ory",
    "Tamil": "tam", "Telugu": "tel", "Kannada": "kan tcy", "Malayalam": "mal", "Sinhala": "sin",
    "Thai": "tha", "Lao": "lao", "Khmer": "khm", "Myanmar": "mya mnw shn ksw kht blk",
    "Tibetan": "bod dzo", "Georgian": "kat", "Armenian": "hye", "Hebrew": "heb ydd",
    "Greek": "ell", "Ethiopic": "amh tir gez tig", "Cherokee": "chr", "Hangul": "kor",
    "Canadian_Aboriginal": "ike csw cre crk ojb", "Kana": "jpn", "Syriac": "aii",
    "Han": "cmn yue hak wuu gan hsn nan cjy lzh", "Yi": "iii", "Vai": "vai", "Thaana": "div",
    "Mongolian": "mvf", "Nko": "nqo", "Tai_Le": "tdd", "New_Tai_Lue": "khb", "Lisu": "lis",
    "Tai_Viet": "blt", "Ol_Chiki": "sat", "Miao": "hmd", "Cham": "cjm",
}  # fmt: skip
_BY_CODE: Final = {code: name for name, codes in _SCRIPTS.items() for code in codes.split()}
_PRIMARIES: Final = """
aar=aa abk=ab afr=af aka=ak als=sq amh=am arb=ar arg=an asm=as aym=ay ayr=ay azb=az azj=az
bak=ba bam=bm bel=be ben=bn bis=bi bod=bo bos=bs bre=br bul=bg cat=ca ces=cs cha=ch che=ce
chv=cv cmn=zh cos=co cym=cy dan=da deu=de div=dv dzo=dz ekk=et ell=el eng=en epo=eo est=et
eus=eu ewe=ee fao=fo fij=fj fin=fi fra=fr fry=fy fuc=ff fuf=ff fuv=ff gaz=om gla=gd gle=ga
glg=gl glv=gv guj=gu gug=gn hat=ht hau=ha heb=he her=hz hin=hi hrv=hr hun=hu hye=hy ibo=ig
ido=io iii=ii ike=iu ina=ia ind=id isl=is ita=it jav=jv jpn=ja kal=kl kan=kn kas=ks kat=ka
kaz=kk khk=mn khm=km kin=rw kir=ky kmr=ku knc=kr kng=kg koi=kv kor=ko kpv=kv kua=kj lao=lo
lat=la lav=lv lim=li lin=ln lit=lt ltz=lb lua=lua lug=lg lvs=lv mah=mh mal=ml mar=mr mkd=mk
mlt=mt mri=mi mya=my nbl=nr nav=nv nde=nd ndo=ng nep=ne nld=nl nno=nn nob=nb npi=ne nya=ny
oci=oc ori=or ory=or oss=os pan=pa pbu=ps pes=fa plt=mg pol=pl por=pt prs=fa que=qu quy=qu
quz=qu roh=rm ron=ro run=rn rus=ru sag=sg san=sa sin=si slk=sk slv=sl sme=se smo=sm sna=sn
snd=sd som=so sot=st spa=es src=sc srp=sr ssw=ss sun=su swe=sv swh=sw tah=ty tam=ta tat=tt
tel=te tgk=tg tgl=tl tha=th tir=ti ton=to tsn=tn tso=ts tuk=tk tur=tr tyv=tyv uig=ug ukr=uk
urd=ur uzn=uz ven=ve vie=vi wln=wa wol=wo xho=xh ydd=yi yor=yo yue=yue zlm=ms zul=zu tzm=zgh
mvf=mn hak=zh wuu=zh gan=zh hsn=zh nan=zh cjy=zh aii=syr
"""
_PRIMARY: Final = dict(pair.split("=") for pair in _PRIMARIES.split())
_MIN_CHARS: Final = 60


def expected_script(stem: str) -> str:
    """The script of a file of this name without its ending."""
    code, _, variety = stem.partition("_")
    return _SUFFIXES.get(variety, _BY_CODE.get(code, "Latin"))


def expected_language(stem: str) -> str:
    """The primary subtag of its language: two letters where there are two."""
    code = stem.partition("_")[0]
    return _PRIMARY.get(code, code)


def read_languages(path: Path) -> dict[str, str]:
    """The texts of a folder or a ZIP file, by the name of their file without its ending."""
    if path.is_dir():
        return {file.stem: file.read_text("utf-8") for file in sorted(path.rglob("*.txt"))}
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".txt"))
        return {Path(name).stem: archive.read(name).decode("utf-8") for name in names}


def paragraphs_in(text: str) -> list[str]:
    """The paragraphs that are long enough to tell a language, each on one line."""
    lines = (re.sub(r"\s+", " ", line).strip() for line in text.split("\n"))
    return [line for line in lines if len(line) >= _MIN_CHARS]
