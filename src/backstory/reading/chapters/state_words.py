"""Words of the patterns that read states: colours, ages, kin, trades, parts of the body."""

from typing import Final


def one_of(text: str) -> str:
    """A pattern for any of the words, the longest first."""
    return "(?:" + "|".join(sorted(text.split(), key=len, reverse=True)) + ")"


EYE_COLOUR: Final = one_of(
    "green blue brown black grey gray hazel violet amber golden silver turquoise emerald"
)
HAIR_COLOUR: Final = one_of(
    "brown black red blond blonde fair grey gray white silver auburn ginger chestnut golden "
    "copper dark sandy raven"
)
_SHADE: Final = one_of("pale dark light deep bright clear soft cold warm")
_HAIR_LOOK: Final = one_of("long short thick thin curly straight wavy fine wild dark light pale")
EYES: Final = f"(?:{_SHADE} )?{EYE_COLOUR}(?:[- ]{EYE_COLOUR})?"
HAIR: Final = f"(?:{_HAIR_LOOK},? ){{0,2}}{HAIR_COLOUR}(?:[- ]{HAIR_COLOUR})?"

_UNITS: Final = one_of("one two three four five six seven eight nine")
_TEENS: Final = one_of(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS: Final = one_of("twenty thirty forty fifty sixty seventy eighty ninety")
AGE: Final = rf"(?:\d{{1,3}}|{_TENS}(?:[- ]{_UNITS})?|{_TEENS}|{_UNITS})"

KIN: Final = (
    r"(?:half-|step)?(?:brother|sister|mother|father|son|daughter)|wife|husband|uncle|aunt|cousin"
    r"|nephew|niece|grand(?:father|mother|son|daughter)|fianc\u00e9e?|widow|widower|guardian"
)
JOB: Final = one_of(
    "doctor nurse teacher blacksmith smith baker butcher king queen prince princess captain "
    "judge sergeant carpenter miller farmer fisherman sailor soldier knight priest monk nun "
    "bishop pope lawyer clerk merchant trader tailor cook chef maid servant butler gardener "
    "shepherd hunter innkeeper barber mason weaver potter painter sculptor singer dancer actor "
    "actress musician composer poet writer author journalist reporter editor printer librarian "
    "scholar professor student scientist physicist chemist engineer architect surgeon physician "
    "apothecary healer wizard witch sorcerer sorceress mage spy thief smuggler pirate assassin "
    "detective inspector constable policeman policewoman officer lieutenant colonel general "
    "major admiral commander corporal guard gaoler jailer warden hangman executioner mayor "
    "governor senator minister president chancellor duke duchess count countess baron baroness "
    "lord lady emperor empress ambassador steward pilot driver mechanic miner banker accountant "
    "secretary postman waiter waitress barmaid cobbler shoemaker jeweller goldsmith locksmith "
    "clockmaker watchmaker governess tutor midwife undertaker gravedigger ferryman "
    "lighthouse-keeper gamekeeper squire"
)
PART: Final = one_of(
    "arm leg eye hand foot finger fingers ear toe toes thumb tongue arms legs eyes hands feet ears"
)
BONE: Final = one_of("leg arm wrist ankle rib ribs nose collarbone hip foot hand jaw thumb finger")
THING: Final = one_of(
    "key keys map ring sword knife letter book ledger amulet crown lamp gun pistol watch coin "
    "coins necklace dagger stone box purse locket compass scroll staff wand bow shield cloak "
    "pendant diary photograph money bracelet seal flute violin medal rifle axe spear helmet "
    "chest casket"
)
DWELLING: Final = one_of(
    "house mill cottage castle village town city farm flat apartment room rooms tower inn hut "
    "palace island street forest wood woods valley manor hall harbour attic cellar cabin tent "
    "monastery convent abbey lighthouse boat ship cave mountains hills country capital suburb "
    "hotel farmhouse parsonage rectory vicarage bungalow villa mansion barn shed shack caravan "
    "square"
)
