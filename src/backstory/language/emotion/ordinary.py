"""Words that say nothing of a feeling by themselves, although VADER's raters gave them a value.

They were rated alone; in a chat "like", "party", "clear" or "help" are mostly plain talk, and
"died" or "war" the matter of a plain report.
"""

from typing import Final

from backstory.core.wordlists import word_set

BLAND: Final = word_set("""
    l no like well united hand number want party play played plays playing players top help helps
    helping helped
    original sure free support supported supporting supports supporter supporters hard
    championship championships
    heart special created create creates creating creation reached reach reaching important god
    stop stopped
    stopping stops low lower lowest leave care cares cared yes yeah yep popular friend friends
    festival festivals
    kind strong stronger strongest strength grand alone energy true cut cuts cutting natural
    security interest
    interests interesting matter matters certain certainly okay ok alright feeling novel limited
    forced clear cleared clears
    clearly active actively shook ready giving significant gun chance chances launched trust trusted
    trusts trusting legal legally anti straight increase increased pay pretty allow agree agreed
    agrees agreeing
    agreement agreements please peace super truth greater responsible defense defence value values
    valued growing
    growth authority join share shared shares sharing ability abilities promoted promote promoting
    promotes lack
    pressure block blocked blocks blocking safe safer safety safely serious seriously prison save
    saved positive powerful
    advanced grant granted grants dream dreams accepted accept accepts accepting warm warmer
    warming warmed
    escape escaped escaping entertainment comedy comedies protect protected protects dedicated
    empty emptied
    prominent freedom easily easy easier easiest challenge challenges challenging challenged huge
    rich fair focused gained gain
    gains parties weapons weapon supreme worth wish wishes wishing determined spirit critic
    critics bright
    respectively vision visions intelligence grey avoid avoided avoiding surprise surprised
    surprising
    surprisingly opportunity opportunities clean cleaner effective effectively cool drop prevent
    prevented prevents
    preventing crazy entitled lying faith fresh approved approval respect respected promise
    promised promises
    strike strikes struck fit fitness admit admitted admits credit credits credited fighter
    fighters solid
    advantage advantages helper engaged engage engages engagement demand demanded demanding
    importance capable argue argued forget forgotten resigned resign hoping hoped hope hopes
    rescue rescued hide hiding hid
    fallen falling affected carefully careful disappeared disappear weak warning warnings warned
    warn
    confused confusing favorite committed commit commits commitment fan calmly charges charged
    charge solution solutions solve
    solved gift gifts defensive shoot profit profits truly ensure ensures favor favour honorary
    benefit benefits
    definitely secure secured talent talented stuck admiral charity charities odd beating shake
    shaking exposed
    loose strongly backed backing welcome welcomed adventure adventures protest protests
    protesters dear
    holiday holidays popularity worn sentence sentences attracted diamond successor fault intense
    blind
    stable grave arrest luck lucky recommended recommend recommends bonus controversial emotional
    suspected suspect
    dirt dirty substantial witch competitive tension noble assets asset treasury treasurer
    treasure confidence
    innocent liberty valuable desperate drunk interrupted comfort exclusive wealth wealthy treat
    honest honestly
    ease error errors trick tricks trap alert assured assure assurance bold
    comprehensive restricted significance intellectual intelligent ideal ideals expand retreat
    tough extend
    extends healthy wise respective excuse curious convince convinced efficient efficiency
    innovation
    innovative dynamic dynamics defender defenders joke jokes joking joked fake casual casually
    suspicion
    suspicious swear relaxing delay delayed delays cancel cancelled canceled postponed missed
    mature silly keen freely hug hugs hugged humor humour impression impressions vital desired
    desire exploration swift
    determination pretend pretending lobby consent uncertain unclear unsure conspiracy amazon
    prospect prospects
    freestyle attract attracts attractive attraction attractions strain crush reward rewards
    resolved resolve resolving
    demonstration withdrawal flagship unified immune guarantee sunny sunshine rainy freezing
    freeze funky
    mandatory adequate acceptable endorse exempt rigid pray praying adopt flexible greeting greet
    greeted strengthen
    highlight axe ethical boost passive dwelling trustee casually invite tops admiralty privilege
    liability
    alive dead-line attachment encourage encourages importantly fiery clarity optimal robust
    freelance hail dump
    reassure cautious jewel jewels vitamin battery bargain compelling costly warmth ironic irony
    engagements honor honour awarded award awards winner winners winning champion champions medal
    prize prizes hero heroes
    heroic heaven divine mercy grace merit romantic romance lover lovers miracle angel kiss kissed
    kisses kissing smile smiled smiles
    grin grinned laugh laughed laughs sexy handsome smart clever justice won win wins loss losses
    lose losing
    difficult difficulty difficulties argument arguments
    screaming scream screamed screams tears shy lazy sick ill illness tense blame demanding doubt
    doubts
    unable inability burden confess risk risks risky weird strange bizarre complex critical severe
    fire fires fired
    hell damn damned bloody fuck fucking freaking shit goddamn ass hey ha wow wicked sweets
    play-off energy
    funeral funerals worry-free sigh pity apologize apologise apology apologies apologized ignore
    ignored tease teasing curse
    fascinating cheer cheers fatigue nah exclude excluded vulnerable numbness awaited
    relax enjoying determine proud-looking bother loose restless blah
    weep alarm alarms allergic favourite favorites favourites anxiety pain relief-tablets missed
    missing misses cry cries fight fights fighting battle battles pleasure comforting
    touching moving
    hurtful bore
    sorry obsessed obsession lol gt xp np jp nh tx po pu fu ff jj mia tia kia nfc nme 86 143 182
    187 vip
    """)
"""What VADER rates and this library leaves out, or reads by another list."""

EVENTS: Final = word_set("""
    war wars fought death deaths died die dies dying dead killed kill kills killing killer murder
    murdered murders
    murderer attack attacks attacked cancer tumor tumour accident accidents crash crashed crashes
    crisis emergency
    injured injury injuries damage damaged damages destroyed destroy destroying destruction victim
    victims prisoner
    prisoners prison crime crimes criminal criminals violence violent weapon bomb bombs suicide
    abuse assault
    assaulted rape robbed robbery stolen steal thief thieves collapse collapsed defeat defeated
    fail failed fails
    failing failure failures lost enemy enemies disaster disasters danger dangerous threat threats
    threatened
    illegal disease diseases infection infected depressing-looking debt debts poverty unemployment
    bankrupt lawsuit divorce
    divorced surgery hospital coffin burial buried cemetery grave graves widow widowed orphan
    ghost terrorist
    terrorism slavery torture tortured jailed arrested evil devil conflict conflicts dispute
    protest strike hostile
    broken broke break defect defects fraud scandal riot earthquake flood toxic poison poisoned
    poisoning
    suspended banned rejected refused denied abandoned-house missing-person trauma tragedy shot
    bleeding fracture
    sin sins darkness cancerous fatal condemned accused guilty-plea punishment penalty terminate
    terminated abort aborted
    villain horror-film drown drowned harm harmed suffered suffering suffer struggle struggles
    struggled struggling
    bug bugs exploit hacked leak leaked ban kill-switch lethal harassment bullying racism racist
    sexism
    """)
"""Sad, violent or faulty matters. They count only beside signs of a feeling."""

NUISANCES: Final = word_set("""
    cancelled canceled delayed delay late again another broken broke flat puncture traffic queue
    queues jam hold waiting wait
    monday mondays meeting meetings overtime crash crashed crashes dies died dead dying fail
    failed fails lost stolen stuck
    leak leaking leaks twice charged rain raining wifi internet bill bills taxes tax dishes
    laundry chores alarm
    error errors bug bugs spam ads ad deadline deadlines homework exam exams cold flu headache
    migraine
    spilled spill ignored ignoring ignores forgot forgets rejected refused closed locked missing
    wrong loud
    noise noisy drilling neighbours neighbors nothing nobody broken-down spoiled dirty ruined ruins
    unpaid extra fee fees fine fined parking ticket toothache power outage blackout crashing
    freezes froze update
    updates 3am 4am 5am 6am mess interrupted interrupts interrupting forty fifty hours
    """)
"""What nobody praises in earnest: a sign of sarcasm beside praise."""
