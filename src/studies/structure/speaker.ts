/** Who said something, as a page writes it. */
export interface Speaker {
  readonly person: string | null;
  readonly role: string | null;
}

const MAX_ATTRIBUTION = 200;
const MAX_ROLE = 120;

/** Words of positions. One of them makes a piece of text a role and no name. */
const ROLE =
  /\b(?:engineer|engineering|manager|management|director|head|chief|officer|c[teifoms]o|ciso|founder|co-founder|cofounder|lead|leader|architect|developer|president|vp|svp|evp|analyst|scientist|designer|consultant|administrator|admin|professor|owner|partner|principal|programmer|researcher|specialist|coordinator|operator|devops|sre|product|marketing|operations|sales|technology|platform|infrastructure|student|lecturer|maintainer|executive|supervisor|teacher|doctor|nurse|editor|technician|contributor|evangelist|strategist|advisor|team)s?\b/i;

const PARTICLES = "(?:de|del|della|der|den|van|von|da|di|la|le|el|al|bin|ibn|dos|ter|ten|zu)";
const NAME_WORD = "\\p{Lu}[\\p{L}'’.-]{0,30}";
const NAME = new RegExp(`^${NAME_WORD}(?: (?:${PARTICLES} ){0,2}${NAME_WORD}){1,4}$`, "u");
/** Words that begin with a capital and name nobody. */
const NO_NAME =
  /\b(?:The|This|Our|We|It|And|But|With|For|Inc|Ltd|GmbH|University|Company|Team|Group|Bank|Case|Study|Read|More|Learn|Cloud|Project)\b/;

/** "Jane Doe" and no role, company or sentence. */
export function isPersonName(text: string): boolean {
  return text.length <= 60 && NAME.test(text) && !NO_NAME.test(text) && !ROLE.test(text);
}

/** Reads "— Jane Doe, CTO at Harbour Freight", "Jane Doe - CTO, Harbour Freight", "Staff Engineer". Null: it names nobody. */
export function readAttribution(text: string): Speaker | null {
  const line = text
    .slice(0, MAX_ATTRIBUTION + 1)
    .replace(/^[\s—–―~-]{1,6}/, "")
    .replace(/^(?:by|says|said) /i, "")
    .trim();
  if (
    line === "" ||
    line.length > MAX_ATTRIBUTION ||
    /[.!?]["”]?\s\p{Lu}/u.test(line.replace(/\b(?:Dr|Mr|Ms|Mrs|Sr|Jr|St)\./g, ""))
  )
    return null;
  const [first = "", ...rest] = line
    .split(/\s{0,3}[,|(]\s{0,3}|\s[-–—:]\s/, 6)
    .map((part) => part.replace(/[).]$/, "").trim());
  const name = nameInTitleCase(first.replace(/^(?:Dr|Mr|Ms|Mrs|Prof)\.?\s/, ""));
  if (isPersonName(name)) return { person: name, role: roleOf(rest) };
  const role = roleOf([first, ...rest]);
  return role !== null && role.split(" ").length <= 10 ? { person: null, role } : null;
}

function roleOf(parts: readonly string[]): string | null {
  const role = parts
    .filter((part) => part !== "")
    .map(inTitleCase)
    .join(", ")
    .replace(/^(?:an?|the|our|one of (?:the|our)) /i, "");
  return role.length > MAX_ROLE || !ROLE.test(role) ? null : role;
}

/** "Haifeng LIU" is "Haifeng Liu". */
const nameInTitleCase = (name: string) =>
  name.replace(/\p{Lu}{3,40}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());

/** "HAOJIE HANG" is "Haojie Hang"; short words stay as they are: "CTO", "IT". */
function inTitleCase(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text
    .replace(/\p{Lu}{4,40}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase())
    .replace(/\b(OF|AND|THE|FOR|AT|IN)\b/g, (word) => word.toLowerCase());
}

const SAYS =
  "(?:says|said|say|explains|explained|adds|added|notes|noted|recalls|recalled|comments|commented|states|stated|reports|reported|shares|shared|tells|told us|points out|concludes|concluded|remarks|remarked|observes|according to)";
const AFTER = new RegExp(`^[\\s,.]{0,3}(?:${SAYS}|as)\\s(.{3,200})`, "u");
const AFTER_NAME = new RegExp(`^[\\s,.]{0,3}(.{3,120}?),?\\s${SAYS}\\b`, "u");
const BEFORE = new RegExp(`(.{3,160}?),?\\s${SAYS}\\s?[:,]?\\s{0,2}$`, "u");

/** Who says what stands in quotation marks, from the words beside it: 'says Jane Doe, CTO of X.', 'Jane Doe, CTO, says:'. */
export function readSpeaker(before: string, after: string): Speaker | null {
  const told = AFTER.exec(after.slice(0, 240))?.[1];
  if (told !== undefined) {
    const speaker = readTold(told);
    if (speaker !== null) return speaker;
  }
  const named = AFTER_NAME.exec(after.slice(0, 160))?.[1];
  const ahead = named ?? BEFORE.exec(before.slice(-200))?.[1];
  return ahead === undefined ? null : readTold(ahead.split(/[.!?:”"]\s/).at(-1) ?? "");
}

/** "Jane Doe, CTO of X. Then …", "CTO Jane Doe", "X's CTO Jane Doe". */
function readTold(text: string): Speaker | null {
  const piece =
    text
      .split(
        /["“”;:]|[.!?](?:\s|$)|,\s(?:who|adding|and|but|as|in|on|when|while|because|which)\b|\s(?:who|when|while|because|about|in an)\s/,
        1,
      )[0]
      ?.trim() ?? "";
  const [first = "", ...rest] = piece.split(/,\s/, 4);
  const words = first.replace(/^(?:the|our)\s/i, "").split(/\s+/);
  if (isPersonName(words.join(" "))) return { person: words.join(" "), role: roleIn(rest) };
  // The role may stand before the name, and the name before the role without a comma.
  for (const size of [3, 2]) {
    const tail = words.slice(-size).join(" ");
    const lead = words.slice(0, -size).join(" ");
    if (words.length > size && isPersonName(tail) && ROLE.test(lead))
      return { person: tail, role: lead.replace(/^\S+['’]s\s/, "") };
  }
  return null;
}

function roleIn(parts: readonly string[]): string | null {
  const at = parts.findIndex((part) => ROLE.test(part));
  return at < 0 ? null : roleOf(parts.slice(at));
}
