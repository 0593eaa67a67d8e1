import { wordSet } from "../word-lists.ts";
import { type Amount, isRemainder } from "./amounts.ts";
import { CLAUSE_ENDS, type Token } from "./tokens.ts";
import { type Change, changeOf, isBurden, isPlural, meaningOf, singularOf } from "./words.ts";

/** What a sentence says about a figure, or about a change without one. */
export interface Statement {
  /** What is measured, at most six words; null when the sentence has no readable phrase for it. */
  readonly noun: string | null;
  readonly kind: "change" | "level" | "qualitative";
  readonly direction: "increase" | "decrease" | "absolute";
  /** Good for the client. */
  readonly better: boolean;
}

/** The words that a statement is about: a figure, or a word of change. */
export interface Place {
  readonly tokens: readonly Token[];
  /** Index of the first token of the figure, and of the one after its last. */
  readonly from: number;
  readonly to: number;
  /** Null for a change without a figure. */
  readonly amount: Amount | null;
  /** The figure of the earlier state. */
  readonly before: Amount | null;
}

/** A word of change and its index in the sentence. */
interface ChangeWord {
  readonly change: Change;
  readonly at: number;
}

const WORDS_BEFORE = 14;
const WORDS_AFTER = 5;
/** Punctuation inside a clause, and words that start another one. */
const MARKS_INSIDE = wordSet("- ( ) : / % [ ] * \" “ ” ' ’ ~ > <");
const CLAUSE_STARTERS = wordSet("and to while but with because as by which who that so");

/** The word of change that governs a figure: first after it ("40% fewer"), then before it ("cut costs by 40%"). */
export function findChange({ tokens, from, to, amount, before }: Place): ChangeWord | null {
  if (amount === null) return EASE.test(tokens[from]?.word ?? "") ? null : changeAt(tokens, from);
  // "doubled", "halved": the figure is itself the word of change.
  if (
    amount.inWords &&
    tokens[from]?.kind === "word" &&
    to === from + 1 &&
    changeOf(tokens[from]?.word ?? "") !== undefined
  )
    return changeAt(tokens, from);
  const isRatio = amount.dimension === "percent" || amount.dimension === "multiple" || amount.dimension === "points";
  const isSize = isRatio || amount.dimension === "money";
  const reach = isSize || before !== null ? WORDS_AFTER : amount.unit === "count" || amount.unit === null ? 1 : 3;
  for (let at = to; at < Math.min(tokens.length, to + reach); at++) {
    const token = tokens[at];
    if (!token || (token.kind === "mark" && !MARKS_INSIDE.has(token.word))) break;
    if (CLAUSE_STARTERS.has(token.word)) break;
    if (!isSize && LINKS.has(token.word)) break;
    const found = changeAt(tokens, at);
    if (found !== null) return found;
  }
  const isBy = tokens[skipQualifiers(tokens, from) - 1]?.word === "by";
  const isTo = isAfterTo(tokens, from);
  const isJoined = isRatio && tokens[skipQualifiers(tokens, from) - 1]?.word === "and";
  for (let at = from - 1; at >= Math.max(0, from - WORDS_BEFORE); at--) {
    const token = tokens[at];
    if (!token || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) break;
    if (token.kind === "figure" && before === null && !isBy && !isTo && !isJoined) break;
    const found = changeAt(tokens, at);
    if (found === null) continue;
    // "build and scale 60 pipelines" states a level; "eliminated 300 servers" a change.
    if (isSize || before !== null || isBy || isTo || (from - at <= 2 && found.change === "down")) return found;
    if (found.change === "save" && from - at <= 5) return found;
    break;
  }
  return null;
}

const QUALIFIERS = wordSet(
  "up over about more fewer than around nearly roughly as few little much an a just only some approximately almost at least under less well whopping impressive now mere the ~ > < + average of",
);

/** The index after the word that "more than 60" qualifies. */
export function skipQualifiers(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at > 0 && at > from - 6 && QUALIFIERS.has(tokens[at - 1]?.word ?? "")) at -= 1;
  return at;
}

/** "reduced to 10 minutes", "grew to more than 200", and not "up to 200": the figure is what was reached. */
export function isAfterTo(tokens: readonly Token[], from: number): boolean {
  const at = skipQualifiers(tokens, from);
  const word = tokens[at - 1]?.word;
  return word === "into" || (word === "to" && tokens[at - 2]?.word !== "up");
}

/** Null for qualifiers such as "more than 60", "up to 200" and "no less than". */
function changeAt(tokens: readonly Token[], at: number): ChangeWord | null {
  const word = tokens[at]?.word ?? "";
  const next = tokens[at + 1]?.word ?? "";
  const previous = tokens[at - 1];
  if (/^(?:no|zero|quickly)$/.test(word) || (word === "free" && next !== "up")) return null;
  if (next === "than" && previous?.kind !== "figure" && !/^(?:%|x|times|percent|points?)$/.test(previous?.word ?? ""))
    return null;
  if (word === "up" && next === "to" && !/^(?:went|gone|go|goes|grew|shot|moved|is|are)$/.test(previous?.word ?? ""))
    return null;
  if ((word === "down" && next === "time") || (word === "below" && previous?.word === "or")) return null;
  if (
    (word === "up" || word === "down") &&
    /^(?:set|setting|sets|spin|spinning|spun|make|makes|back|come|bring|end|ended|pick|sign|break|breaks|follow|catch|start|starting|look|open|opened|opens)$/.test(
      previous?.word ?? "",
    )
  )
    return null;
  const change = changeOf(word);
  return change === undefined ? null : { change, at };
}

/** Without a figure these are claims about the product more often than results. */
const EASE = /^(?:easier|simpler|simplif\w{1,4})$/;

/** Words that end a phrase. */
const STOPS = wordSet(`
  a an the this these those that which who whose when where while as if than then and or but so because since not no nor
  is are was were be been being am has have had having do does did done can could will would should may might must
  it its they their them we our us you your he his she her him i my me
  at by from with within into onto over under across through during after before without against between among using via
  thanks due up down out off about around approximately nearly almost only just even also still now today already ever
  more less fewer longer compared further significantly dramatically drastically considerably substantially greatly sharply
  each every both all any some most many much several few such other own same very too again
  get gets got see sees saw seen make makes made help helps helped helping allow allows allowed enable enables enabled
  enabling give gives gave achieve achieves achieved achieving deliver delivers delivered reach reached reaches went go goes
  half third quarter led resulted resulting come comes came use uses used let lets
  year month week day quarter months years weeks days annually yearly monthly daily weekly overnight
`);
/** Prepositions inside a phrase: "mean time to recovery", "costs of real-time jobs", "cost per lead". */
const JOINTS = wordSet("of per for to in on");
/** Words before a phrase that belong to no phrase. */
const OPENERS = wordSet(
  "the a an our its their his her your my all of in on for overall total any some this these those both most own very such each every",
);
const MAX_NOUN_WORDS = 6;

const isName = (token: Token | undefined) => token?.kind === "word" || token?.kind === "other";
const isJoiner = (tokens: readonly Token[], at: number) =>
  /^[-/&.+#]$/.test(tokens[at]?.word ?? "") &&
  tokens[at]?.glued === true &&
  tokens[at + 1]?.glued === true &&
  isName(tokens[at + 1]);

/** The noun phrase that starts at a token: "the number of support tickets by" → number of support tickets. */
function phraseAfter(tokens: readonly Token[], start: number, isObject = false): string | null {
  let at = start;
  while (
    (OPENERS.has(tokens[at]?.word ?? "") && !isJoiner(tokens, at + 1)) ||
    /^["“'‘[(*:]$/.test(tokens[at]?.word ?? "")
  )
    at += 1;
  const from = at;
  let words = 0;
  for (; at < tokens.length && words < MAX_NOUN_WORDS; at++) {
    const token = tokens[at];
    if (!token) break;
    if (isJoiner(tokens, at)) {
      words -= 1;
      continue;
    }
    if (!isName(token)) break;
    const next = tokens[at + 1];
    // Parts of "click-through" and "on-time" end no phrase.
    if (isJoiner(tokens, at + 1) || (at > from && isJoiner(tokens, at - 1))) {
      words += 1;
      continue;
    }
    if (JOINTS.has(token.word)) {
      if (at === from || !isJointed(tokens, at)) break;
    } else if (token.word === "and" && isObject) {
      if (!endsBeforeFigure(tokens, at + 1) && !sharesHead(tokens, from, at)) break;
    } else if (STOPS.has(token.word) && !(token.word === "time" && next !== undefined)) break;
    else if (at > from && changeOf(token.word) !== undefined && !/^(?:savings|growth)$/.test(token.word)) break;
    words += 1;
  }
  return trimmed(tokens, from, at);
}

/** "time to market", "number of tickets", "cost per lead", and not "costs in 2 years", "speed for customers". */
function isJointed(tokens: readonly Token[], at: number): boolean {
  const { word = "" } = tokens[at] ?? {};
  let next = at + 1;
  while (OPENERS.has(tokens[next]?.word ?? "") && next < at + 3) next += 1;
  const token = tokens[next];
  if (!isName(token) || (token !== undefined && STOPS.has(token.word) && word !== "per")) return false;
  const previous = tokens[at - 1]?.word ?? "";
  if (word === "of" || word === "per") return true;
  if (word === "to")
    return /^(?:times?|speed|path|order|lead|cost)$/.test(previous) && !/^(?:figure|other)$/.test(token?.kind ?? "");
  return word === "on"
    ? /^(?:spent|spend|time|return)$/.test(previous)
    : word === "in"
      ? previous === "investment"
      : false;
}

/** "configuration and maintenance efforts by 50%": the words after "and" belong to the object of the verb. */
function endsBeforeFigure(tokens: readonly Token[], start: number): boolean {
  for (let at = start; at < start + 5; at++) {
    const token = tokens[at];
    if (token?.word === "by" || token?.word === "from") return true;
    if (!isName(token) || token === undefined || STOPS.has(token.word)) return false;
  }
  return false;
}

/** "development and maintenance costs": only the words after "and" name what is measured. */
function sharesHead(tokens: readonly Token[], from: number, at: number): boolean {
  const left = trimmed(tokens, from, at);
  const right = phraseAfter(tokens, at + 1);
  return left !== null && right !== null && isBurden(left) === null && isBurden(right) !== null;
}

/** The noun phrase that ends before a token: "Our deployment frequency has been" → deployment frequency. */
function phraseBefore(tokens: readonly Token[], end: number, isInner = false): string | null {
  let to = end;
  // Auxiliaries and adverbs between the subject and its verb.
  while (
    to > 0 &&
    (LINKS.has(tokens[to - 1]?.word ?? "") ||
      /^\w{3,}ly$/.test(tokens[to - 1]?.word ?? "") ||
      /^["”'’)*:]$/.test(tokens[to - 1]?.word ?? ""))
  )
    to -= 1;
  // "reports are completed 3x faster", "results are available in 2 hours".
  if (
    /(?:ed|available|ready|done|possible)$/.test(tokens[to - 1]?.word ?? "") &&
    /^(?:is|are|was|were|be|been|being)$/.test(tokens[to - 2]?.word ?? "")
  )
    to -= 2;
  let at = to;
  let words = 0;
  while (at > 0 && words < MAX_NOUN_WORDS + 1) {
    const token = tokens[at - 1];
    if (!token) break;
    if (isJoiner(tokens, at - 1)) {
      at -= 2;
      continue;
    }
    const isJoint =
      token.word === "of" ||
      token.word === "per" ||
      token.word === "for" ||
      (token.word === "to" && /^times?$/.test(tokens[at - 2]?.word ?? ""));
    // "the cost of the platform": an article after a preposition is inside the phrase.
    if (OPENERS.has(token.word) && /^(?:of|\w{2,}ing)$/.test(tokens[at - 2]?.word ?? "")) {
      at -= 1;
      continue;
    }
    if (
      !isName(token) ||
      (STOPS.has(token.word) && !isJoint) ||
      (token.word !== "for" && JOINTS.has(token.word) && !isJoint)
    )
      break;
    if (token.word.length > 2 && /['’]s$/.test(token.word)) break;
    // "K" of "240K annual savings".
    if (token.glued && tokens[at - 2]?.kind === "figure" && !isJoiner(tokens, at - 2)) break;
    if (changeOf(token.word) !== undefined) break;
    words += 1;
    at -= 1;
  }
  const phrase = trimmed(tokens, at, to);
  // "Waiting times at the counter fell": the measure is before the preposition.
  const place = at - (OPENERS.has(tokens[at - 1]?.word ?? "") ? 2 : 1);
  if (!isInner && PLACE_PREPOSITIONS.has(tokens[place]?.word ?? "")) {
    const measure = phraseBefore(tokens, place, true);
    if (measure !== null && isBurden(measure) !== null) return measure;
  }
  return phrase;
}

const PLACE_PREPOSITIONS = wordSet("at in for from on with between among across within of");
const LINKS = wordSet(
  "is are was were be been being has have had now also then already went gone go goes going by to were being will",
);

/** The words of a range without edges that are no part of a phrase; at most six. */
function trimmed(tokens: readonly Token[], start: number, end: number): string | null {
  let from = start;
  let to = end;
  const isEdge = (at: number) => {
    const token = tokens[at];
    if (isJoiner(tokens, at + 1) || isJoiner(tokens, at - 1)) return false;
    return (
      token !== undefined &&
      (!isName(token) || JOINTS.has(token.word) || STOPS.has(token.word) || OPENERS.has(token.word))
    );
  };
  while (from < to && isEdge(from)) from += 1;
  while (to > from && isEdge(to - 1)) to -= 1;
  const words: string[] = [];
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (!token || (OPENERS.has(token.word) && !JOINTS.has(token.word) && !isJoiner(tokens, at + 1))) continue;
    const text =
      isWritten(token) || isNamePlace(tokens, at) || token.word.length !== token.text.length ? token.text : token.word;
    if (token.glued && words.length > 0) words[words.length - 1] += text;
    else words.push(text);
  }
  while (words.length > MAX_NOUN_WORDS) words.shift();
  const noun = words.join(" ").replace(/['’]s?$/, "");
  return /\p{L}{2}/u.test(noun) &&
    noun.length <= 80 &&
    !POOR.has(noun) &&
    !/^(?:(?:two|three|four|five|ten|multiple|several|many) )?times$/.test(noun)
    ? noun
    : null;
}

/** Acronyms and names keep their capitals: "CI/CD", "GPU", "GitHub". */
const isWritten = ({ text }: Token) => /^.+[A-Z]/.test(text) || /\d/.test(text);
/** A capital inside a sentence is a name's. */
const isNamePlace = (tokens: readonly Token[], at: number) => at > 0 && !/^[.:!?"“*]$/.test(tokens[at - 1]?.word ?? "");
/** Phrases that say nothing. */
const POOR = wordSet(`
  there that this what customers team teams company users people work things way results result impact number lot kind
  improvement improvements increase decrease reduction difference amount total average rate everything something them
  platform product solution system first last next past one annual yearly monthly weekly daily overall estimated
`);

/** Verbs of change whose subject changes; the object of the others does. */
const INTRANSITIVE =
  /^(?:fell|fall|falls|fallen|falling|rose|rise|rises|risen|rising|grew|grow|grown|grows|growing|went|dropped|drops|declined|declines|climbed|jumped|surged|plummeted|shrank|shrunk|down|up|doubled|tripled|quadrupled|halved|better|faster|quicker|lower|higher)$/;
const NOUN_FORM =
  /^(?:reductions?|decrease|increase|increases|drop|decline|cuts?|growth|gains?|boost|uplift|jump|rise|surge|improvements?|enhancement|savings?|speedups?|acceleration|expansion|fall)$/;
const COMPARATIVE =
  /^(?:less|fewer|more|higher|lower|smaller|shorter|greater|larger|cheaper|better|faster|quicker|additional|extra|stronger)$/;
const TIME_HEAD =
  /\b(?:times?|latency|duration|delays?|lag|downtime|outages?|cycles?|period|window|hours|effort|MTTR|MTTD|runtimes?|wait|work|uptime|lead|[a-zäöü]*zeit(?:en)?|délais?|durée|temps|tiempos?)\b/i;

/** "cut waiting time by 27% and fuel burn by 9%": the phrase after "and" belongs to the later figure. */
function coordinatedNoun(tokens: readonly Token[], at: number, { from }: Place): string | null {
  if (at >= from) return null;
  const and = tokens.findLastIndex(({ word }, index) => index > at && index < from && /^(?:and|,)$/.test(word));
  const hasEarlier = and > 0 && tokens.slice(at, and).some(({ kind }) => kind === "figure");
  const phrase = hasEarlier ? phraseAfter(tokens, and + 1, true) : null;
  const isObject = /^(?:by|from|to)$/.test(tokens[backFrom(tokens, from)]?.word ?? tokens[from - 1]?.word ?? "");
  return isObject ? phrase : null;
}

/** The phrase that a word of change is about. */
function changedNoun(tokens: readonly Token[], { change, at }: ChangeWord, place: Place): string | null {
  const coordinated = coordinatedNoun(tokens, at, place);
  if (coordinated !== null) return coordinated;
  const word = tokens[at]?.word ?? "";
  const isAfter = at >= place.to;
  if (change === "save") return savedNoun(tokens, at, place);
  if (NOUN_FORM.test(word) && !(INTRANSITIVE.test(word) && !isAfter)) {
    const next = tokens[at + 1]?.word ?? "";
    if (/^(?:in|of|to|on|for)$/.test(next) && at + 2 !== place.from) {
      const phrase = phraseAfter(tokens, at + 2, true);
      if (phrase !== null && !/^\d/.test(phrase)) return phrase;
    }
    // "a reduction of 40% in build time", "an increase by 12% in sales".
    if (!isAfter && /^(?:in|of|to)$/.test(tokens[place.to]?.word ?? "")) {
      const phrase = phraseAfter(tokens, place.to + 1);
      if (phrase !== null) return phrase;
    }
    const object = isAfter ? null : phraseAfter(tokens, at + 1, true);
    if (object !== null) return object;
    const compound = phraseBefore(tokens, at);
    if (compound !== null && !(isAfter && at === place.to)) return compound;
    return phraseBefore(tokens, at);
  }
  if (COMPARATIVE.test(word)) {
    const object = phraseAfter(tokens, at + 1);
    if (object !== null) return object;
    if (place.amount?.dimension === "duration" && change === "down") return savedNoun(tokens, at, place);
    return phraseBefore(tokens, isAfter ? backFrom(tokens, place.from) : at);
  }
  if (!isAfter || place.amount === null) {
    const isPassive =
      LINKS.has(tokens[at - 1]?.word ?? "") &&
      /(?:ed|cut|sped|down|up)$/.test(word) &&
      (tokens[at - 1]?.word ?? "") !== "to" &&
      !/^(?:has|have|had|also|now|then)$/.test(tokens[at - 1]?.word ?? "");
    const object = isPassive
      ? null
      : phraseAfter(tokens, tokens[at + 1]?.word === "up" || tokens[at + 1]?.word === "down" ? at + 2 : at + 1, true);
    return object ?? phraseBefore(tokens, at);
  }
  return phraseAfter(tokens, at + 1, true) ?? phraseBefore(tokens, backFrom(tokens, place.from));
}

/** "saved 15 hours a week on reporting" → time spent on reporting; "saves $2 million in hosting costs" → hosting costs. */
function savedNoun(tokens: readonly Token[], at: number, { amount, to, from }: Place): string | null {
  for (const start of [at < to ? to : at + 1, to]) {
    for (let next = start; next < Math.min(tokens.length, start + 6); next++) {
      const token = tokens[next];
      if (!token || (token.kind === "mark" && !MARKS_INSIDE.has(token.word))) break;
      if (/^(?:on|in|of|for)$/.test(token.word)) {
        const phrase = phraseAfter(tokens, next + 1, true);
        if (phrase === null) continue;
        return amount?.dimension === "duration" && !TIME_HEAD.test(phrase) ? `time spent on ${phrase}` : phrase;
      }
    }
  }
  const isNounForm = /^savings?$/.test(tokens[at]?.word ?? "");
  const compound = isNounForm ? phraseBefore(tokens, at) : at < from ? null : phraseAfter(tokens, at + 1);
  if (amount?.dimension === "duration") return "time spent";
  if (amount?.dimension === "money") return compound ?? "costs";
  return compound ?? (at < from || amount === null ? phraseAfter(tokens, at + 1, true) : null);
}

/** The end of the words before a figure: "builds are now up to 5x faster" → after "builds". */
function backFrom(tokens: readonly Token[], from: number): number {
  let at = from;
  while (
    at > 0 &&
    /^(?:up|to|by|at|least|than|more|fewer|less|over|about|around|nearly|almost|approximately|roughly|as|few|little|only|just|an?|run|runs|is|are|now|~|>|\+|some|average|amazing|of|much)$/.test(
      tokens[at - 1]?.word ?? "",
    )
  )
    at -= 1;
  return at;
}

/** What a level measures: what is counted, what takes the time, what has the percentage. */
function levelNoun(place: Place): string | null {
  const { tokens, amount, from, to } = place;
  if (amount === null) return null;
  const lead = backFrom(tokens, from);
  const after = tokens[to]?.word ?? "";
  switch (amount.dimension) {
    case "count":
    case "bytes":
    case "rate": {
      if (amount.noun === "time") return timesNoun(tokens, from, amount);
      const counted = phraseAfter(tokens, after === "of" || after === ":" || after === "-" ? to + 1 : to);
      return counted === null
        ? amount.noun === null
          ? phraseBefore(tokens, lead)
          : amount.noun
        : withRate(counted, amount);
    }
    case "duration":
      return durationNoun(place);
    case "percent":
      if (after === "of" && isRemainder(tokens, from, to)) return phraseAfter(tokens, to + 3);
      if (after === "of") {
        const whole = phraseAfter(tokens, to + 1);
        return whole === null ? null : `share of ${whole}`;
      }
      return phraseAfter(tokens, to) ?? phraseBefore(tokens, lead);
    case "money":
      return (
        (/^(?:in|of)$/.test(after) ? phraseAfter(tokens, to + 1) : phraseAfter(tokens, to)) ??
        phraseBefore(tokens, lead)
      );
    default:
      return phraseAfter(tokens, after === "the" || after === "in" ? to + 1 : to) ?? phraseBefore(tokens, lead);
  }
}

const withRate = (noun: string, { per }: Amount) =>
  per === null || /\bper\b|\b(?:daily|weekly|monthly|hourly)\b/.test(noun) || noun.split(" ").length > 4
    ? noun
    : `${noun} per ${PERIOD.get(per) ?? per}`;
const PERIOD: ReadonlyMap<string, string> = new Map([
  ["sec", "second"],
  ["s", "second"],
  ["min", "minute"],
  ["hr", "hour"],
]);

/** "deploys to production 10 times a day" → deployments per day. */
function timesNoun(tokens: readonly Token[], from: number, amount: Amount): string | null {
  const words = tokens.slice(Math.max(0, from - 10), from).map(({ word }) => word);
  const event = words
    .map((word) => EVENTS.find(([verb]) => verb.test(word))?.[1])
    .findLast((noun) => noun !== undefined);
  const noun = event ?? phraseBefore(tokens, backFrom(tokens, from));
  return noun && withRate(noun, amount);
}
const EVENTS = [
  [/^deploy/, "deployments"],
  [/^(?:releas|ship)/, "releases"],
  [/^publish/, "publications"],
  [/^(?:run|runs|ran)$/, "runs"],
  [/^(?:build|built)/, "builds"],
] as const;

const DURATION_LEAD =
  /^(?:in|within|under|inside|takes?|took|taking|taken|needs?|requires?|required|lasts?|lasted|of|is|are|was|were|stays?|to|at|below|only|just)$/;
const VERB_MARK = /^(?:to|can|could|now|and|we|they|teams?|able|users?|developers?|customers?|you)$/;

/** "deploy new services in 5 minutes" → time to deploy new services; "a release takes 10 minutes" → release time. */
function durationNoun({ tokens, amount, from, to }: Place): string | null {
  const lead = backFrom(tokens, from);
  const isShort = amount !== null && amount.value * amount.size < MAX_UNNAMED_TIME;
  let at = lead;
  while (
    at > 0 &&
    (DURATION_LEAD.test(tokens[at - 1]?.word ?? "") ||
      /^(?:us|them|only|just|a|less|as|little)$/.test(tokens[at - 1]?.word ?? ""))
  )
    at -= 1;
  // "can be onboarded in an hour".
  const participle = tokens[at - 1]?.word ?? "";
  if (/ed$/.test(participle) && /^(?:be|is|are)$/.test(tokens[at - 2]?.word ?? "")) {
    let end = at - 2;
    while (/^(?:can|could|will|now|also)$/.test(tokens[end - 1]?.word ?? "")) end -= 1;
    const done = phraseBefore(tokens, end);
    if (done !== null)
      return `time until ${done} ${isPlural(done.split(" ").at(-1) ?? "") ? "are" : "is"} ${participle}`;
  }
  const following = /^(?:to|for)$/.test(tokens[to]?.word ?? "") ? tokens[to]?.word : null;
  const subject = phraseBefore(tokens, at);
  if ((subject === null || /^(?:it|only|process)$/.test(subject)) && following !== null && following !== undefined) {
    const verb = phraseAfter(tokens, to + 1);
    return verb === null ? null : `time ${following} ${verb}`;
  }
  if (subject === null) {
    const head = phraseAfter(tokens, to);
    if (head !== null && TIME_HEAD.test(head)) return head;
    return isShort && DURATION_LEAD.test(tokens[lead - 1]?.word ?? "") ? "time taken" : null;
  }
  if (TIME_HEAD.test(subject)) return subject;
  const words = subject.split(" ");
  const first = tokens.findIndex((token, index) => index < at && token.word === words[0]);
  const before = tokens[first - 1]?.word ?? "";
  if (VERB_MARK.test(before) && words.length > 1) return `time to ${subject}`;
  return words.length <= 3 ? `${singularHead(words)} time` : `time for ${subject}`;
}

/** In seconds, 30 days: what took longer than that is seldom a result unless the sentence names it. */
const MAX_UNNAMED_TIME = 2_592_000;

const singularHead = (words: readonly string[]) =>
  words.map((word, at) => (at === words.length - 1 && isPlural(word) ? singularOf(word) : word)).join(" ");

const HALVES = /^(?:half|halved|halving|halves)$/;

/** The statement about a figure or a change; `pair` figures have the same unit. */
export function readStatement(place: Place): Statement {
  const { tokens, amount, before, from } = place;
  const found = findChange(place);
  const sign = amount === null ? null : signBefore(tokens, from);
  const isRatio = amount?.dimension === "percent" || amount?.dimension === "multiple" || amount?.dimension === "points";
  const isChange =
    before !== null ||
    found !== null ||
    sign !== null ||
    amount?.dimension === "multiple" ||
    isHalf(place) ||
    isShorter(place);
  if (amount !== null && !isChange) {
    const noun = levelNoun(place);
    return { noun, kind: "level", direction: "absolute", better: true };
  }
  const raw =
    (found === null ? null : changedNoun(tokens, found, place)) ??
    (amount === null
      ? null
      : (pairNoun(place) ?? (sign !== null || isRatio ? levelNoun({ ...place, amount }) : levelNoun(place))));
  const phrase = raw ?? measureNear(place);
  const noun = phrase === null ? null : readable(phrase, found, place);
  const burden = noun === null ? null : isBurden(noun);
  const direction = directionOf(place, found, sign, burden);
  const better =
    found?.change === "better" ||
    found?.change === "faster" ||
    found?.change === "save" ||
    burden === null ||
    handlesMore(place, found)
      ? true
      : burden === (direction === "decrease");
  return {
    noun,
    kind: amount === null ? "qualitative" : "change",
    direction,
    better: direction === "absolute" || better,
  };
}

/** The nearest phrase of the sentence whose head is something that may be better or worse: "… with the same throughput". */
function measureNear({ tokens, from, amount }: Place): string | null {
  if (amount === null) return null;
  let best: { phrase: string; distance: number } | null = null;
  for (const [at, token] of tokens.entries()) {
    const distance = Math.abs(at - from);
    if (distance > MAX_DISTANCE || token.kind !== "word" || (best !== null && distance >= best.distance)) continue;
    if (changeOf(token.word) !== undefined || isBurden(token.word) === null) continue;
    const phrase = phraseBefore(tokens, at + 1);
    if (phrase !== null) best = { phrase, distance };
  }
  return best?.phrase ?? null;
}
const MAX_DISTANCE = 25;

/** "analysts investigate 5x more incidents", "agents handle 30% more tickets": more work is done. */
const handlesMore = ({ tokens, from }: Place, found: ChangeWord | null) =>
  tokens[found?.at ?? -1]?.word === "more" &&
  tokens
    .slice(Math.max(0, from - 3), from)
    .some(({ word }) => /^(?:investigat|clos|solv|fix|find|catch|caught)/.test(word) || meaningOf(word) === "handle");

/** "cut in half", "half the time", "at a tenth of the previous cost". */
const isHalf = ({ tokens, amount, from, to }: Place) =>
  amount?.dimension === "percent" &&
  amount.inWords &&
  (isRemainder(tokens, from, to) ||
    (HALVES.test(tokens[to - 1]?.word ?? "") && (tokens[from - 1]?.word === "in" || tokens[to]?.word === "the")));

/** "in half an hour instead of days": the earlier state has no figure. */
export const isShorter = ({ tokens, amount, to }: Place) =>
  amount?.dimension === "duration" &&
  /^[^.;]{0,40}(?:\b|(?=,))(?:instead of|rather than|compared (?:to|with)|as opposed to|versus|, not)\b[^.;]{0,40}\b(?:hours|days|weeks|months|years)\b/.test(
    tokens
      .slice(to, to + 18)
      .map(({ word }) => word)
      .join(" "),
  );

/** "Build time: 3 h → 10 min", "a release took two days; now it takes four minutes": the subject of the first figure. */
function pairNoun({ tokens, before, from, amount }: Place): string | null {
  if (before === null || amount === null) return null;
  const first = Math.min(before.from, from);
  let at = backFrom(tokens, first);
  while (
    at > 0 &&
    /^(?:from|went|gone|go|goes|down|up|used|to|take|took|takes?|taken|was|were|is|:|used|required|needed|cost|spent|about|between|an?)$/.test(
      tokens[at - 1]?.word ?? "",
    )
  )
    at -= 1;
  const subject = phraseBefore(tokens, at);
  if (subject === null || amount.dimension !== "duration" || TIME_HEAD.test(subject)) return subject;
  return `${singularHead(subject.split(" "))} time`;
}

/** "deployments are 5x faster" is about the speed of deployments. */
function readable(noun: string, found: ChangeWord | null, { amount }: Place): string {
  const words = noun.split(" ");
  if (
    found?.change !== "faster" ||
    amount?.dimension === "duration" ||
    TIME_HEAD.test(noun) ||
    /\b(?:speed|velocity|rate|throughput|performance)\b/.test(noun)
  ) {
    const isDuration = amount?.dimension === "duration" && found?.change !== "save" && words.length <= 4;
    return isDuration && !TIME_HEAD.test(noun) ? `${singularHead(words)} time` : noun;
  }
  return words.length <= 3 ? `${singularHead(words)} speed` : `speed of ${noun}`;
}

/** The sign of "+45%", "−30%", "↓ 12%". */
function signBefore(tokens: readonly Token[], from: number): "increase" | "decrease" | null {
  const mark = tokens[from - 1];
  if (mark?.kind !== "mark" || (from > 1 && mark.glued)) return null;
  if (mark.word === "+" || mark.word === "↑" || mark.word === "▲") return "increase";
  const isMinus = /^[-−–]$/.test(mark.word) && tokens[from]?.glued === true;
  return isMinus || mark.word === "↓" || mark.word === "▼" ? "decrease" : null;
}

function directionOf(
  place: Place,
  found: ChangeWord | null,
  sign: "increase" | "decrease" | null,
  burden: boolean | null,
): Statement["direction"] {
  const { amount, before } = place;
  if (before !== null && amount !== null && before.unit === amount.unit)
    return amount.value === before.value ? "absolute" : amount.value < before.value ? "decrease" : "increase";
  if (before !== null && amount !== null) {
    const scale = before.dimension === amount.dimension ? before.size : amount.size;
    return amount.value * amount.size < before.value * scale ? "decrease" : "increase";
  }
  if (sign !== null) return sign;
  switch (found?.change) {
    case "down":
      return "decrease";
    case "save":
      return burden === false ? "increase" : "decrease";
    case "up":
      return "increase";
    case "better":
    case "faster":
      if (found.change === "faster" && amount?.dimension === "duration") return "decrease";
      return burden === true ? "decrease" : "increase";
    default:
      return isHalf(place) || isShorter(place)
        ? "decrease"
        : amount?.dimension === "multiple"
          ? "increase"
          : "absolute";
  }
}
