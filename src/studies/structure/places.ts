/** Adjectives and peoples' names to ISO 3166-1 alpha-2, lower case; those of more than one country are left out. */
const DEMONYMS =
  "afghan AF albanian AL algerian DZ argentine AR argentinian AR argentinean AR armenian AM australian AU austrian AT azerbaijani AZ bahraini BH bangladeshi BD belarusian BY belgian BE " +
  "bolivian BO bosnian BA brazilian BR bulgarian BG cambodian KH cameroonian CM canadian CA chilean CL chinese CN colombian CO croatian HR cuban CU cypriot CY czech CZ danish DK dutch NL " +
  "ecuadorian EC egyptian EG emirati AE estonian EE ethiopian ET filipino PH finnish FI french FR georgian GE german DE ghanaian GH greek GR guatemalan GT hungarian HU icelandic IS " +
  "indian IN indonesian ID iranian IR iraqi IQ irish IE israeli IL italian IT ivorian CI jamaican JM japanese JP jordanian JO kazakh KZ kenyan KE kuwaiti KW latvian LV lebanese LB lithuanian LT " +
  "luxembourgish LU macedonian MK malaysian MY maltese MT mexican MX moldovan MD mongolian MN moroccan MA nepalese NP nigerian NG norwegian NO omani OM pakistani PK palestinian PS panamanian PA " +
  "paraguayan PY peruvian PE polish PL portuguese PT qatari QA romanian RO russian RU rwandan RW saudi SA scottish GB senegalese SN serbian RS singaporean SG slovak SK slovakian SK slovenian SI " +
  "spanish ES swedish SE swiss CH syrian SY taiwanese TW tanzanian TZ thai TH tunisian TN turkish TR ugandan UG ukrainian UA uruguayan UY uzbek UZ venezuelan VE vietnamese VN welsh GB british GB " +
  "american US zambian ZM zimbabwean ZW";

/** Names of countries that `Intl` writes otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  us: "US",
  usa: "US",
  "u.s.": "US",
  "u.s.a.": "US",
  "united states of america": "US",
  america: "US",
  uk: "GB",
  "u.k.": "GB",
  "great britain": "GB",
  britain: "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "northern ireland": "GB",
  holland: "NL",
  "the netherlands": "NL",
  "czech republic": "CZ",
  "hong kong": "HK",
  macau: "MO",
  korea: "KR",
  "south korea": "KR",
  "republic of korea": "KR",
  turkey: "TR",
  türkiye: "TR",
  uae: "AE",
  "ivory coast": "CI",
  palestine: "PS",
  burma: "MM",
  "mainland china": "CN",
  russia: "RU",
  vietnam: "VN",
};

/** Large cities, and states of federations; a name that several share is told by its country, or not at all. */
const CITIES =
  "amsterdam NL|rotterdam NL|the hague NL|utrecht NL|eindhoven NL|antwerp BE|brussels BE|ghent BE|leuven BE|luxembourg city LU|berlin DE|hamburg DE|munich DE|münchen DE|cologne DE|köln DE|frankfurt DE|" +
  "stuttgart DE|düsseldorf DE|leipzig DE|dresden DE|hanover DE|hannover DE|nuremberg DE|karlsruhe DE|bonn DE|bremen DE|freiburg DE|walldorf DE|vienna AT|graz AT|linz AT|zurich CH|zürich CH|geneva CH|basel CH|bern CH|lausanne CH|" +
  "paris FR|lyon FR|marseille FR|toulouse FR|nantes FR|bordeaux FR|lille FR|grenoble FR|rennes FR|montpellier FR|madrid ES|barcelona ES|valencia ES|seville ES|bilbao ES|málaga ES|lisbon PT|porto PT|rome IT|milan IT|turin IT|" +
  "bologna IT|florence IT|naples IT|athens GR|copenhagen DK|aarhus DK|stockholm SE|gothenburg SE|malmö SE|oslo NO|helsinki FI|tallinn EE|riga LV|vilnius LT|warsaw PL|krakow PL|kraków PL|wroclaw PL|wrocław PL|gdansk PL|poznan PL|" +
  "gliwice PL|prague CZ|brno CZ|bratislava SK|budapest HU|bucharest RO|cluj-napoca RO|sofia BG|belgrade RS|zagreb HR|ljubljana SI|kyiv UA|kiev UA|lviv UA|kharkiv UA|minsk BY|moscow RU|st. petersburg RU|saint petersburg RU|istanbul TR|" +
  "ankara TR|london GB|manchester GB|edinburgh GB|glasgow GB|leeds GB|bristol GB|liverpool GB|belfast GB|cardiff GB|dublin IE|reykjavik IS|nicosia CY|limassol CY|tel aviv IL|jerusalem IL|haifa IL|amman JO|beirut LB|dubai AE|abu dhabi AE|" +
  "doha QA|riyadh SA|jeddah SA|kuwait city KW|cairo EG|casablanca MA|tunis TN|lagos NG|nairobi KE|accra GH|kampala UG|johannesburg ZA|cape town ZA|mumbai IN|bangalore IN|bengaluru IN|delhi IN|new delhi IN|hyderabad IN|chennai IN|" +
  "pune IN|kolkata IN|gurgaon IN|gurugram IN|noida IN|ahmedabad IN|jaipur IN|kochi IN|karachi PK|lahore PK|islamabad PK|dhaka BD|colombo LK|kathmandu NP|bangkok TH|ho chi minh city VN|hanoi VN|kuala lumpur MY|jakarta ID|bandung ID|" +
  "manila PH|singapore SG|beijing CN|shanghai CN|shenzhen CN|guangzhou CN|hangzhou CN|chengdu CN|wuhan CN|nanjing CN|suzhou CN|xi'an CN|taipei TW|seoul KR|tokyo JP|osaka JP|kyoto JP|sydney AU|melbourne AU|brisbane AU|perth AU|" +
  "auckland NZ|wellington NZ|toronto CA|montreal CA|montréal CA|vancouver CA|ottawa CA|calgary CA|waterloo, ontario CA|quebec CA|ontario CA|british columbia CA|mexico city MX|guadalajara MX|monterrey MX|são paulo BR|sao paulo BR|" +
  "rio de janeiro BR|curitiba BR|porto alegre BR|belo horizonte BR|buenos aires AR|santiago de chile CL|bogotá CO|bogota CO|medellín CO|medellin CO|lima PE|quito EC|montevideo UY|caracas VE|new york US|new york city US|nyc US|brooklyn US|" +
  "san francisco US|silicon valley US|bay area US|los angeles US|san diego US|san jose, california US|palo alto US|mountain view US|menlo park US|oakland US|seattle US|boston US|chicago US|austin US|dallas US|houston US|denver US|" +
  "boulder US|atlanta US|miami US|philadelphia US|pittsburgh US|washington, d.c. US|washington, dc US|minneapolis US|detroit US|portland, oregon US|salt lake city US|phoenix, arizona US|las vegas US|nashville US|st. louis US|" +
  "kansas city US|indianapolis US|columbus, ohio US|baltimore US|milwaukee US|raleigh US|california US|texas US|florida US|massachusetts US|illinois US|ohio US|michigan US|pennsylvania US|virginia US|colorado US|oregon US|utah US|" +
  "arizona US|wisconsin US|minnesota US|new jersey US|north carolina US|connecticut US|iowa US|idaho US|nevada US|tennessee US|maryland US|indiana US|missouri US|bavaria DE|catalonia ES|new south wales AU|queensland AU";

export interface Places {
  /** Country of a place: a country's own name or a city's, in any case. */
  readonly countryOf: (place: string) => string | undefined;
  /** Country of an adjective: "Dutch". */
  readonly countryOfPeople: (word: string) => string | undefined;
  readonly isPlace: (name: string) => boolean;
}

/** Regions that are larger than a country. */
const REGIONS =
  "europe|asia|africa|north america|south america|latin america|middle east|oceania|apac|emea|latam|southeast asia|scandinavia|eastern europe|western europe|the americas|benelux|eu|european union|asia pacific|asia-pacific|bay area".split(
    "|",
  );

/** @param countries a country's name to its code */
export function createPlaces(countries: (text: string | null) => string | null): Places {
  const people = new Map<string, string>();
  const parts = DEMONYMS.split(" ");
  for (let at = 0; at + 1 < parts.length; at += 2) people.set(parts[at] ?? "", parts[at + 1] ?? "");
  const cities = new Map(CITIES.split("|").map((entry) => [entry.slice(0, -3), entry.slice(-2)] as const));
  const countryOf = (place: string) => {
    const key = place.trim().toLowerCase().replace(/^the /, "");
    return NAMES[key] ?? cities.get(key) ?? (key.length > 2 ? (countries(key) ?? undefined) : undefined);
  };
  return {
    countryOf,
    countryOfPeople: (word) => people.get(word.toLowerCase()),
    isPlace: (name) =>
      countryOf(name) !== undefined || people.has(name.toLowerCase()) || REGIONS.includes(name.toLowerCase()),
  };
}
