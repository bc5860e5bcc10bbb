"""Nationalities, languages, star signs, religions."""

from typing import Final

from backstory.reading.rules.lexicon import word_set

NATIONALITIES: Final = word_set(
    """
    afghan albanian algerian american andorran angolan argentinian argentine armenian australian
    austrian azerbaijani bahraini bangladeshi belarusian belgian bolivian bosnian botswanan
    brazilian british bulgarian burmese cambodian cameroonian canadian catalan chilean chinese
    colombian congolese croatian cuban cypriot czech danish dominican dutch ecuadorian egyptian
    english eritrean estonian ethiopian fijian filipino finnish french gambian georgian german
    ghanaian greek guatemalan haitian honduran hungarian icelandic indian indonesian iranian
    iraqi irish israeli italian ivorian jamaican japanese jordanian kazakh kenyan korean kosovar
    kurdish kuwaiti laotian latvian lebanese liberian libyan lithuanian luxembourgish macedonian
    malagasy malaysian malian maltese mauritian mexican moldovan mongolian montenegrin moroccan
    mozambican namibian nepalese nepali nicaraguan nigerian norwegian omani pakistani
    palestinian panamanian paraguayan persian peruvian polish portuguese qatari romanian russian
    rwandan salvadoran saudi scottish senegalese serbian singaporean slovak slovakian slovene
    slovenian somali spanish sudanese surinamese swedish swiss syrian taiwanese tanzanian thai
    tongan trinidadian tunisian turkish ugandan ukrainian uruguayan uzbek venezuelan vietnamese
    welsh yemeni zambian zimbabwean kiwi aussie scot scotsman scotswoman irishman irishwoman
    englishman englishwoman welshman dutchman frenchman frenchwoman swede dane finn pole turk
    brit spaniard texan californian european
    """
)

LANGUAGES: Final = word_set(
    """
    afrikaans albanian amharic arabic armenian basque belarusian bengali bosnian breton
    bulgarian burmese cantonese catalan cebuano chinese cornish croatian czech danish dutch
    english esperanto estonian faroese farsi finnish flemish french frisian gaelic galician
    georgian german greek gujarati hausa hawaiian hebrew hindi hungarian icelandic igbo
    indonesian irish italian japanese javanese kannada kazakh khmer korean kurdish latin latvian
    lithuanian luxembourgish macedonian malay malayalam maltese mandarin maori marathi mongolian
    nepali norwegian pashto persian polish portuguese punjabi quechua romanian romansh russian
    sami sanskrit scots serbian shona sinhala slovak slovene slovenian somali spanish swahili
    swedish tagalog tamil telugu thai tibetan turkish ukrainian urdu uzbek vietnamese welsh
    wolof xhosa yiddish yoruba zulu bsl asl
    """
)

STAR_SIGNS: Final = word_set(
    """
    aries taurus gemini leo virgo libra scorpio sagittarius capricorn aquarius pisces
    """
)

RELIGIONS: Final = word_set(
    """
    catholic protestant muslim buddhist hindu jewish christian atheist agnostic sikh quaker
    mormon lutheran methodist baptist orthodox anglican pagan
    """
)
