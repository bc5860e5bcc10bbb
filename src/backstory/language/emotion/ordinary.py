"""Words that say nothing of a feeling by themselves, although VADER's raters gave them a value.

They were rated alone; in a chat "like", "party", "clear" or "help" are mostly plain talk, and
"died" or "war" the matter of a plain report.
"""

from typing import Final

from backstory.core.wordlists import word_set

BLAND: Final = word_set("""
    like well united hand party play played plays help helps helping original sure free support
    supported supporting supports supporter supporters championship championships heart special
    created create creates creating creation god stop stopped low lower lowest care cares cared yes
    yeah yep popular friend friends festival festivals strong stronger strongest strength grand
    alone energy true cut cuts natural security interest interests interesting certain certainly
    alright novel limited forced clear clearly active actively ready giving gun chance trust trusted
    trusts trusting anti straight increase increased allow agree agreed agreeing agreement
    agreements please peace truth responsible value values valued growth join share shared shares
    sharing ability abilities promoted promote promoting promotes lack pressure block blocked blocks
    blocking safe safer safety safely save saved positive powerful advanced grant granted grants
    dream dreams accepted accept accepts accepting warm warmer warmed entertainment comedy comedies
    protect protected protects dedicated prominent freedom easily easy easier easiest huge rich fair
    focused gained gain gains parties weapons supreme worth wish wishing determined critic critics
    bright respectively vision visions intelligence avoid avoided avoiding surprise surprised
    surprising surprisingly opportunity opportunities clean effective effectively cool drop crazy
    entitled lying faith fresh approved approval respect respected promise promised promises strikes
    struck fit fitness admits credit credits credited advantage advantages helper engaged engage
    engages engagement demanded demanding importance capable argue argued forget forgotten resigned
    resign hoping hoped hope hopes rescue rescued hiding fallen disappeared disappear weak warning
    warnings warned confused favorite committed commit commitment fan calmly charges solution solved
    gift shoot profit profits ensure favor favour honorary benefit benefits definitely secure
    secured talent talented stuck admiral charity charities odd beating loose strongly welcome
    welcomed adventure adventures protests protesters dear holiday holidays popularity worn
    attracted diamond successor fault blind stable arrest luck lucky recommend recommends bonus
    suspected suspect dirt dirty witch tension noble asset treasure confidence innocent liberty
    valuable drunk interrupted comfort wealth wealthy treat honest honestly ease error errors trap
    alert assured assure assurance bold comprehensive restricted significance intellectual
    intelligent ideal expand healthy wise respective convince convinced efficient efficiency
    innovation innovative dynamic dynamics joke jokes joking joked fake suspicion suspicious
    relaxing delay delayed cancel cancelled missed mature keen freely hug hugs hugged humor humour
    impression impressions vital desired desire exploration determination consent uncertain unclear
    unsure conspiracy prospect prospects attract attracts attractive attraction attractions reward
    rewards resolve resolving unified immune guarantee sunny sunshine adequate acceptable endorse
    pray praying flexible greeting greet greeted strengthen highlight ethical boost trustee tops
    admiralty privilege alive attachment encourage encourages importantly fiery clarity optimal
    robust freelance dump reassure jewel jewels vitamin compelling warmth honor honour awarded award
    awards winner winners winning champion champions medal prize prizes hero heroes heroic heaven
    divine mercy grace merit romantic romance lovers miracle kiss kissed kisses kissing smile smiles
    grin grinned laugh laughs sexy handsome smart clever justice won win wins loss losses lose
    losing difficult difficulty difficulties argument arguments screaming scream screamed screams
    tears shy lazy sick ill illness tense blame doubt doubts inability burden risk risks bizarre
    critical severe fire fired hell damned fuck shit goddamn ass wow wicked sweets funeral funerals
    pity apologise apologized ignore ignored tease curse fascinating cheer cheers fatigue exclude
    excluded vulnerable numbness relax enjoying bother restless weep alarm alarms allergic favorites
    missing misses cry cries fight fights fighting battle battles pleasure comforting hurtful bore
    obsession mia tia kia nfc nme vip
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
