"""English phrases that say what their words alone do not; a list of our own.

One phrase a line. ``a/b`` are alternatives, ``~`` stands for no word. Words are in lower case, with
the apostrophe: "cant" and "cannot" are read as "can't", "im" as "i'm".
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

from backstory.language.emotion import bodies
from backstory.language.emotion.model import Entry, Kind

_IDIOMS: Final = """
joy 3.2 .8
best thing that ever happened to me/us
overwhelmed with/by love/joy/happiness/gratitude/kindness
filled with joy/love/happiness/gratitude | never want this to end
never forget this/it | could cry for/with joy | heart melts/melted | my heart skipped
best present/gift/birthday/summer/trip/holiday ever | best thing in my life | living the dream
dancing around/in | pure bliss/joy/magic | high as a kite
can't put into words how happy/grateful | so in love | luckiest person/man/woman/girl/guy
couldn't be more happy/proud/grateful/excited/thankful | on fire today | i feel invincible
never been more happy/proud/excited
over the moon | on cloud nine | on top of the world | in seventh heaven | walking on air
tickled pink
happy tears | tears of joy/happiness | cry/crying/cried with/of/from joy/happiness
jumping up and down
jumping/bursting/shaking/screaming/trembling with/for joy/happiness/excitement
overflowing with joy/happiness/love
can't stop smiling/grinning/dancing/laughing | best thing that ever happened
best thing that has ever happened to me/us | made my whole/entire year/month/week/day/life
grinning like an idiot
dream come true | dreams come true | dreams came true | dream came true
happiest person/man/woman/girl/guy alive
i'm beaming | beaming with | heart is full | heart is so full | heart is bursting
my heart sings | so alive
joy 2.0 .45
made my day/week/month/year/evening | makes my day | make my day | in high spirits
in a good/great mood | in good spirits
couldn't ask for/more | could not ask for | best thing ever
good old days | smiling/grinning all day
all smiles | having a blast | had a blast | had a ball | still buzzing
joy 1.3 .2
cheers/cheered me/us up | got lucky | lucky with | in luck | puts me in a good mood
took my mind off | went fine | glad that's | all's well
not as bad/hard/expensive/scary/difficult as i/we feared/thought/expected
not as bad/hard/expensive/scary/difficult as | not as bad | less scary/hard/difficult than
that's/sounds/looks great/good/lovely/perfect/nice/fun/wonderful | went smoothly
went really/very/so/pretty/quite well | slept great/deeply
going great/strong/smoothly | feels good/great/right/nice/better | makes me smile
made me smile | a good chat/talk/time/day/evening/laugh
good chat/talk/time/day/evening/weekend/week/night/laugh/morning/afternoon
great time/day/evening/weekend/week | can recommend | highly recommend | well done
finally done/finished/fixed/works/working | i passed/managed | all set | love it/that/this
love living/being/working | in good shape/hands | good for you/me/him/her | that's the spirit
as good as new
getting better | much better | got better | on the mend | so far so good | works now
working again | problem solved | could get used to | comes along nicely
i enjoy/enjoyed | really enjoy/enjoyed | enjoying | had/having/have fun | treat myself
treated myself | a lot of fun
can't complain | no complaints | nothing to complain about | no worries | not bad | all good
it's all good | not too bad/shabby
feel/feeling/felt good/better/great/well/fine | glad to hear | good news | great news
went well | goes well | going well
went better | goes better | went great | better than expected | good to see/hear/know/be
nice to see/hear/meet/be | turned out fine/well/great/good/ok/okay/lovely
worked out fine/well | worked/works perfectly/nicely/well | works like a charm | fine now
things are looking up | doing well/great/good | worth it | worth the wait/effort/money
i/we/he/she/they/you/really/quite/do/actually/also like it/this/that
liked/likes it/this/that | i like/liked | i really/quite like/liked
really/quite like/liked | we like/liked | happy with | finally over
in one piece | rides well | slept well/like
hope 1.3 .3
looking forward | look forward | looks promising | fingers crossed | keeping my fingers crossed
excitement 2.4 .65
can't wait | cannot wait | counting the days | blew/blown me/~ away | best news ever/~
finally got | pinch me
excitement 2.0 .45
got into | we/i did it | proposed | i said yes | nailed it | aced it | made it
it's a boy/girl | expecting a baby | got the keys | offered me the | we're moving in
got my degree | i graduated | we're back together | finally happening
going to be a dad/mum/mom/father/mother/grandma/grandpa
new personal best
got the job/promotion/place/flat/apartment/part/role/grant/scholarship
got promoted/engaged/accepted/in | he/she/they said yes | we/i won | i/we passed
passed my/the/his/her exam/test/exams/driving/finals
having a baby | cancer free | scan is clear | scan was clear | all clear
we're/i'm engaged/pregnant | accepted my/me | home safe | we're getting married
i'm getting married
gratitude 3.0 .8
don't have words | can't thank you enough | can't thank him/her/them enough | saved my life
words can't express/describe how grateful/thankful/happy
thank you from the bottom | anyone has ever done for me | means the world/everything to me/~
forever grateful
gratitude 1.3 .25
thank you | thanks a lot | thanks so much | many thanks | that helps | that helped
kind of you | nice of you | sweet of you | thoughtful of you | good of you
relief 2.2 .4
a relief | a weight off | glad that's over
nothing to worry/fear about/~ | no longer worried/scared/afraid/anxious
weight off my shoulders/mind/chest | thank god/goodness/heavens | crying with relief
what a relief | such a relief | huge relief | so relieved
not worried/scared/afraid/anxious any/anymore more/~ | is/are/was/were fine again | good again
out of the woods
love 3.2 .8
madly/deeply/hopelessly in love | head over heels | love of my life | everything to me
love you so much | love him/her/them/it so much | love love love | love my life
love 2.2 .5
in love | falling for | crush on | love you/him/her/them
pride 3.0 .75
couldn't be prouder/happier | could not be prouder/happier
joy 3.3 .85
never felt so alive/free/loved/good/strong/welcome/calm/proud/lucky/light
never been so lucky/proud/relieved
never been happier/better/prouder | never felt better/happier/so
never been so/this happy/proud/excited/grateful/relieved | never laughed so
haven't laughed so
calm 1.2 .2
at ease | at peace | peace and quiet | feel/feeling/felt at home | good place to be
slept through | back home
amusement 1.8 .4
cracks/cracked me up | laughed/laughing out loud | made/makes me laugh | laughing so hard
sadness -3.2 .85
falling/fell/fallen apart/~ apart | can't stop crying | cry/cried/crying myself to sleep
broke/break/breaks/breaking my heart | broke down in tears | in pieces | heart is broken
heart hurts/aches | in bits
burst into tears | crying my eyes out | cried my eyes out
cried/crying all night/day/morning/weekend | everything hurts | ugly crying
in floods of tears | lost everything
never felt so/this/more alone/lonely/sad/low/bad/empty
never been so/this sad/humiliated/scared/angry/embarrassed/ashamed/disappointed
crying all the time | want to cry | wanna cry | could cry | world is collapsing/ending
sadness -2.0 .45
broke/breaks/break up with me | dumped me | left me | cheated on me | walked out on me
want to cry about | brought me to tears | in tears | on the verge of tears | close to tears
despair -3.2 .85
never felt so small/useless/stupid/dirty/low/lost/tired
never felt so helpless/ashamed/angry/hurt/hopeless/worthless/scared/humiliated
never felt this low/bad/angry/scared/hurt/helpless
can't look at myself | can't look my mother/father/parents/wife/husband | can't forgive myself
boiling with
don't know what to do anymore/any | can't go on | can't do this anymore/any
can't take it/this/any anymore/any/more/longer | can't cope/breathe | at my wits end
at my wit's end | end of my rope/tether
give up on everything | want to disappear/die/vanish | wish i was dead | wish i were dead
wish i'd never been born | no reason to live | no point in anything/living
nothing matters/~ anymore/any | nothing matters | ruined everything | ruined my life
don't want to live | kill myself | hurt myself | end it all | rock bottom
don't know how to go on | how to go on | drowning in | i'm drowning | can't handle this/it/any
i'm a/such failure | such a failure | complete/total failure | hate my life/~ myself
hate my life | hate myself | done with everyone/everything/life
worst day/night/week/month/year/moment of my life | life is over | feel like dying
breaking point | i'm broken | at rock | can't sleep or eat | losing my mind | lost my mind
going insane/crazy | no way out | never get out of
fear -3.1 .85
scared/frightened to death | scared out of my | panic attack | having a panic
sick with worry | worried sick | heart is pounding/racing | shaking with fear | freaking out
freaked out | losing it | i'm shaking
can't stop shaking | worried to death | out of my mind with | scares the hell/shit out
anger -3.2 .85
want to scream | could scream | makes/made me sick | blood is boiling | blood boils
makes my blood boil | seeing red | how dare | sick and tired | fed up to
hate this/it so much | hate him/her/them/you so much | lost my temper
drives/driving/drove me crazy/mad/insane/nuts | lied to my face
beyond angry/furious/upset | going to explode | gonna explode | going to lose it
gonna lose it | throw my laptop/phone/computer | had enough of | i've had enough | go to hell
piece of shit | through the roof | want to punch
anger -2.0 .45
lied to me | yelled at me | shouted at me | stabbed me in the back | fed up
treats/treated me like | took advantage of me | screwed me over | fired me | laid me off
got fired | lost my job | let me down
anger -2.0 .5
always happen/happens to me | why me | why is it always
disgust -2.2 .5
can't even look at | can't look at | turns my stomach | makes my skin crawl
makes me want to puke/vomit
anger -2.2 .55
fuck this/that/you/off/them/him/her | how could you/he/she/they/anyone
treated like dirt/shit/garbage/trash/rubbish | like dirt | screw this/you/them | so sick of
so tired of | so done with | had enough | can't forgive | never forgive
annoyance -1.4 .25
running low on patience | run/ran/running out of patience | patience is | tests my patience
bit/~ of a pain | a pain | grinds my gears | had it up | can't stand | can't be bothered
couldn't care less | nothing better to do | makes no sense
takes/took/taking forever | keeps breaking/crashing/failing/interrupting/ignoring
never again | never works | too slow/loud/expensive/hot/cold/late/crowded/small | overpriced
such a pain/hassle/mess/drag/bother | acting up | playing up | rude to me
argued/arguing/fought/fighting/quarrelled with/about/again/over | we argued/fought/quarrelled
had a fight/row/argument/fall-out | big fight | bad mood | in a mood | ignored me | ignores me
talked over me | complained about
tired of | sick of | gets on my nerves | getting on my nerves | on my nerves
pain in the neck/ass | waste of time/money/space | enough of | not again | for crying out loud
give me a break | could do without | what a hassle
a hassle | broken again | late again | over it | had it with | not amused
rubs me the wrong way | don't get me started
disappointment -1.4 .25
could/should/would have gone/been/done/tasted/ended better/nicer/faster
could've/should've gone/done better | don't/doesn't/didn't get along | don't really get along
not get along | not a big/huge/great fan | not my cup of tea | not what it used to be
can't warm to
didn't go well/great/smoothly/right/anywhere | not going well/great/anywhere | doesn't go well
hasn't been going | isn't going well | isn't working | not working out | didn't work out
doesn't help/fit/feel/taste | didn't help/sleep | fell/falls/falling through
it's a pity/shame | a pity | a shame | no luck
no tickets/seats/rooms left | none left | sold out | turned me down | rejected me
was turned down | got rejected | would have preferred/liked/loved | would rather have
hoping for better/more | expected more/better | not what i hoped/expected/wanted
didn't live up | fell short | a letdown | a let down | nobody came/showed | forgot my birthday
not a great/good start/day/idea/time/fit | not worth it/the | wasn't worth | waste | in vain
for nothing | no good/use/fun | not my day/thing | couldn't care | not as good
could not make | missed my | not thrilled/happy/impressed/convinced/amused/excited
stood me up | bailed on me
don't/didn't/doesn't like/enjoy | don't really like/enjoy | didn't really like/enjoy
never liked/enjoyed | not like | not a fan | not keen
could/should be better | could've been better
had/have better days | seen/had better | wasted on | oh well | what a shame/pity | too bad
such a shame/pity | nothing special | bad news | poor taste | arrived damaged/broken/late
leaves/left a lot/much to be desired | not up to | not ideal | not good enough
didn't get the job | didn't get in/the | was hoping for | were hoping for
hoped for more/better | not my favourite/favorite/best | not the best/greatest
less than ideal | let down | didn't work | doesn't work | didn't pass
failed my/the exam/test | missed out | nothing works | goes/went wrong | going wrong
regret -1.4 .25
wish i had/hadn't/could/was/were/didn't/never | wish i'd/we'd | i'd wish
should have listened | should never have | shouldn't have | feel/feeling/felt bad for/about
if only i
worry -1.3 .25
worries me | bothers me | concerns me | i'm/am worried | not sure about
not sure if this/we/i | having/have doubts | second thoughts | stressing me/out
can't focus/concentrate/relax/switch | weighs on me | a lot on my plate | running late
what if i/it/they/we | gives/giving me anxiety
makes me nervous/anxious
on edge | keeps/kept me up/awake | not sure i can | stressed out
butterflies in my | losing sleep | feel/feeling sick | bad feeling | on my mind
sadness -1.4 .25
not in the mood | left out | laughed at me | head/stomach/back/tooth/throat hurts
cried a little/bit | teared up | feel/feels/felt wrong
makes/made me sad | feels empty/strange without | feel/feeling kind of lost | feeling lost
had/having a hard/rough/tough/bad | a hard/rough/tough time | going through a | a lot of pain
hard to bear/accept | hard for me | struggling with/to | i'm/am struggling | i struggle
little/bit hard | find hard/difficult | hard to work/deal/live/get | not easy | isn't easy
wasn't easy | it's/it hard | hardly slept/eat/ate/sleep
feel/feeling/felt bad/down/low/off/blue/awful/terrible/lousy/rubbish/unwell/empty/ill/rough
under the weather | down in the dumps | in a bad/foul mood
rough/tough/hard/bad day/week/time/night/month/year | not myself | not doing well/great/good
not feeling great/well/good | don't feel well/good/great/right | slept badly | not okay
not ok | not alright | poor thing | hurts a bit | feeling meh | feeling bit/~ down
longing -1.4 .3
miss/missing/missed you/him/her/them/our/those/home/having/being | i/we miss
exhaustion -1.4 .3
can barely/hardly keep | barely slept | hardly slept | didn't sleep | can't get out of bed
no time for | completely/totally drained | too much lately/work | out of steam
need a holiday/vacation/rest | leaves/left me drained
worn out | burned/burnt out | dead tired | running on empty | no energy | can't keep my eyes
need a break
hurt -2.6 .7
physically hurts | hurts so much | hurts so bad/badly | killing me | stabbed in the back
kills me | tears me apart | rips/ripped my heart
shame -1.6 .4
made a fool | want to sink | feel/felt stupid/dumb/guilty
fear -2.0 .5
dread going | dreading the/this/monday
surprise .6 .3
can't believe | lost for words | i'm speechless | speechless | holy shit/cow/moly | no way
oh my god/goodness | omg
loneliness -2.1 .5
so alone | all alone | feel/feeling/felt alone/lonely/invisible | no one/nobody to talk
nobody cares/calls | no one cares/calls | nobody understands
despair -3.0 .8
eating me alive/up | destroyed me | destroys me | destroying me | wake up and wish
wish i hadn't woken | can't eat or sleep | can't sleep or eat
stomach is in knots | stomach in knots
about to snap | i'm done | am done | i'm so done | want/going/gonna to punch | punch a wall
fell/fall/falls to pieces | in agony | in hell | living hell | can't bear
can't face | nobody gives a damn/shit | broken inside | hate everything/everyone | on my knees
can't stand it/this | every second of every day | world fell/collapsed | torn apart
feel dead | dead inside | crushed me | broke/breaks me | shattered me | scarred for
scream into | haunts me
grief -2.6 .8
passed away last/this/yesterday/today | lost our/her/him | buried my/our | put down our/my
had to put him/her/them down/to | had to put our/my dog/cat/old/girl/boy
grief -2.6 .8
lost the baby | she's/he's gone
lost my mom/mum/dad/mother/father/brother/sister/son/daughter/wife/husband/dog/cat/best
hit by a car
"""

_PLAIN: Final = """
not only | not just | not gonna lie | not going to lie | ngl | not to mention | no doubt
no wonder | no kidding
happy hour | happy birthday to | mad about | mad at max
good luck | best friend/friends | best regards/wishes | all the best
at best | at worst | do/did/doing my/your/his/her/our/their best | as good as
a good deal/many/while | no good deed | nice and | well and good | mother's love | in need of
down the/to/on/at/by/in/from/there/here/under | up and down | sit down | calm down
write/wrote down | broke/break/breaks/broken down | come down | slow down | shut down
go/goes/went down | cut down | turned/turn down | put down | low on | lower than
low fat/tide/season/voltage
miss the/a bus/train/call/point/flight/turn | missing a/an/the/from/in | missing persons
lost and found | hard drive/disk/copy | i'm afraid | sorry to bother/disturb
sorry for the delay | sorry for being
cold war | world war | civil war | star wars | prisoner of war | dead end | dead line
cancer research/researcher | red cross | cross the/over/a/section | cross country
sore throat lozenges
blue cross | blue and | dark blue | light blue | navy blue | the blue | in blue
love song/songs/story/letter/letters
horror film/films/movie/movies/story/stories/novel/novels | anger management
pride and prejudice | pride month/parade/march
better half | get well soon | better safe than | i better | you better
i'd better | you'd better | better not | better late | good friday | good will
fine dining/print/art/arts | library fine | parking fine | pay a/the fine
kind of/regards/ly a | pretty much | content creator/management/warning
table of content | the content | fun fact | guilty plea
lost property | lost luggage office | painful extraction form
great grandmother/grandfather/uncle/aunt/britain | great dane | no idea | never mind
nevermind
one of a kind | two kinds | what kind | any kind | some kind | this kind | that kind
nice to have | kind enough | wrong number | the wrong/problem/problems with
problem set/statement/number | error message | trouble shooting | bad gateway | bad request
bad debt | poor quality image | quiet zone | quiet hours | quiet car/carriage | concerned with
as far as i'm concerned | interested in | interested parties | comfortable shoes/clothes
relaxed fit | sweet potato/potatoes/corn/tooth/pepper/peppers/shop | sweet and sour | tense of
past/present/future tense | brilliant white | perfect tense | present perfect | past perfect
sore loser | calm sea/seas/water/waters | cross-legged | hit it off | sad songs
"""

_BOOSTS: Final = """
.3 so so | so very | so incredibly | so much | so badly | so bad | more than anything
.3 more than words | to death | beyond words | to the core | for the first time in years
.3 doesn't even cover it | don't even begin | to the moon
.3 i could die/burst/explode/scream/sing/dance/kiss | it hurts | i want to scream/cry/die
.3 i could die/burst/explode/scream/sing
.3 like never before | more than ever | this much | as much as | every single | i swear
.3 i really do | i really am | so hard | so i could | dead serious | can't sleep
.25 such a | such an | what a | how very | a lot | very much | no words
"""
_HEDGES: Final = (
    "a bit | a little | a little bit | a tad | kind of | sort of | kinda | sorta | a touch | "
    "i guess | i suppose | more or less "
    "| in a way | to be honest | tbh | not very | not too | not that | not really | not so | "
    "not all that | not exactly | not particularly | not overly | a wee bit"
)
_EVER: Final = (
    "ever | of my life | in my life | in my whole/entire life | of my whole/entire life | "
    "in years | in ages | in the world | in the whole/entire/wide world | of all time "
    "| alive | in all my life/years | hands down | i have/had ever had/~ | "
    "i've ever had/been/seen/felt/~ | anyone has done/~ | anyone could | in history | "
    "on earth | on the planet"
)
_DENIALS: Final = (
    "no longer | not at all | far from | anything but | by no means | not one bit | lack of | "
    "in no way"
)


def _read(text: str) -> Iterator[tuple[str, ...]]:
    for line in text.replace("\n", " | ").split("|"):
        parts = [part.split("/") for part in line.split()]
        for words in product(*parts):
            phrase = tuple(word for word in words if word != "~")
            if phrase:
                yield phrase


def _headed(text: str) -> Iterator[tuple[list[str], str]]:
    """Blocks of lines, each under a line that says what the phrases below it mean."""
    head: list[str] = []
    for line in text.strip().splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[2].startswith("."):
            head = parts
        else:
            yield head, line


def phrases() -> dict[tuple[str, ...], Entry]:
    """All phrases, by their words. Where two lines write the same one, the stronger counts."""
    found = {words: Entry(Kind.WORD) for words in _read(f"{_PLAIN}{bodies.PLAIN}")}
    for (tag, value, strength), line in _headed(f"{_IDIOMS}{bodies.IDIOMS}"):
        entry = Entry(Kind.IDIOM, float(value), float(strength), tag)
        for words in _read(line):
            known = found.get(words)
            if known is None or known.strength < entry.strength:
                found[words] = entry
    for line in _BOOSTS.strip().splitlines():
        strength, rest = line.split(" ", 1)
        found |= {words: Entry(Kind.BOOST, 0.0, float(strength)) for words in _read(rest)}
    found |= {words: Entry(Kind.HEDGE) for words in _read(_HEDGES)}
    found |= {words: Entry(Kind.EVER) for words in _read(_EVER)}
    found |= {words: Entry(Kind.DENIAL) for words in _read(_DENIALS)}
    return found
