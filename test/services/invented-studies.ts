/** A case study in the format of an import file. */
export interface FileRecord {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly company: { readonly name: string; readonly slug: string; readonly domain: string };
  readonly client: { readonly name: string; readonly domain: string };
  readonly industry: string;
  readonly country: string;
  readonly published_at: string | null;
  readonly outcomes: readonly { readonly text: string }[];
  readonly body: string;
}

/**
 * Forty invented stories by five vendors about forty clients. Vendor, client, industry, country, day,
 * title, challenge, solution, outcome.
 */
const STORIES = `
Tidewell | Northgate Savings | Banking | NO | 2024-03-05 | Northgate Savings leaves its mainframe | The ledger ran on a mainframe from 1987 that only two engineers understood. | All accounts moved to cloud databases over one winter, branch by branch. | 42% lower hosting cost
Tidewell | Brightpine | Logistics | SE | 2024-03-20 | Brightpine delivers parcels a day sooner | Vans drove half empty because tours were planned by hand each morning. | Routes are computed every night from orders, traffic and weather. | Parcels arrive 24 hours sooner
Tidewell | Ostra Clinic | Healthcare | DE | 2023-11-02 | Ostra Clinic shortens the queue | Patients waited on the phone to get an appointment with a doctor. | They book, move and cancel visits themselves on a website. | Waiting times fell by 50%
Tidewell | Larkfield Schools | Education | GB | 2022-08-30 | A tablet for every pupil at Larkfield Schools | Teachers spent the first weeks of term setting up devices. | Tablets enrol themselves when a pupil first switches them on. | 3,000 devices in two days
Tidewell | Copperhill Mines | Mining | CL | 2023-05-11 | Copperhill Mines hears a bearing before it breaks | Conveyor belts stopped without warning and cost a shift each time. | Vibration sensors on motors predict failures days ahead. | 31% less unplanned downtime
Tidewell | Amberley Hotels | Hospitality | FR | 2024-09-14 | Amberley Hotels greets guests by name | Reservations of twelve houses lay in twelve systems. | One guest profile follows travellers from house to house. | 18% more returning guests
Tidewell | Fenwick Insurance | Insurance | GB | 2025-02-01 | Fenwick Insurance settles claims in an hour | Adjusters typed damage reports from paper forms and photographs. | Pictures of the car are read by software that estimates the repair. | Claims settled in 60 minutes
Tidewell | Kestrel Air | Airline | IE | 2021-06-18 | Kestrel Air turns planes around faster | Ground crews learned of gate changes by radio, often too late. | Every team sees the same live plan of an arriving plane. | 7 minutes saved per turnaround
Quayline | Mossgrove | Retail | NL | 2024-01-09 | Mossgrove survives its biggest sale | The web shop fell over whenever a discount was announced. | Servers are added automatically when shoppers arrive. | No outage with 9 times the traffic
Quayline | Harrow Grocers | Grocery | GB | 2023-03-27 | Harrow Grocers throws away less food | Shops ordered bread and salad by habit and binned what was left. | Orders follow a forecast of demand for every shelf. | 23% less waste
Quayline | Velora | Fashion | IT | 2022-11-25 | Velora sells dresses that fit | One garment in three came back because the size was wrong. | Shoppers are shown the size that people of their build kept. | Returns fell by 19%
Quayline | Pollen and Rye | Food and drink | DK | 2024-05-30 | Pollen and Rye bakes to order | The bakery guessed each evening how many loaves to bake. | Cafés order on their phones until midnight and ovens follow. | 12% higher margin
Quayline | Sable Motors | Automotive | DE | 2023-09-19 | Sable Motors updates cars while they sleep | Drivers had to visit a workshop for every software fix. | Updates are sent over the air to parked vehicles at night. | 1.2 million vehicles updated
Quayline | Juniper Games | Gaming | FI | 2025-04-04 | Juniper Games keeps cheaters out | Honest players left because matches were spoilt by bots. | Odd play is recognised within seconds and removed. | Complaints fell by 64%
Quayline | Rookery Press | Media | US | 2022-02-14 | Rookery Press wins readers who pay | Visitors read one article from a search engine and never came back. | The paywall asks each reader at the moment they are likely to subscribe. | 27% more subscriptions
Quayline | Thornbury Council | Public sector | GB | 2021-10-05 | Thornbury Council answers citizens online | People queued at the town hall for permits and certificates. | Forms are filled in at home and decided within a week. | 80% of permits online
Quarrystone | Helix Bio | Biotechnology | CH | 2024-07-22 | Helix Bio reads genomes overnight | Sequencing results waited a week for computing time in the cellar. | Thousands of rented machines work in parallel and stop when done. | From 7 days to 9 hours
Quarrystone | Solmara Energy | Energy | ES | 2023-06-06 | Solmara Energy forecasts the sun | Nobody knew an hour ahead how much power the panels would give. | Satellite pictures of clouds feed a forecast for each field. | 15% better forecasts
Quarrystone | Gridwell | Utilities | NL | 2022-04-12 | Gridwell finds leaking pipes | Drinking water was lost underground for months unseen. | Listening devices in hydrants tell where a pipe leaks. | 4 million litres saved a day
Quarrystone | Ironbridge Steel | Manufacturing | PL | 2024-10-17 | Ironbridge Steel inspects every sheet | Flaws in rolled metal were found by customers. | Cameras above the line judge the surface in real time. | Rejects fell by 38%
Quarrystone | Marlowe Build | Construction | US | 2023-01-31 | Marlowe Build keeps workers safe | Accidents on building sites were written down and forgotten. | Near misses are reported by phone and looked at every morning. | 29% fewer injuries
Quarrystone | Tern Shipping | Maritime | SG | 2021-12-08 | Tern Shipping burns less fuel | Captains chose their speed by experience alone. | Voyages are planned by current, wind and the time of the berth. | 11% less bunker oil
Quarrystone | Oakhaven Farms | Agriculture | NZ | 2024-02-26 | Oakhaven Farms waters only what is dry | Fields were irrigated by the calendar, rain or not. | Soil probes and a weather feed open the valves. | 35% less water
Quarrystone | Ravenna Estates | Real estate | IT | 2022-09-21 | Ravenna Estates heats empty rooms no more | Offices were warm on Sundays because nobody turned a knob. | Thermostats follow bookings and the sun. | 22% lower heating bills
Lanternfish | Pinecrest University | Higher education | CA | 2023-08-15 | Pinecrest University keeps its students | Freshmen dropped out before anyone noticed that they struggled. | Tutors get a hint when someone stops handing in work. | Dropouts fell by 14%
Lanternfish | Bluefin Bank | Banking | PT | 2025-01-20 | Bluefin Bank stops card thieves | Stolen cards were noticed only when the statement came. | Every purchase is scored in milliseconds before it is approved. | Fraud losses fell by 71%
Lanternfish | Cobalt Pay | Payments | EE | 2022-06-29 | Cobalt Pay passes its audit | Evidence for auditors was gathered by hand in spreadsheets. | Controls are checked every hour and the proof is filed. | Audit done in 3 weeks
Lanternfish | Whitcombe Legal | Legal services | GB | 2024-11-11 | Whitcombe Legal finds the clause | Lawyers read hundreds of contracts to answer one question. | Agreements are searched by meaning and quoted with their page. | 9 hours saved a week
Lanternfish | Orrin Telecom | Telecommunications | SE | 2023-10-03 | Orrin Telecom answers before the phone rings | Call centres drowned when an antenna failed. | Subscribers get a message about a fault before they notice it. | 40% fewer calls
Lanternfish | Haven Aid | Nonprofit | KE | 2022-12-19 | Haven Aid finds donors who stay | People gave once after a flood and were never heard of again. | Supporters are told what became of their gift. | 33% more regular donors
Lanternfish | Sundial Travel | Travel | GR | 2024-04-25 | Sundial Travel speaks twelve languages | Holidaymakers wrote in languages that nobody in the office knew. | Letters are translated both ways as they come. | Replies within 10 minutes
Lanternfish | Pixelbarn | Software | DE | 2025-03-13 | Pixelbarn ships forty times a day | A release took a weekend and was feared by everybody. | Each change is tested and rolled out by itself, and back when it fails. | 40 deployments a day
Ashgrove | Meadow Pharma | Pharmaceutical | BE | 2023-04-18 | Meadow Pharma recruits for trials | Studies of new drugs began late for want of volunteers. | Hospitals are told which of their patients may take part. | Enrolment twice as fast
Ashgrove | Corvid Security | Cybersecurity | IL | 2024-08-08 | Corvid Security sleeps at night | Analysts looked at ten thousand alarms a day, nearly all false. | Alarms that belong together are shown as one story. | 92% fewer alerts
Ashgrove | Larch Recruiting | Staffing | AT | 2022-03-07 | Larch Recruiting hires in nine days | Applicants waited weeks for a reply and took other jobs. | Interviews are arranged by text message within the hour. | From 31 to 9 days to hire
Ashgrove | Nimbus Sports | Sports | AU | 2023-12-12 | Nimbus Sports fills its stadium | Half of the season tickets stayed unused on rainy evenings. | Holders who cannot come hand their seat to somebody else. | Attendance rose by 21%
Ashgrove | Castlegate Museum | Museums | ES | 2021-05-24 | Castlegate Museum opens its cellar | Nine in ten paintings were never shown to anyone. | The whole collection was photographed and can be browsed. | 2 million visitors online
Ashgrove | Wyvern Defence | Defence | FR | 2024-06-02 | Wyvern Defence works without a network | Field units lost their maps when the radio was jammed. | Devices keep what they need and exchange it when they meet. | Works 14 days offline
Ashgrove | Selwyn Chemicals | Chemicals | DE | 2022-07-15 | Selwyn Chemicals mixes right the first time | Batches of paint missed their colour and were stirred again. | A model of each pigment tells the recipe. | 17% fewer corrections
Ashgrove | Dormouse Toys | Toys | CN |  | Dormouse Toys knows what children want | Plush animals were made a year before anybody wished for them. | Small series are tried in shops and made again when they sell. | Half the unsold stock
`;

const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]+/g, "-");

function recordOf(line: string): FileRecord {
  const [vendor = "", client = "", industry = "", country = "", day = "", ...told] = line.split(" | ");
  const [title = "", challenge = "", solution = "", outcome = ""] = told;
  return {
    id: `${slugOf(vendor)}-${slugOf(client)}`,
    title,
    url: `https://${slugOf(vendor)}.example/customers/${slugOf(client)}`,
    company: { name: vendor, slug: slugOf(vendor), domain: `${slugOf(vendor)}.example` },
    client: { name: client, domain: `${slugOf(client)}.test` },
    industry,
    country,
    published_at: day || null,
    outcomes: [{ text: outcome }],
    body: `## The challenge\n\n${challenge}\n\n## What ${vendor} did\n\n${solution}\n\n## The result\n\n${outcome}.`,
  };
}

export const INVENTED: readonly FileRecord[] = STORIES.trim().split("\n").map(recordOf);

/** Queries in other words than the story's, and the matching story. */
export const QUESTIONS: readonly (readonly [question: string, id: string])[] = [
  ["replacing a legacy core banking platform", "tidewell-northgate-savings"],
  ["detecting fraudulent credit card transactions", "lanternfish-bluefin-bank"],
  ["predictive maintenance of industrial equipment", "tidewell-copperhill-mines"],
  ["reducing product returns in an online clothing store", "quayline-velora"],
  ["scheduling medical appointments over the internet", "tidewell-ostra-clinic"],
  ["continuous delivery for developers", "lanternfish-pixelbarn"],
  ["smart irrigation for crops", "quarrystone-oakhaven-farms"],
  ["keeping an online store up during peak traffic", "quayline-mossgrove"],
  ["visual quality inspection on a production line", "quarrystone-ironbridge-steel"],
  ["cutting food waste in supermarkets", "quayline-harrow-grocers"],
  ["clinical trial patient enrollment", "ashgrove-meadow-pharma"],
  ["machine translation for customer support", "lanternfish-sundial-travel"],
];
