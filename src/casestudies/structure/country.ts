import type { PageText } from "../types.ts";
import type { KnownClient } from "./industry.ts";
import { nameRuns, ORGANISATION } from "./names.ts";
import { factLines, labelledValues, type StorySentence } from "./story.ts";
import { wordMap } from "./word-lists.ts";

/** Lower-case demonyms with their ISO 3166-1 alpha-2 code. Ambiguous ones are omitted. */
const DEMONYMS =
  "afghan AF albanian AL algerian DZ argentine AR argentinian AR argentinean AR armenian AM australian AU austrian AT azerbaijani AZ bahraini BH bangladeshi BD belarusian BY belgian BE " +
  "bolivian BO bosnian BA brazilian BR bulgarian BG cambodian KH cameroonian CM canadian CA chilean CL chinese CN colombian CO croatian HR cuban CU cypriot CY czech CZ danish DK dutch NL " +
  "ecuadorian EC egyptian EG emirati AE estonian EE ethiopian ET filipino PH finnish FI french FR georgian GE german DE ghanaian GH greek GR guatemalan GT hungarian HU icelandic IS " +
  "indian IN indonesian ID iranian IR iraqi IQ irish IE israeli IL italian IT ivorian CI jamaican JM japanese JP jordanian JO kazakh KZ kenyan KE kuwaiti KW latvian LV lebanese LB lithuanian LT " +
  "luxembourgish LU macedonian MK malaysian MY maltese MT mexican MX moldovan MD mongolian MN moroccan MA nepalese NP nigerian NG norwegian NO omani OM pakistani PK palestinian PS panamanian PA " +
  "paraguayan PY peruvian PE polish PL portuguese PT qatari QA romanian RO russian RU rwandan RW saudi SA scottish GB senegalese SN serbian RS singaporean SG slovak SK slovakian SK slovenian SI " +
  "spanish ES swedish SE swiss CH syrian SY taiwanese TW tanzanian TZ thai TH tunisian TN turkish TR ugandan UG ukrainian UA uruguayan UY uzbek UZ venezuelan VE vietnamese VN welsh GB british GB " +
  "american US zambian ZM zimbabwean ZW";

/** Names and abbreviations in prose that `parseCountry` does not accept. */
const OTHER_COUNTRY_NAMES: Readonly<Record<string, string>> = {
  us: "US",
  america: "US",
  uk: "GB",
  britain: "GB",
  "northern ireland": "GB",
  korea: "KR",
  türkiye: "TR",
  "ivory coast": "CI",
  palestine: "PS",
  burma: "MM",
  "mainland china": "CN",
  russia: "RU",
  vietnam: "VN",
};

/** Large cities and federal states. Names that occur in several countries are listed with a qualifier or omitted. */
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
  "kansas city US|indianapolis US|columbus, ohio US|baltimore US|milwaukee US|raleigh US|washington state US|louisiana US|kentucky US|alabama US|kansas US|nebraska US|oklahoma US|hawaii US|alaska US|vermont US|new hampshire US|rhode island US|new mexico US|montana US|wyoming US|south carolina US|arkansas US|mississippi US|alberta CA|nova scotia CA|manitoba CA|saskatchewan CA|california US|texas US|florida US|massachusetts US|illinois US|ohio US|michigan US|pennsylvania US|virginia US|colorado US|oregon US|utah US|" +
  "arizona US|wisconsin US|minnesota US|new jersey US|north carolina US|connecticut US|iowa US|idaho US|nevada US|tennessee US|maryland US|indiana US|missouri US|bavaria DE|catalonia ES|new south wales AU|queensland AU";

interface Places {
  /** Country code of a country or city, in any letter case. */
  readonly countryOf: (place: string) => string | undefined;
  /** Country code of a country's full name, in any letter case. */
  readonly countryNamed: (name: string) => string | undefined;
  /** Country code of a name in one of the languages of {@link LANGUAGES}, or in English: "Deutschland". */
  readonly countryInLabel: (name: string) => string | undefined;
  /** Country code of a country or large city, not of a smaller one whose name may be a word. */
  readonly wellKnown: (place: string) => string | undefined;
  /** Country code of a demonym: "Dutch". */
  readonly countryOfDemonym: (word: string) => string | undefined;
  readonly isPlace: (name: string) => boolean;
}

/** Languages whose names of countries a label may have. */
const LANGUAGES = ["de", "fr", "es", "it", "pt", "nl"];

/** Country codes by lower-case names in {@link LANGUAGES}. */
function namesInOtherLanguages(codeOf: (name: string | null) => string | null): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const names = new Map<string, string>();
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const regions = letters.flatMap((first) => letters.map((second) => first + second));
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    for (const region of regions) {
      const code = codeOf(english.of(region) ?? null);
      const name = display.of(region)?.toLowerCase();
      if (code !== null && name !== undefined && !names.has(name)) names.set(name, code);
    }
  }
  return names;
}

/** Postal abbreviations of states and provinces after a city: "Portland, OR", "Halifax, NS". */
const STATES = wordMap([
  [
    "US",
    `AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
     SC SD TN TX UT VT VA WA WV WI WY DC`,
  ],
  ["CA", "AB BC MB NB NL NS ON PE QC SK"],
  ["AU", "NSW QLD VIC TAS"],
]);

/** Regions of several countries. */
const REGIONS =
  "europe|asia|africa|north america|south america|latin america|middle east|oceania|apac|emea|latam|southeast asia|scandinavia|eastern europe|western europe|the americas|benelux|eu|european union|asia pacific|asia-pacific|bay area".split(
    "|",
  );

/**
 * @param parseCountry code of a country's name or code; null when unknown
 * @param moreCities country code to lower-case names; they count where a sentence says that somebody is there
 */
export function createPlaces(
  parseCountry: (text: string | null) => string | null,
  moreCities: Readonly<Record<string, readonly string[]>> = {},
): Places {
  const demonyms = new Map<string, string>();
  const parts = DEMONYMS.split(" ");
  for (let at = 0; at + 1 < parts.length; at += 2) demonyms.set(parts[at] ?? "", parts[at + 1] ?? "");
  const cities = new Map(CITIES.split("|").map((entry) => [entry.slice(0, -3), entry.slice(-2)] as const));
  let otherNames: ReadonlyMap<string, string> | undefined;
  const more = new Map(
    Object.entries(moreCities).flatMap(([code, names]) => names.map((name) => [name, code] as const)),
  );
  const wellKnown = (place: string) => {
    const key = place.trim().toLowerCase().replace(/^the /, "");
    return (
      OTHER_COUNTRY_NAMES[key] ?? cities.get(key) ?? (key.length > 2 ? (parseCountry(key) ?? undefined) : undefined)
    );
  };
  return {
    countryOf: (place) => wellKnown(place) ?? more.get(place.trim().toLowerCase()),
    countryInLabel: (name) => {
      otherNames ??= namesInOtherLanguages(parseCountry);
      return wellKnown(name) ?? otherNames.get(name.trim().toLowerCase()) ?? more.get(name.trim().toLowerCase());
    },
    wellKnown,
    countryNamed: (name) => (name.length > 3 ? (parseCountry(name.toLowerCase()) ?? undefined) : undefined),
    countryOfDemonym: (word) => demonyms.get(word.toLowerCase()),
    isPlace: (name) =>
      wellKnown(name) !== undefined || demonyms.has(name.toLowerCase()) || REGIONS.includes(name.toLowerCase()),
  };
}

export interface FoundCountry {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly sentence: string | null;
  /** 0–1. */
  readonly confidence: number;
}

const LABEL =
  /^(?:(?:company |customer )?(?:locations?|headquarters?|hq|head office|country|city|region|state)|based in|headquartered in|hq location|office|offices|where|geography|standorte?|land|ort|sitz|hauptsitz|firmensitz|unternehmenssitz|lieu|localisation|pays|région|ville|siège(?: social)?|ubicación|país|región|ciudad|sede(?: central)?|paese|città|localização|cidade|vestiging|locatie|hoofdkantoor|hoofdkwartier|所在地|国家|本社)$/i;
const MAX_SENTENCES = 120;
const EARLY = 30;
const OPENING = 3;
const MAX_SENTENCE = 1_500;

/** "headquartered in Munich, Germany": followed by a list of places, the smallest first. */
const HEADQUARTERS =
  /\b(?:(?:[Bb]ased|[Hh]eadquartered|[Hh]eadquarters(?: (?:is|are))?(?: located)?|[Hh]ead office(?: is)?(?: located)?|[Ll]ocated|[Ff]ounded|[Ee]stablished|offices?|compan(?:y|ies)|firms?|start-?ups?|agency|banks?|retailers?|organi[sz]ations?|platform|services?|institutions?|university|insurers?|providers?|groups?|chain|manufacturers?|hospitals?|marketplace|portal|operators?|[Bb]orn|out) (?:out of|in|within|at|from)|(?:mit (?:Haupts|S)itz in|ansässig in|aus|(?:con|tiene su) sede en|con sede a|com sede em|basée? à|siège (?:social )?(?:est )?à|situ[ée]e? à|gevestigd in)) (?:(?:the )?(?:\p{Ll}{2,12} )?city of )?(?=(?:the )?\p{Lu})/gu;
/** Expressions other than "based in" and "headquartered in", which are less certain. */
const WEAK_HEADQUARTERS = /^(?!based|head)/i;
const BASED = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}.]{1,20}(?: \p{Lu}\p{L}{1,20}){0,2})-based\b/gu;
const SUPERLATIVE_OF =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}.]{1,20}(?: \p{Lu}\p{L}{1,20}){0,2})['’]s? (?:own |very )?(?:\w{2,12}[- ])?(?:largest|leading|biggest|oldest|first|number one|no\. ?1|top|premier|most|main|national|favou?rite|fastest[- ]growing|only|foremost|state-owned|government-owned|publicly owned|central|national)\b/gu;
const SUPERLATIVE_IN =
  /\b(?:largest|leading|biggest|oldest|premier|top|most popular|number one|market leader) (?:[\p{Ll}-]{2,20} ){0,6}(?:in|within) (?=(?:the )?\p{Lu})/gu;
const DEMONYM = /(?<![\p{L}\p{N}])(\p{Lu}\p{Ll}{3,12}|U\.S\.|US|U\.K\.|UK)(?=[ -]\p{Ll})/gu;
const SELF_REFERENCE =
  /\b(?:we are|we['’]re|our (?:company|firm|client|customer|bank|organi[sz]ation)|my (?:company|firm|employer|university)|i work|i am|i['’]m|the (?:\p{L}{2,20} )?(?:company|firm|client|organi[sz]ation|startup)|this (?:\w{2,20} ){0,3}(?:company|firm|bank|start-?up|client|organi[sz]ation|project|insurer|retailer|developer|consultant|consultancy|institution|student|engineer))\b|^(?:It|Its|They|Their)\b/iu;

interface CountryEvidence {
  readonly code: string;
  readonly weight: number;
  readonly sentence: string;
}

/** The country of the client's headquarters; null when the page states none, or several with similar evidence. */
export function findCountry(
  page: PageText,
  story: readonly StorySentence[],
  client: KnownClient | null,
  places: Places,
): FoundCountry | null {
  const labelled = labelledCountry(page, story, places);
  if (labelled) return labelled;
  const evidence: CountryEvidence[] = client === null ? [] : [...countriesOfName(client, places)];
  let body = 0;
  for (const { text, place } of story) {
    if (place === "heading") continue;
    if (place === "body") body += 1;
    if (body > MAX_SENTENCES) break;
    const sentence = text.slice(0, MAX_SENTENCE);
    const isNamed = client?.spellings.some((form) => sentence.includes(form)) ?? false;
    const isAboutClient = isNamed || SELF_REFERENCE.test(sentence);
    const isEarly = place !== "body" || body <= EARLY;
    // Later in a story, a place in a sentence that is not about the client may belong to anyone.
    const nearness = isNamed ? 1 : isAboutClient || place !== "body" ? 0.8 : body <= OPENING ? 0.65 : isEarly ? 0.5 : 0;
    if (nearness === 0) continue;
    if (place === "title")
      for (const { code, weight } of countriesOfTitle(sentence, places))
        evidence.push({ code, weight, sentence: text });
    if (isNamed && client !== null)
      for (const code of countriesBesideName(sentence, client, places))
        evidence.push({ code, weight: 0.7, sentence: text });
    for (const code of countriesBeforeKind(sentence, isNamed, places))
      evidence.push({ code, weight: 0.6, sentence: text });
    for (const { code, weight } of countriesIn(sentence, places))
      evidence.push({ code, weight: weight * nearness, sentence: text });
    if (place === "description" || (place === "body" && body <= INTRODUCTION))
      for (const code of countriesAround(sentence, places))
        evidence.push({ code, weight: AROUND * nearness, sentence: text });
    const address = place === "body" && text.length <= MAX_ADDRESS ? countryOfAddress(text, places) : undefined;
    if (address !== undefined) evidence.push({ code: address, weight: 0.6, sentence: text });
  }
  return mostLikely(evidence);
}

/** Sentences that introduce the client. */
const INTRODUCTION = 6;
const AROUND = 0.5;
const MAX_ADDRESS = 60;

/** "has baked in Melbourne since 1986", "27 schools outside Denver, Colorado", "from Perth to Cairns": where something is. */
function* countriesAround(text: string, places: Places): Generator<string> {
  for (const found of text.matchAll(AROUND_PLACE)) {
    if (ELSEWHERE.test(text.slice(Math.max(0, found.index - 40), found.index))) continue;
    const code = leadingPlace(text.slice(found.index + found[0].length), places);
    if (code !== undefined) yield code;
  }
}
const AROUND_PLACE =
  /\b(?:in|from|to|near|outside|across|around|en|de|aus|bei|à) (?:(?:northern|southern|eastern|western|central|rural|downtown) )?(?=(?:the )?\p{Lu})/gu;
/** What may be in another country than the company: its customers, its shops, a journey. */
const ELSEWHERE =
  /\b(?:customers?|users?|clients?|visitors|markets?|sales|stores?|offices|branches|expand\w*|expansion|launch\w*|shipp\w*|export\w*|import\w*|travel\w*|conference|summit|regions?|cent(?:er|re)s?|countries|manufactured|made)\b[^,.;]{0,25}$/i;

/** "Tampere, Finland": a line of its own. */
function countryOfAddress(text: string, places: Places): string | undefined {
  const [city = "", country = "", ...more] = text.split(", ");
  if (more.length > 0 || !/^\p{Lu}/u.test(city) || city.split(" ").length > 4) return undefined;
  return countryOfState(city, country, places) ?? (country.length > 3 ? places.countryInLabel(country) : undefined);
}

/** "Hangzhou Brackwater Technology Co.": registered names of Chinese companies start with their place. */
const PLACE_FIRST = "CN";

/** Countries that the client's name states: "China Unicom", "City of Montreal", "Hangzhou Brackwater Technology". */
function* countriesOfName({ name, spellings }: KnownClient, places: Places): Generator<CountryEvidence> {
  const codes = new Set<string>();
  for (const form of [name, ...spellings].slice(0, 10)) {
    const words = form.split(/\s+/).slice(0, 10);
    if (words.length === 1) continue;
    const city = /^(?:city|government|ministry|university|state|municipality|province) of (.+)$/i.exec(form)?.[1];
    const first = places.countryOf(words[0] ?? "");
    const code =
      (city === undefined ? undefined : places.countryOf(city)) ??
      (first === PLACE_FIRST ? first : undefined) ??
      words.map((word) => places.countryNamed(word.replace(/['’]s$/, ""))).find((one) => one !== undefined);
    if (code !== undefined) codes.add(code);
  }
  for (const code of codes) yield { code, weight: 0.75, sentence: name };
}

/** "Acme in Halifax", "Acme (Cork, Ireland)". */
function* countriesBesideName(text: string, { spellings }: KnownClient, places: Places): Generator<string> {
  for (const name of spellings.slice(0, 10)) {
    const at = text.indexOf(name);
    if (at < 0) continue;
    const after = /^,? ?(?:\(|(?:in|of|from|aus|à|en|de) (?=\p{Lu}))/u.exec(text.slice(at + name.length))?.[0];
    const code = after === undefined ? undefined : leadingPlace(text.slice(at + name.length + after.length), places);
    if (code !== undefined) yield code;
  }
}

/** "the Helsinki studio Acme", "The Ohio credit union has 28 branches", "on the Portuguese coast". */
function* countriesBeforeKind(text: string, isNamed: boolean, places: Places): Generator<string> {
  for (const { index, 1: place = "" } of text.matchAll(CITY_FIRST)) {
    if (!isNamed && !/\bthe $/i.test(text.slice(Math.max(0, index - 4), index))) continue;
    const code = places.wellKnown(place) ?? places.wellKnown(place.split(" ").at(-1) ?? "");
    if (code !== undefined) yield code;
  }
  if (!isNamed) return;
  for (const [, word = ""] of text.matchAll(
    /(?<!\p{L})(\p{Lu}\p{Ll}{3,12}) (?:coast|capital|city|town|countryside|islands?|alps)\b/gu,
  )) {
    const code = places.countryOfDemonym(word);
    if (code !== undefined) yield code;
  }
}
/** "the Berlin lighting start-up": a place before a kind of company. */
const CITY_FIRST =
  /(?<![\p{L}\p{N}])(\p{Lu}\p{L}{2,20}(?: \p{Lu}\p{L}{2,20})?) (?:\p{Ll}[\p{Ll}-]{1,20} ){0,3}(?:studio|start-?up|scale-?up|bank|retailer|agency|firm|company|insurer|credit union|university|hospital|brewery|maker|manufacturer|fintech|publisher|chain|charity)(?!\p{L})/gu;

/** Places with the estimated probability that they are the headquarters of the sentence's subject. */
function* countriesIn(text: string, places: Places): Generator<{ readonly code: string; readonly weight: number }> {
  for (const found of text.matchAll(HEADQUARTERS)) {
    const code = leadingPlace(text.slice(found.index + found[0].length), places);
    if (code !== undefined)
      yield { code, weight: /^offices?/i.test(found[0]) ? 0.4 : WEAK_HEADQUARTERS.test(found[0]) ? 0.6 : 0.95 };
  }
  for (const [, place = ""] of text.matchAll(BASED)) {
    const code = lastPlace(place, places) ?? places.countryOfDemonym(place);
    if (code !== undefined) yield { code, weight: 0.9 };
  }
  for (const [, place = ""] of text.matchAll(SUPERLATIVE_OF)) {
    const code = lastPlace(place, places);
    if (code !== undefined) yield { code, weight: 0.85 };
  }
  for (const found of text.matchAll(SUPERLATIVE_IN)) {
    const code = leadingPlace(text.slice(found.index + found[0].length), places);
    if (code !== undefined) yield { code, weight: 0.7 };
  }
  for (const found of text.matchAll(DEMONYM)) {
    const word = found[1] ?? "";
    const code = places.countryOfDemonym(word) ?? (/^U/.test(word) ? places.countryOf(word) : undefined);
    if (code === undefined) continue;
    const after =
      text.slice(found.index + found[0].length, found.index + found[0].length + 70).split(/[.;,:()]/, 1)[0] ?? "";
    const words = after.trim().split(/\s+/).slice(0, 5);
    if (
      words.some((word) => ORGANISATION.test(word)) &&
      !/^(?:market|customers?|users?|language|government|people|version|translation)/i.test(words[0] ?? "")
    )
      yield { code, weight: 0.75 };
  }
}

/** "… at the Ministry of Transport in France", "… on China's highways". */
function* countriesOfTitle(
  title: string,
  places: Places,
): Generator<{ readonly code: string; readonly weight: number }> {
  for (const found of title.matchAll(/(?:\b(?:in|of|for|across) (?:the )?)(?=\p{Lu})/gu)) {
    const run = nameRuns(title.slice(found.index + found[0].length))[0];
    const code = run?.start === 0 ? places.countryNamed(run.text) : undefined;
    if (code !== undefined) yield { code, weight: 0.5 };
  }
  for (const [, name = ""] of title.matchAll(/(?<!\p{L})(\p{Lu}\p{L}{3,20})['’]s(?!\p{L})/gu)) {
    const code = places.countryNamed(name);
    if (code !== undefined) yield { code, weight: 0.5 };
  }
}

/** "Munich, Germany and …": the country if it is named, else that of the city. */
function leadingPlace(text: string, places: Places): string | undefined {
  const run =
    /^(?:the )?(\p{Lu}[\p{L}.'’-]{0,25}(?: (?:of |de |and )?\p{Lu}[\p{L}.'’-]{0,25}){0,3})(?:, (\p{Lu}[\p{L}.'’-]{0,25}(?: \p{Lu}[\p{L}.'’-]{0,25}){0,2}))?(?:, (\p{Lu}[\p{L}.'’-]{0,25}(?: \p{Lu}[\p{L}.'’-]{0,25}){0,2}))?/u.exec(
      text,
    );
  if (!run) return undefined;
  const [, first = "", second = "", third = ""] = run;
  const of = (name: string) => (name === "" ? undefined : placeOf(name, places));
  const state = countryOfState(first, second, places);
  if (state !== undefined) return state;
  return (
    of(third) ?? of(second) ?? (second ? of(`${first}, ${second}`) : undefined) ?? of(first) ?? lastPlace(first, places)
  );
}

const placeOf = (name: string, places: Places) =>
  places.countryOf(name.replace(/['’]s?$/, "").replace(/\.$/, "")) ?? places.countryOf(name);

/** "Today Germany": the longest place at the end of the words. */
function lastPlace(run: string, places: Places): string | undefined {
  const words = run.split(" ");
  for (let at = 0; at < words.length; at++) {
    const code = placeOf(words.slice(at).join(" "), places);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Combines independent evidence (noisy-or). Null when no country is likely, or two are nearly equally likely. */
function mostLikely(evidence: readonly CountryEvidence[]): FoundCountry | null {
  const doubts = new Map<string, number>();
  for (const { code, weight } of evidence) doubts.set(code, (doubts.get(code) ?? 1) * (1 - weight));
  const ranked = [...doubts].map(([code, doubt]) => ({ code, chance: 1 - doubt })).sort((a, b) => b.chance - a.chance);
  const [first, second] = ranked;
  if (
    first === undefined ||
    first.chance < MIN_PROBABILITY ||
    (second !== undefined &&
      second.chance > first.chance - 0.2 &&
      1 - first.chance > MAX_DOUBT_RATIO * (1 - second.chance))
  )
    return null;
  const strongest = evidence
    .filter(({ code }) => code === first.code)
    .reduce((best, one) => (one.weight > best.weight ? one : best));
  return { code: first.code, sentence: strongest.sentence, confidence: Math.min(0.95, first.chance) };
}

const MIN_PROBABILITY = 0.45;
/** Most that the doubt about a country may be of the doubt about the second best. */
const MAX_DOUBT_RATIO = 0.5;

/** "Lyon, France", "Austin, TX", "South West England" and "Remote (Canada)" as labels have them. */
function countryOfValue(value: string, places: Places): string | undefined {
  const pieces = value.split(/[,;/|()•·]|\s[–—-]\s|\band\b/, 12).flatMap((piece) => piece.trim() || []);
  const state = countryOfState(pieces.at(-2) ?? "", pieces.at(-1) ?? "", places);
  if (state !== undefined) return state;
  const of = (piece: string) => places.countryInLabel(piece) ?? lastPlace(piece, places);
  const codes = new Set(pieces.flatMap((piece) => of(piece) ?? []));
  if (codes.size > 1 && pieces.length > 2) return undefined;
  return of(pieces.at(-1) ?? "") ?? (codes.size === 1 ? [...codes][0] : undefined);
}

/** The country of a city with its state: "DE" after Berlin is Germany, and Delaware after other cities. */
function countryOfState(city: string, state: string, places: Places): string | undefined {
  const code = /^\p{Lu}{2,3}$/u.test(state) && /^\p{Lu}/u.test(city) ? STATES.get(state) : undefined;
  return code !== undefined && places.wellKnown(city) === state ? state : code;
}

function labelledCountry(page: PageText, story: readonly StorySentence[], places: Places): FoundCountry | null {
  for (const { name, value, text } of labelledValues(page, story)) {
    const code = LABEL.test(name) ? countryOfValue(value, places) : undefined;
    if (code !== undefined) return { code, sentence: text, confidence: 0.95 };
  }
  return taggedCountry(story, places);
}

/** "Education · Canada · 25,000 students", or "Portland, OR" as an item of a list: a line of facts at the start. */
function taggedCountry(story: readonly StorySentence[], places: Places): FoundCountry | null {
  for (const { text } of factLines(story))
    for (const piece of text.split(/\s?[·|•]\s?|\s{2,}/, 8)) {
      const [first = "", second, ...more] = piece.split(", ");
      // "Coffee chain, 31 cafés, New Zealand".
      const last = more.length === 1 ? places.countryNamed(more[0] ?? "") : undefined;
      if (last !== undefined) return { code: last, sentence: text, confidence: 0.8 };
      const code =
        second === undefined
          ? (places.countryNamed(first) ?? (/^(?:US|USA|UK)$/.test(first) ? places.wellKnown(first) : undefined))
          : more.length === 0
            ? (countryOfState(first, second, places) ?? places.countryNamed(second))
            : undefined;
      if (code !== undefined) return { code, sentence: text, confidence: 0.8 };
    }
  return null;
}
