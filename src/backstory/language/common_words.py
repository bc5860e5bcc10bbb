"""English words that everybody uses whatever they talk about: none of them is a topic."""

from typing import Final

from backstory.core.wordlists import word_set

COMMON: Final = word_set(
    """
    able about above absolutely accept acceptance achieve achieved achievement across actions
    active activities activity actual actually adding adult advantage adventure adventures
    advice affect afraid afternoon again ages agree ahead allow almost alone along alright
    although always amazed amazing american amount angry another answer anymore anyone anything
    anyway apart apparently appear apply appreciate appreciated approach area around arrange
    arrive asked asking aspect aspects assume attend attended attention attitude available
    average avoid aware awareness away awesome awful back badly balance base based basic
    basically beautiful beauty because become becoming before begin beginning behalf behind
    being believe belong below benefit benefits best better between beyond bigger biggest bless
    blessed boost born both bother bottom brave bravery break brief bright bring bringing
    brings broke brought build building built bunch busy call called calling calm came cannot
    capture captured care careful caring carry case catch caught cause celebrate center central
    certain certainly challenge challenges challenging chance change changed changer changes
    changing character chat check cheer cheering child choice choose clean clear clearly close
    closer collect combine come comes comfort comfortable coming comment commit commitment
    common community company compare complete completely concern confidence confident confused
    congrats connect connected connection consider considering constant constantly contact
    content continue contribute control conversation conversations cool correct could count
    counting country couple courage course crazy create created creating creative credit
    crucial curious current currently daily damn dark date deal dealing dear decent decide
    decided decision decisions dedicated dedication deep deeply definite definitely depend
    depends describe desire despite details determined develop difference different difficult
    difficulties direct direction directly disappointed discover discuss discussed discussing
    diverse doing done double doubt down dream dreams drive dropped dude during each earlier
    early ease easier easily easy effect effective effort efforts either else embrace emotion
    emotional emotions empower empowering encounter encourage encouraged encouragement
    encouraging ended energy engage engaging enjoy enjoyed enjoying enough entire entirely
    environment epic especially essential even evening event events eventually ever every
    everybody everyday everyone everyones everything everywhere evidence exact exactly example
    excellent except excited excitement exciting excuse exist existing expand expect expected
    experience experiences expert explain explained explore exploring exposed express
    expressing extra extremely eyes fabulous face faced facing fact fail fair fall false
    familiar family fancy fantastic fast favorite favourite fear feedback feel feeling feelings
    feels fell felt field fight figure figured fill final finally find finding finds fine
    finish finished first five flow focus focused folks follow following fond force forever
    forget forgot form forms fortunate forward found four free fresh friend friends from front
    fuel fulfilled fulfilling full fully funny further future gain gained gaining gang gave
    general generally genuine genuinely gets getting giant gift girl girls give given gives
    giving glad glimpse goal goals goes going gone gonna good gorgeous gosh gotta grab grateful
    great greatest group grow growing growth guess guidance guide guys habit half hand handle
    handled hands hang happen happened happening happens happier happiness happy hard harder
    hardest hardly harmony hate have having head hear heard hearing heart hell hello help
    helped helpful helping helps here hero hers herself high higher highlight highly hobby hold
    honest honestly hope hoped hopefully hoping horrible host hours huge human hundred hurt
    idea ideal ideas imagine immediate immediately impact important impressive improve
    improvement improving include including inclusive incredible incredibly indeed individual
    influence info information initial inside insight insights insist inspiration inspire
    inspired inspires inspiring instance instead intense interest interested interesting
    interests into introduce involve involved issue issues item items itself join joined
    joining journey jump just keen keep keeping keeps kept killing kind kinda kinds knew know
    knowing known knows lack laid land large last late lately later latest laugh laughs lead
    leader leading leads learn learned learning least leave leaving left less lesson lessons
    letter letting level life light like liked likely likes limit limited limits line list
    listen listening literally little live lived lives living load local location long longer
    look looked looking looks loose loss lost lots love loved lovely loves loving lower luck
    lucky made magical main mainly major make makes making manage manner many mark marked
    massive mate matter matters maybe mean meaning meaningful means meant meantime meet meeting
    meets memorable memories memory mental mentally mention mentioned mess message middle might
    million mind mindset mine minute minutes miss missed missing mistake mistakes mode model
    modern moment moments month months mood more morning most mostly motivate motivated
    motivation move moved moving much must myself name natural naturally nature near nearly
    necessary need needed needs negative nervous never news nice night nobody none nope normal
    normally note notes nothing notice noticed number obvious obviously occasion offer offered
    official often okay older once ones online only open opened opening opinion opportunities
    opportunity opposite option options order original other others otherwise ourselves outcome
    outlet outside over overall overcome overcoming overwhelmed pace page paid pain pair part
    participate particular particularly partner pass passed passion passionate past path
    patience patient peace peaceful people perfect perform performance perhaps period
    permission person personal personally perspective phase physical pick picked picture piece
    pieces place places plain plan planned planning plans play playing pleasant please pleased
    pleasure plenty plus point points popular position positive possibilities possible possibly
    potential power powerful practical practice prefer prepare prepared presence present
    pressure pretty previous price priceless priority private privilege probably problem
    problems process productive professional progress project projects promise proof proper
    properly protect proud prouder prove provide provided providing public pull pumped purpose
    push pushing quality question questions quick quickly quiet quite raise range rare rarely
    rate rather reach reached reaction read ready real realise reality realize realized
    realizing really reason reasons recent recently recommend recommendation recommendations
    reduce refer reflect refreshing regular relate related relationship relationships relax
    relaxed relaxing relief remain remarkable remember remind reminded reminder reminds reply
    require required research resilience respect response rest result results return reward
    rewarding rewards right risk road rock role room root rough round routine rule safe said
    sake same sample satisfied satisfying save saying says scared scary scene schedule score
    search second secret section seeing seem seemed seems seen selected self selfless send
    sense sent serious seriously serve service session sessions setting settle seven several
    shape shaping share shared sharing shift shock short shot should shout show showed showing
    shown shows side sign significant silly similar simple simply since sincere single sitting
    situation size skill skills slow slowly small smaller smart smile social solid solution
    solve some somebody somehow someone something sometime sometimes somewhere soon sorry sort
    soul sound sounds source space speak special specific spend spending spent spirit spot
    spread stage stand standard standing start started starting starts state status stay stayed
    staying steady step steps stick still stoked stop stopped stories story straight strange
    strategies strategy strength stress stressed stressful stressing strive strong stronger
    strongly struggle struggles stuck studying stuff stunning style subject success successful
    successfully such sudden suddenly suggest suggestion suit suits super support supported
    supporting supportive supports suppose sure surely surprise surprised surround surrounded
    survive sweet switch system take taken takes taking talk talked talking talks task tasks
    taught teach teaching team tell telling tells term terms terrible terrific test than thank
    thankful thanks that their them themselves then there these they thing things think
    thinking thinks third this those though thought thoughts thousand three through throughout
    throw ties time times tips tired title today together told tomorrow tonight took tool tools
    topic total totally touch tough toughest toward towards track tradition transform
    transformation treat tremendous trend trick tried tries trigger trip trouble true truly
    trust truth trying turn turned turns type uncertain uncomfortable under understand
    understanding understood unexpected unfortunately unique unless until upcoming update
    uplifting upon upset urge used useful uses using usual usually valuable value valued values
    various very vibe vibes video view views vision visit visited visiting vital voice wait
    waiting wake walk walked wanna want wanted wanting wants warm waste watch watched watching
    ways weekend weeks weird welcome well went were what whatever whenever where whether which
    while whole whom whose wild will wise wish wished wishing with within without woman women
    wonder wonderful wondering word words work worked working works world worried worries worry
    worse worst worth worthwhile would wrap write wrong yeah year years yesterday young younger
    your yours yourself
    """
)
