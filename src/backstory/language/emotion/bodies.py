"""English phrases for what the body does and for what is not as hoped; a list of our own.

They are written as those of ``phrases``.
"""

from typing import Final

IDIOMS: Final = """
fear -3.0 .8
heart racing/pounding/hammering/thumping | heart was racing/pounding/hammering
heart won't stop racing/pounding | my hands are/were/won't/wouldn't shaking/trembling
my hands won't/wouldn't stop shaking/trembling | couldn't stop shaking/trembling
sick to my stomach | blood ran/runs cold | froze with/in fear/terror | jump at every
fear -2.0 .5
knot/pit in my stomach | stomach dropped/drops/sank/turned | heart sank/sinks/dropped
hairs on my | awake all night | tossing and turning
sadness -3.2 .8
burst/bursts/bursting into tears | break/breaks/breaking/broke down crying/sobbing
break/breaks/breaking down in tears
tears running/streaming/rolling/pouring down | couldn't stop crying/sobbing
keep/kept crying/sobbing/weeping | hole in my heart/chest | sobbing/crying in/on the/my
rip/rips/ripped/ripping my heart/chest/soul | tear/tears/tore/tearing my heart/chest/soul
punched/kicked in the gut/stomach/teeth/chest | hit me like a truck/train/ton
can't/couldn't get out of bed | can't/couldn't get off the floor/sofa/couch
hurts to breathe | physically ill/sick | like a knife/stab/punch | stabbing pain in my heart
sadness -2.0 .45
lump in my throat | tears in my eyes | eyes filled/welled with/up | choked up | choking up
heavy heart | heart is/feels heavy
shame -3.0 .8
ground/floor/earth to open/swallow | swallow me | die of shame/embarrassment
want/wanted to crawl/hide under/in | can't/couldn't look anyone/people in the
despair -3.0 .8
don't/can't/didn't see the/a/any point | what's the point anymore/any | what's the point of anything
can't/couldn't do another day/night/week/month/year/hour | can't go through this/that/it again
nothing/no longer brings/gives/makes me joy/happy/pleasure | staring/stare at the wall/ceiling
nothing left to try/give/lose/live | no hope left | lost all hope | given/gave up hope
at the end of my | no strength left | had enough of living | barely holding on/together
holding it together | hanging by a thread
anger -3.0 .8
shaking/trembling/boiling/seething with anger/rage/fury | want/wanted/~ to throttle/strangle
i'm so done | could throttle/strangle/kill | made my blood | steam coming out
joy 3.1 .8
want/wanted/~ to dance/sing/shout/scream from/on/~ the/~ roof/rooftops | shout it from the
walking/floating on air/clouds | still floating | happy dance | heart could/might/is burst/exploding
heart is going to burst | cry/crying/cried for joy/happiness
crying and laughing | laughing and crying | pinching myself
goosebumps all | never loved anything/anyone/someone
dancing round/around the/my | grant/offer/visa/papers/loan came through
excitement 2.0 .45
debt free | got the lead | free at last | cancer/smoke free | clean bill of health | in remission
calm 1.2 .2
weight lifted | slept like a log/baby | breathe again
joy 1.3 .2
really/so/very/actually/quite/incredibly understanding/supportive/considerate/welcoming
like it here/there | worked/works a treat | easy to talk | asked for seconds | had seconds
sang/played/cooked/performed/behaved/danced well
suits me/us | sun is/was out/shining | solid work/job | did a great/good/nice/solid job
swelling/fever/pain/cough has/is gone | swelling/fever/pain/cough went/going down/away
works/reads/looks/feels/sounds much/way/~ better
got the window/best/last seat | at long last
hit the spot | going/went down well | went down a treat | picked up nicely
back on track | sweet of | kind of them/you/him/her to | nice end to | lovely end to
disappointment -1.4 .25
didn't/doesn't/hasn't/isn't/wasn't/not go/going/gone the way i/we/i'd/we'd/he/she/they
not/didn't/doesn't quite/go/went as/like/to planned/hoped/expected/plan
didn't go to plan | not what i'd/we'd hoped/expected/wanted/planned
don't/doesn't/didn't feel like home/myself | don't/didn't feel right
not cool/fair/on/funny | won't/wouldn't go back there/again | probably won't go
won't be going/coming/buying/using back/again
fell/falls/falling flat | could do better | stung a/~ little/bit | it stung | that stung
rejected by | turned me/us down | moved/moving/moves the goalposts | redo the whole/entire/lot
had/have to start over/again/from scratch | started over | all over again | head is/feels foggy
takes/took/taking twice as long | won't/doesn't go away | won't stop hurting
could have been an email | lets/keeps/kept me/us down/waiting | back to square one
hasn't/haven't spoken/talked/called/written to me/us/~ | didn't even say/ask/call/notice
would rather/sooner play/watch/talk/be than talk/be/sit with/to me
driving/drives/drove me up the wall | been on hold | not my finest
longing -1.4 .3
miss/missed my old/mum/mom/dad/sister/brother/friends/family/flat/house/home/gran/nan/dog/cat
miss the old/days/way/sea/quiet/people | miss living/seeing/talking/working/going/hearing/having
"""

PLAIN: Final = """
be happy/glad/pleased/delighted to | time/when/once/until/till/if/after/before i'm done
like this/that/it | just like that/this | looks/look/looked like it/this/that
"""
"""What names a feeling and shows none: an offer, a comparison."""
