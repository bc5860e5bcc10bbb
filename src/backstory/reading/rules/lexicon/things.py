"""Work, health, food, vehicles, devices, pastimes."""

from typing import Final

from backstory.reading.rules.lexicon import word_set

JOBS: Final = word_set(
    """
    nurse dev coder gp medic undergrad undergraduate postgrad vet chef pilot clerk midwife barista
    ranger lawyer doctor surgeon dentist plumber
    electrician mechanic farmer teacher lecturer professor researcher scientist engineer
    developer programmer designer architect accountant actuary analyst auditor consultant
    paralegal solicitor barrister judge notary journalist reporter editor writer author
    translator interpreter librarian archivist curator photographer painter sculptor potter
    musician singer composer conductor actor actress dancer comedian dj waiter waitress
    bartender barman barmaid cook baker butcher fishmonger grocer cashier shopkeeper salesman
    saleswoman salesperson realtor estate-agent receptionist secretary assistant administrator
    admin coordinator planner manager director ceo cto cfo founder owner-manager headteacher
    headmaster headmistress principal tutor coach trainer physio physiotherapist therapist
    psychologist psychiatrist counsellor counselor pharmacist paramedic carer caregiver nanny
    childminder au-pair cleaner caretaker janitor gardener florist landscaper beekeeper forester
    lumberjack fisherman sailor captain soldier officer policeman policewoman detective
    firefighter fireman guard bouncer driver trucker courier postman postwoman mailman
    dispatcher steward stewardess carpenter joiner cabinetmaker bricklayer mason roofer welder
    fitter machinist blacksmith locksmith glazier tiler plasterer decorator builder labourer
    laborer surveyor inspector technician optician optometrist radiographer radiologist
    sonographer anaesthetist anesthetist cardiologist paediatrician pediatrician dermatologist
    biologist chemist physicist geologist archaeologist historian economist statistician
    mathematician astronomer linguist philologist anthropologist sociologist meteorologist
    hairdresser barber beautician tailor seamstress dressmaker weaver jeweller jeweler goldsmith
    watchmaker bookbinder printer typesetter illustrator animator cartoonist tattooist blogger
    streamer youtuber copywriter marketer recruiter banker broker trader adviser advisor agent
    bookkeeper cataloguer conservator restorer tuner luthier stenographer sysadmin tester
    stagehand projectionist choreographer producer apprentice intern trainee student freelancer
    contractor entrepreneur homemaker housewife househusband pensioner retiree handyman
    undertaker glassblower mortician embalmer diver miner brewer distiller sommelier winemaker
    cheesemaker confectioner pastry-chef zookeeper falconer groom jockey referee umpire
    lifeguard instructor
    guide porter concierge housekeeper valet chauffeur politician councillor mayor diplomat
    priest pastor vicar imam rabbi monk nun missionary chaplain scholar postdoc specialist
    operator worker attendant representative rep lead strategist executive controller supervisor
    foreman crewman seafarer logistician bioinformatician webmaster gamedev roadie busker
    magician clown model stuntman audiologist podiatrist osteopath chiropractor acupuncturist
    masseur masseuse herbalist orthodontist hygienist doula nutritionist dietitian dietician
    toxicologist virologist epidemiologist pathologist bellfounder cooper thatcher shepherd
    artist host hostess stylist ecologist botanist zoologist neurologist oncologist gynaecologist
    violinist pianist guitarist drummer cellist organist vocalist rapper poet novelist playwright
    screenwriter filmmaker cameraman scaffolder arborist groundskeeper astronaut butler maid
    croupier skipper deckhand servant lobbyist chocolatier greengrocer milkman collector warden
    gamekeeper underwriter bailiff auctioneer instructor caterer gamekeeper
    rancher cowboy dairyman walker sitter seller dealer maker keeper repairer fixer assembler
    packer picker stocker loader mum dad mom father mother
    """
)
"""Heads of phrases that name an occupation."""

HOME_JOBS: Final = ("stay at home", "stay-at-home", "full-time", "full time")

STUDENTS: Final = word_set("student undergrad undergraduate postgrad postgraduate")
FIELDS: Final = word_set(
    """
    marketing finance it hr retail sales tech technology healthcare education insurance banking
    construction hospitality logistics engineering law publishing advertising research
    agriculture farming pharma biotech media journalism accounting consulting cybersecurity
    software telecoms procurement aviation tourism catering shipping manufacturing fintech
    recruitment admin security social-work nursing ai gaming robotics fashion film television
    childcare forestry
    """
)

DIETS: Final = word_set(
    """
    vegan vegetarian pescatarian veggie halal kosher keto paleo flexitarian gluten-free
    dairy-free plant-based mediterranean low-carb omnivore carnivore fruitarian
    """
)

SUBJECTS: Final = word_set(
    """
    medicine law physic physics chemistry biology math maths mathematics history philosophy
    psychology economics engineering architecture literature linguistics geography sociology
    politics nursing theology dentistry pharmacy science sciences accounting finance journalism
    education anthropology archaeology statistics informatics
    """
)
"""The last words of subjects that are studied, also without the "s" that is no plural."""

CONDITIONS: Final = word_set(
    """
    diabetes asthma adhd add autism epilepsy migraine migraines arthritis hypertension
    depression anxiety insomnia eczema psoriasis celiac coeliac endometriosis pcos ibs crohn
    fibromyalgia tinnitus vertigo scoliosis sciatica anaemia anemia osteoporosis glaucoma
    dyslexia dyspraxia ocd ptsd bipolar narcolepsy rosacea gout lupus hayfever cancer parkinson
    ms cfs arrhythmia hypothyroidism hyperthyroidism thyroid lymphoma dementia copd reflux gerd
    hernia hemophilia haemophilia dyscalculia aphantasia synaesthesia
    """
)
CONDITION_WORDS: Final = word_set(
    """
    diabetic asthmatic autistic epileptic deaf blind colour-blind color-blind colourblind
    colorblind dyslexic coeliac celiac pregnant anaemic anemic short-sighted near-sighted
    nearsighted bipolar arthritic haemophiliac hemophiliac dyspraxic hypertensive
    hard-of-hearing
    """
)
BODY_PARTS: Final = word_set(
    """
    back knee knees hip hips shoulder shoulders ankle ankles wrist heart neck elbow
    """
)
AILING: Final = word_set("bad dodgy weak trick poor bum gammy chronic")

CAR_MAKES: Final = word_set(
    """
    audi bmw bentley chevrolet chevy citroen citro\u00ebn dacia dodge ferrari fiat ford honda
    hyundai jaguar jeep kia lada lancia land-rover lexus mazda mercedes mini mitsubishi nissan
    opel peugeot porsche renault rover saab seat skoda smart subaru suzuki tesla toyota vauxhall
    volkswagen volvo vw fiesta golf polo corolla civic prius yaris micra panda twingo clio
    berlingo kangoo passat astra focus hilux
    """
)
CAR_NOUNS: Final = word_set(
    """
    car van estate hatchback suv pickup convertible campervan camper hybrid ev sedan minivan
    jeep motorhome
    """
)
BIKES: Final = word_set(
    """
    bike bicycle tandem motorbike motorcycle scooter moped e-bike ebike triumph vespa yamaha
    ducati harley kawasaki tricycle unicycle
    """
)
PHONES: Final = word_set("iphone pixel galaxy fairphone oneplus xiaomi huawei nokia motorola")
COMPUTERS: Final = word_set(
    """
    laptop computer pc macbook imac thinkpad chromebook desktop notebook linux surface
    """
)
DEVICES: Final = {
    "car": "possession.car", "van": "possession.car", "truck": "possession.car",
    "phone": "possession.phone", "mobile": "possession.phone", "smartphone": "possession.phone",
    "cell": "possession.phone", "cellphone": "possession.phone",
    "laptop": "possession.computer", "computer": "possession.computer",
    "pc": "possession.computer", "desktop": "possession.computer", "bike": "possession.bike",
    "bicycle": "possession.bike", "motorbike": "possession.bike", "motorcycle": "possession.bike",
    "scooter": "possession.bike", "tablet": "possession.tablet", "camera": "possession.camera",
    "guitar": "possession.guitar", "piano": "possession.piano", "boat": "possession.boat",
    "tv": "possession.tv", "printer": "possession.printer", "watch": "possession.watch",
}  # fmt: skip
THINGS: Final = word_set(
    """
    kayak canoe boat narrowboat sailboat yacht caravan campervan piano guitar violin cello
    accordion typewriter telescope loom kiln greenhouse allotment shed garden motorbike
    motorcycle tandem bike bicycle scooter tractor trailer tent camera drone printer tablet ipad
    kindle console playstation xbox switch sewing-machine oven aga barbecue smoker hive hives
    hammock trampoline pool sauna hot-tub workshop studio house flat apartment cottage cabin
    farm pub shop bakery cafe restaurant bookshop horsebox surfboard snowboard skis
    rowing-machine treadmill subscription synthesizer synth keyboard banjo ukulele mandolin harp
    flute saxophone trumpet trombone clarinet oboe harmonica bagpipes ukelele electric-bike
    cargo-bike unicycle record-player turntable vineyard orchard windmill lighthouse llama
    motorhome
    """
)
WORK_VEHICLES: Final = word_set(
    """
    taxi cab bus coach tram train truck lorry forklift ambulance crane tractor digger hgv
    limousine snowplough snowplow metro
    """
)

INSTRUMENTS: Final = word_set(
    """
    guitar bass drums drum piano keyboard violin viola cello oboe flute clarinet saxophone sax
    trumpet trombone tuba horn harp banjo ukulele mandolin accordion harmonica bagpipes organ
    recorder bassoon sitar theremin fiddle lute synth cornet bodhran didgeridoo marimba
    xylophone glockenspiel zither dulcimer concertina
    """
)
SPORTS: Final = word_set(
    """
    football soccer rugby cricket tennis badminton squash hockey golf basketball volleyball
    handball netball baseball softball chess bridge poker darts snooker pool billiards go
    table-tennis ping-pong lacrosse polo bowls frisbee d&d dnd minecraft scrabble padel
    pickleball futsal water-polo backgammon mahjong dodgeball
    """
)
DONE: Final = word_set(
    """
    karate judo yoga pilates crossfit pottery ceramics archery ballet taekwondo aikido boxing
    kickboxing parkour calligraphy origami improv gymnastics fencing martial-arts tai-chi zumba
    jiu-jitsu bjj woodwork woodworking embroidery needlework photography amateur-dramatics
    macrame crosswords sudoku triathlons capoeira stand-up
    """
)
MEMBERSHIPS: Final = word_set(
    """
    choir club band orchestra party gym team league society group guild troupe ensemble union church
    """
)
WORKPLACES: Final = word_set(
    """
    library museum bakery bookshop bookstore hospital school kindergarten nursery restaurant cafe
    café bar pub hotel warehouse factory garage lab laboratory bank shop supermarket pharmacy
    clinic theatre theater cinema zoo brewery salon gallery prison embassy greenhouse workshop
    bookies hostel casino archive studio store mill mine shipyard sawmill vineyard
    """
)
"""Houses that one works in: "in a library"."""
