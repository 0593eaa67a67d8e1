/** A case study of the invented vendor Tidewell, as on its pages. */
export interface Story {
  readonly slug: string;
  readonly client: string;
  readonly site: string;
  readonly industry: string;
  readonly place: string;
  /** ISO date. */
  readonly published: string;
  readonly title: string;
  readonly teaser: string;
  readonly challenge: string;
  readonly solution: string;
  readonly results: string;
  readonly quote: string;
  readonly person: string;
  readonly role: string;
}

/** Twelve clients of twelve industries, each with a question that only its story answers. */
export const STORIES: readonly Story[] = [
  {
    slug: "alderbrook-foods",
    client: "Alderbrook Foods",
    site: "https://www.alderbrook-foods.test/",
    industry: "Food & Beverage",
    place: "Bristol, United Kingdom",
    published: "2024-03-05",
    title: "Alderbrook Foods cuts delivery costs by 23% with Tidewell",
    teaser: "How a grocery wholesaler fills its vans better and throws less fresh produce away.",
    challenge:
      "Alderbrook Foods delivers fresh produce to four hundred village shops every morning. Planners drew the rounds by hand, vans left half empty, and salad that arrived late was thrown away.",
    solution:
      "With Tidewell Rounds the wholesaler plans all vans in one go each night. The planner knows the opening hours of each shop and the shelf life of each crate, and Tidewell hands the rounds to the drivers' phones.",
    results:
      "Delivery costs fell by 23% within the first year. Spoiled produce dropped from 9% to 4%, and planning the morning takes 20 minutes where it took three hours before.",
    quote: "Our drivers are home for lunch, and the lettuce is still crisp when it reaches the shop.",
    person: "Maud Pelham",
    role: "Head of Transport",
  },
  {
    slug: "norrvik-marine",
    client: "Norrvik Marine",
    site: "https://norrvik-marine.test/",
    industry: "Maritime",
    place: "Bergen, Norway",
    published: "2024-05-21",
    title: "Norrvik Marine keeps ferries sailing with Tidewell",
    teaser: "A ferry line that repairs engines before they break.",
    challenge:
      "Norrvik Marine runs eleven car ferries along the fjords. When an engine part failed the ship lay at the quay for days, because the spare part was in another harbour and nobody knew in which.",
    solution:
      "Tidewell Stock now counts every spare part on every ship and in every harbour store. It watches the running hours of the engines and sends parts ahead of the service date.",
    results:
      "Unplanned days at the quay fell by 61%. The company carries €1.4 million less in spare parts, and 99.2% of departures are on time.",
    quote: "A ship that waits for a gasket earns nothing. We no longer wait.",
    person: "Sindre Haugland",
    role: "Technical Director",
  },
  {
    slug: "pellucid-optics",
    client: "Pellucid Optics",
    site: "https://pellucid-optics.test/",
    industry: "Manufacturing",
    place: "Jena, Germany",
    published: "2023-11-14",
    title: "How Pellucid Optics doubled the output of its lens line",
    teaser: "Lens grinding without bottlenecks between the machines.",
    challenge:
      "Pellucid Optics grinds lenses for microscopes. Blanks waited in front of the coating chamber for days while other machines stood idle, and the order in which they were worked was written on paper.",
    solution:
      "The plant connected its machines to Tidewell Floor, which decides anew every minute which blank goes where. Operators see the next job on a screen at each machine.",
    results:
      "Output of the lens line doubled with the same machines. Work in progress shrank by 45%, and an order leaves the plant after 6 days instead of 17.",
    quote: "We bought no new machine. We only stopped making the good ones wait.",
    person: "Dr Henrike Lauterbach",
    role: "Plant Manager",
  },
  {
    slug: "quillfeather-press",
    client: "Quillfeather Press",
    site: "https://quillfeather.test/",
    industry: "Publishing",
    place: "Dublin, Ireland",
    published: "2023-09-02",
    title: "Quillfeather Press prints what readers order",
    teaser: "A publisher that pulps no more books.",
    challenge:
      "Quillfeather Press printed three thousand copies of each novel and pulped a third of them. Bookshops sent unsold copies back by the pallet, and nobody could tell in time which titles would sell.",
    solution:
      "Tidewell Forecast reads the tills of the bookshops each evening and orders short print runs where a title moves. Returns are sent to the next shop rather than to the depot.",
    results:
      "Pulped copies fell by 78%. Warehouse space was reduced from 5,200 to 1,900 square metres, and backlist sales grew 12%.",
    quote: "For the first time we print books for readers and not for the shredder.",
    person: "Aoife Brannigan",
    role: "Operations Director",
  },
  {
    slug: "saltmarsh-hospitals",
    client: "Saltmarsh Hospitals",
    site: "https://saltmarsh-hospitals.test/",
    industry: "Healthcare",
    place: "Norwich, United Kingdom",
    published: "2024-01-18",
    title: "Saltmarsh Hospitals gives nurses an hour back each shift",
    teaser: "Medicines on the ward when they are needed, without nurses searching for them.",
    challenge:
      "Nurses at Saltmarsh Hospitals spent a good part of each shift looking for medicines and dressings. Some wards hoarded, others ran out at night, and drugs expired at the back of cupboards.",
    solution:
      "Tidewell Stock weighs the shelves of 64 wards and orders before something runs out. Porters get one round an hour with everything that is needed on their floor.",
    results:
      "Each nurse gained 55 minutes a shift for patients. Expired medicines fell by 82%, and emergency orders from the pharmacy went down from 40 a day to 6.",
    quote: "I trained to look after people, not to look for syringes.",
    person: "Grace Obuya",
    role: "Matron",
  },
  {
    slug: "thornbury-bank",
    client: "Thornbury Bank",
    site: "https://thornbury-bank.test/",
    industry: "Banking",
    place: "Toronto, Canada",
    published: "2024-06-11",
    title: "Thornbury Bank halves the cash that sits in its machines",
    teaser: "Cash machines that are neither empty nor overfull.",
    challenge:
      "Thornbury Bank fills 1,300 cash machines. Too much money lay in quiet suburbs and earned nothing, while machines near stadiums were empty on match days, and armoured cars drove to both.",
    solution:
      "Tidewell Forecast predicts the withdrawals of each machine from paydays, weather and fixtures. Tidewell Rounds then plans the armoured cars for the week.",
    results:
      "Idle cash was cut by half, which saves $2.7 million a year in interest. Machines are empty 90% less often, with 31% fewer armoured-car trips.",
    quote: "Money that sleeps in a wall is a cost. We woke it up.",
    person: "Leopold Achterberg",
    role: "Vice President, Branch Operations",
  },
  {
    slug: "umberfield-energy",
    client: "Umberfield Energy",
    site: "https://umberfield.test/",
    industry: "Energy",
    place: "Aarhus, Denmark",
    published: "2023-06-27",
    title: "Umberfield Energy services more wind turbines with the same crews",
    teaser: "Technicians who travel less and climb more.",
    challenge:
      "Umberfield Energy looks after wind turbines on land and at sea. Crews drove past one broken turbine to reach another, boats left without the right tools, and calm weather was wasted.",
    solution:
      "Tidewell Rounds matches crews, boats, tools and weather windows, and plans again whenever the forecast turns.",
    results:
      "Crews service 38% more turbines a week. Lost generation fell by 19 gigawatt hours a year, and boat fuel was reduced by a quarter.",
    quote: "The wind does not wait for a spreadsheet.",
    person: "Jytte Mølgaard",
    role: "Head of Field Service",
  },
  {
    slug: "vantage-toys",
    client: "Vantage Toys",
    site: "https://vantage-toys.test/",
    industry: "Consumer Goods",
    place: "Łódź, Poland",
    published: "2023-12-12",
    title: "Vantage Toys survives Christmas without overtime",
    teaser: "Half of the year's parcels in six weeks, and everybody home at six.",
    challenge:
      "Vantage Toys ships half of its yearly parcels between November and Christmas. Temporary staff walked kilometres through the aisles, picked the wrong dolls, and the customer line melted down.",
    solution:
      "With Tidewell Floor the toys that sell move to the front every night, and pickers follow the shortest path on a wrist display.",
    results:
      "Pickers handle 2.4 times as many parcels an hour. Wrong parcels fell from 3.1% to 0.4%, and overtime in December was eliminated.",
    quote: "Last year I saw my own children open their presents.",
    person: "Zbigniew Wrona",
    role: "Warehouse Manager",
  },
  {
    slug: "willowmere-council",
    client: "Willowmere Council",
    site: "https://willowmere.test/",
    industry: "Government",
    place: "Adelaide, Australia",
    published: "2024-02-08",
    title: "Willowmere Council empties bins when they are full",
    teaser: "Fewer lorries in the streets, and no more overflowing litter bins.",
    challenge:
      "Willowmere Council sent refuse lorries along the same streets every Tuesday, whether bins were full or not, while bins at the beach overflowed on Sundays and residents complained.",
    solution:
      "Sensors in 2,800 public bins report to Tidewell Rounds, which sends lorries where they are needed and spares the streets where they are not.",
    results:
      "Lorries drive 36% fewer kilometres. Complaints about litter fell by two thirds, and the council saves A$640,000 a year.",
    quote: "People notice when a bin overflows. Now they notice nothing, and that is the point.",
    person: "Callum Dray",
    role: "City Services Manager",
  },
  {
    slug: "xanthe-apparel",
    client: "Xanthe Apparel",
    site: "https://xanthe.test/",
    industry: "Fashion",
    place: "Porto, Portugal",
    published: "2024-04-16",
    title: "Xanthe Apparel sells returned dresses within two days",
    teaser: "Returns that go back on sale before the season is over.",
    challenge:
      "Every second dress that Xanthe Apparel sold online came back. Returns lay in cages for weeks until somebody checked them, and by then the season was over and the dress was marked down.",
    solution:
      "Tidewell Stock reads the label as the parcel is opened, tells the checker what to look for, and puts the dress on sale again the moment it is hung up.",
    results:
      "A returned dress is on sale after 2 days, down from 19. Markdowns decreased by 27%, and full-price sales rose 8%.",
    quote: "A summer dress in October is worth nothing. In June it is worth everything.",
    person: "Inês Carvalhal",
    role: "Chief Operating Officer",
  },
  {
    slug: "yarrow-telecom",
    client: "Yarrow Telecom",
    site: "https://yarrow-telecom.test/",
    industry: "Telecommunications",
    place: "Tallinn, Estonia",
    published: "2023-08-23",
    title: "Yarrow Telecom mends broken lines on the first visit",
    teaser: "Technicians who bring the right router at the first try.",
    challenge:
      "Yarrow Telecom sent technicians to customers without knowing which part was broken. Four visits in ten ended with a second appointment, and people stayed at home twice for nothing.",
    solution:
      "Tidewell Forecast guesses the fault from line measurements, Tidewell Stock loads the van, and Tidewell Rounds tells the customer when the technician will come, to the half hour.",
    results:
      "92% of faults are mended on the first visit, up from 58%. Waiting time for an appointment shrank from 9 days to 2, and the churn rate fell 15%.",
    quote: "Nobody takes a day off for a telephone company twice.",
    person: "Kadri Tamm",
    role: "Director of Customer Care",
  },
  {
    slug: "zephyr-couriers",
    client: "Zephyr Couriers",
    site: "https://zephyr-couriers.test/",
    industry: "Logistics",
    place: "Lyon, France",
    published: "2023-10-10",
    title: "Zephyr Couriers replaces vans with cargo bicycles",
    teaser: "Parcels by bicycle in the old town.",
    challenge:
      "Zephyr Couriers delivered parcels by van in the narrow streets of the old town, where vans stood in traffic, collected parking fines and were unwelcome.",
    solution:
      "Tidewell Rounds plans small hubs and cargo bicycles in place of vans, and balances hills, weight and batteries for each rider.",
    results:
      "Riders deliver 60% more parcels an hour than vans did. Parking fines fell by 97%, and emissions of carbon dioxide by 310 tonnes a year.",
    quote: "The quickest way through the old town has two wheels and a bell.",
    person: "Bastien Roche",
    role: "Founder",
  },
];
