"""English words that everybody uses whatever they talk about: none of them is a topic."""

from typing import Final

from backstory.core.wordlists import word_set

COMMON: Final = word_set(
    """
    able about above absolutely accept acceptance accuracy achieve achieved achievement across
    actions active activities activity actual actually added adding additional adult advantage
    adventure adventures advice affect afraid after afternoon again ages agree ahead allow
    almost alone along alright alternative although always amazed amazing american amount angry
    another answer anymore anyone anything anyway apart apparently appear applies apply
    applying appreciate appreciated appreciation approach april area around arrange arrive
    asked asking aspect aspects assist assistance assisting assume attempt attend attended
    attention attitude attributes august automatic autumn available average avoid aware
    awareness away awesome awful back background badly balance base based basic basically
    basics beautiful beauty because become becoming before begin beginning behalf behind being
    believe belong belonging below benefit benefits best better between beyond bigger biggest
    birthday black blast bless blessed blue body boost border born both bother bottle bottom
    bought brave bravery break brief bright bring bringing brings broke brought brown build
    building built bunch busy button calculate call called calling calls calm calming came
    cannot capture captured card care careful caring carry case cases catch caught cause
    celebrate center central certain certainly chair challenge challenges challenging chance
    change changed changer changes changing chapter character charset chat check cheer cheering
    child choice choose class clean clear clearly close closer collect color colors combine
    come comes comfort comfortable coming comment commit commitment common communities
    community company compare complete completed completely concept concern concrete confidence
    confident confused congrats connect connected connection connections consider considering
    constant constantly contact content continue contribute control conversation conversations
    cool correct correctly could count counting country couple courage course crazy create
    created creating creative credit crucial curious current currently customers cute daily
    damn dark date deal dealing dear december decent decide decided decision decisions
    dedicated dedication deep deeply definite definitely delicious depend depends describe
    desire despite details determined develop difference different difficult difficulties
    direct direction directly disappointed discover discuss discussed discussing diverse doing
    done door double doubt down dream dreams drive dropped dude during each earlier early ease
    easier easily easy effect effective effectively effort efforts either else embrace emotion
    emotional emotions empower empowering encounter encourage encouraged encouragement
    encouraging ended energy engage engaging enjoy enjoyed enjoying enough entire entirely
    environment epic equal escape especially essential even evening event events eventually
    ever every everybody everyday everyone everyones everything everywhere evidence exact
    exactly example excellent except excited excitement exciting excuse exist existing expand
    expect expected experience experiences expert explain explained explanation explore
    exploring exposed express expressing extra extremely eyes fabulous face faced facing fact
    fail fair fall false familiar family fancy fantastic fast favorite favourite fear february
    feedback feel feeling feelings feels fell felt field fight figure figured fill final
    finally find finding finds fine finish finished first five floor flow focus focused
    focusing folks follow following fond force forever forget forgot form forms fortunate
    fortunately forward found four free fresh friday friend friends from front fuel fulfilled
    fulfilling full fully funny further future gain gained gaining gang gave general generally
    genuine genuinely gets getting giant gift girl girls give given gives giving glad glimpse
    goal goals goes going gone gonna good gorgeous gosh gotta grab grateful great greatest
    green group grow growing growth guess guidance guide guys habit half hand handle handled
    hands hang happen happened happening happens happier happily happiness happy hard harder
    hardest hardly harmony hate have having head health hear heard hearing heart hearts hell
    hello help helped helpful helping helps here hero hers herself high higher highlight highly
    hobbies hobby hold holding home honest honestly hope hoped hopefully hoping horrible host
    hour hours huge hugs human hundred hurt idea ideal ideas image images imagine immediate
    immediately impact importance important impressive improve improvement improving include
    including inclusive increase incredible incredibly indeed individual influence info
    information initial inside insight insights insist inspiration inspire inspired inspires
    inspiring instance instead intense interest interested interesting interests into introduce
    involve involved involving issue issues item items itself january join joined joining
    journey july jump june just keen keep keeping keeps kept killing kind kinda kindness kinds
    knew know knowing known knows lack laid land large last late lately later latest laugh
    laughs laughter laying lead leader leading leads learn learned learning least leave leaving
    left less lesson lessons letter letting level levels life light like liked likely likes
    limit limited limits line list listen listening literally little live lived lives living
    load loads local location long longer look looked looking looks loose loss lost lots love
    loved lovely loves loving lower luck luckily lucky made magical main mainly major make
    makes making manage manner many march mark marked massive mate matter matters maybe mean
    meaning meaningful means meant meantime meet meeting meets memorable memories memory mental
    mentally mention mentioned mentors mess message middle might million mind mindset mine
    minute minutes miss missed missing mistake mistakes mode model modern moment moments monday
    month monthly months mood more morning most mostly motivate motivated motivation move moved
    moves moving much must myself name natural naturally nature near nearly necessary need
    needed needs negative neighborhood nervous never news next nice night nobody none nope
    normal normally note notes nothing notice noticed november number obvious obviously
    occasion october offer offered official often okay older once ones online only open opened
    opening opinion opportunities opportunity opposite option options orange order
    organizations organize organized organizing original other others otherwise ourselves
    outcome outlet outside over overall overcome overcoming overwhelmed pace page pages paid
    pain pair part participate particular particularly partner pass passed passion passionate
    passions past path patience patient peace peaceful people perfect perform performance
    perhaps period permission person personal personally perspective phase photo photos
    physical pick picked picture pictures piece pieces pink place places plain plan planned
    planning plans play player players playing pleasant please pleased pleasure plenty plus
    point points popular posing position positive positivity possibilities possible possibly
    potential power powerful practical practice prefer prepare prepared presence present
    pressure pretty previous price priceless prioritize priority private privilege probably
    problem problems process productive professional progress project projects promise proof
    proper properly protect proud prouder proudly prove provide provided providing public pull
    pumped purple purpose push pushing quality question questions quick quickly quiet quite
    raise range rare rarely rate rather reach reached reaction read ready real realise reality
    realize realized realizing really reason reasons recent recently recommend recommendation
    recommendations recommended reduce refer reflect refreshing regular relate related
    relationship relationships relax relaxed relaxing relief remain remarkable remember remind
    reminded reminder reminds reply require required research resilience respect response rest
    result results return reward rewarding rewards right risk road rock role room root rough
    round rounds routine rule sadly safe said sake same sample satisfied satisfying saturday
    save saying says scared scary scene schedule score search second seconds secret section
    seeing seem seemed seems seen selected self selfless send sense sent september serious
    seriously serve service session sessions setting settle seven several shape shaping share
    shared sharing shift shirt shock short shot should shout show showed showing shown shows
    side sign significant silly similar simple simply since sincere single sitting situation
    size skill skills sleep slow slowly small smaller smart smile smiles smiling social sold
    solid solution solve some somebody somehow someone something sometime sometimes somewhere
    soon sorry sort soul sound sounds source space speak special specific spend spending spent
    spirit spot spread spreading spring stage stand standard standing start started starting
    starts state status stay stayed staying steady step steps stick still stoked stop stopped
    stories story straight strange strategies strategy street strength stress stressed
    stressful stressing strive strong stronger strongly struggle struggles stuck students
    studying stuff stunning style subject success successful successfully such sudden suddenly
    suggest suggestion suit suits summer sunday sunset super support supported supporting
    supportive supports suppose sure surely surprise surprised surround surrounded survive
    sweet switch system table take taken takes taking talk talked talking talks task tasks
    taught teach teaching team tell telling tells term terms terrible terrific test than thank
    thankful thankfully thanks that their them themselves then there these they thing things
    think thinking thinks third this those though thought thoughts thousand three through
    throughout throw thursday ties time times tips tired title today together told tomorrow
    tonight tons took tool tools topic total totally touch tough toughest toward towards track
    tradition transform transformation treat tremendous trend trick tried tries trigger trip
    trouble true truly trust truth trying tuesday turn turned turns type uncertain
    uncomfortable under understand understanding understood unexpected unfortunately unique
    unless until upcoming update uplifting upon upset urge used useful uses using usual usually
    valuable value valued values various version very vibe vibes video view views vision visit
    visited visiting vital voice wait waiting wake walk walked walking wall wanna want wanted
    wanting wants warm waste watch watched watching ways wearing wednesday week weekend weekly
    weeks weird welcome well went were what whatever whenever where whether which while white
    whoever whole whom whose wild will willing window winter wise wish wished wishing with
    within without woman women wonder wondered wonderful wondering word words work worked
    working works world worried worries worry worse worst worth worthwhile would wrap write
    wrong yeah year years yellow yesterday young younger your yours yourself
    """
)
