import type { SignalKind } from "../../vocabulary/signal.ts";
import type { Found } from "./places.ts";
import type { Place } from "./rule-of.ts";
import { entriesIn, readTagged, textsIn } from "./tagged.ts";

/** Which attribute of which element is an address that is kept. */
const ADDRESSES: Readonly<Record<string, SignalKind>> = {
  "script src": "html.script",
  "link href": "html.link",
  "img src": "html.image",
  "iframe src": "html.frame",
  "form action": "html.form",
  "a href": "html.anchor",
};
const LIVE = "the page is not run, and only addresses and meta tags are read from it";

/** What a set asks of the page's elements: selectors, or selectors with patterns for their attributes. */
export function placesInDom(dom: unknown): readonly Found[] {
  if (typeof dom === "string" || Array.isArray(dom)) {
    return textsIn(dom).flatMap((one) => (typeof one === "string" ? selectorsIn(one).map(foundBy) : placesInDom(one)));
  }
  return entriesIn(dom).flatMap(([selector, asked]) => {
    const parts = entriesIn(asked);
    const attributes = parts.flatMap(([key, raw]) => (key === "attributes" ? entriesIn(raw) : []));
    const others = parts.filter(([key]) => key !== "attributes" && key !== "exists");
    return [
      ...(parts.some(([key]) => key === "exists") ? selectorsIn(selector).map(foundBy) : []),
      ...attributes.map(([attribute, raw]) => foundByAttribute(selector, attribute, raw)),
      ...others.map(([key]) => ({ key: "dom", text: `${selector} ${key}`.slice(0, 200), refused: LIVE })),
    ];
  });
}

/** Selectors of a list; a comma inside a value would be cut, and what is left is then no address and refused. */
const selectorsIn = (list: string) =>
  list
    .slice(0, 4_000)
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean)
    .slice(0, 100);

/** `script[src*='vendor.com']`, `link[href^="https://vendor.com"]`, `meta[name='generator'][content^='Vendor']`. */
function foundBy(selector: string): Found {
  const found = { key: "dom", text: selector.slice(0, 200) };
  const last =
    selector
      .slice(0, 500)
      .split(/[\s>+~]+(?![^[]*\])/)
      .at(-1) ?? "";
  const [, tag, attribute, how = "", value = ""] =
    /^([a-z]{1,10})\[([a-z-]{1,30})([*^$]?)=\s{0,3}["']?([^"'\]]{1,200})["']?\s{0,3}i?\]$/i.exec(last) ?? [];
  const [, name, metaHow = "", content] =
    /^meta\[name=["']?([^"'\]]{1,60})["']?\](?:\[content([*^$]?)=["']?([^"'\]]{1,200})["']?\])?$/i.exec(last) ?? [];
  if (name !== undefined) {
    const place: Place = { see: "html.meta", name: name.toLowerCase(), ...RUNS, why: "meta tag of the page" };
    const tagged = readTagged(content === undefined ? "" : held(content, metaHow));
    return /\s/.test(name) || !tagged ? { ...found, refused: LIVE } : { ...found, tagged, place };
  }
  const see = ADDRESSES[`${tag?.toLowerCase()} ${attribute?.toLowerCase()}`];
  const tagged = readTagged(held(value, how === "" ? "=" : how));
  if (!see || !tagged) return { ...found, refused: LIVE };
  // An address in the page may be relative; what is kept is absolute.
  if (how !== "*" && !/^https?:\/\//.test(value)) return foundAnywhere(found, see, value);
  return { ...found, tagged, place: placeOf(see) };
}

function foundAnywhere(found: { key: string; text: string }, see: SignalKind, value: string): Found {
  const tagged = readTagged(held(value, "*"));
  return tagged ? { ...found, tagged, place: placeOf(see) } : { ...found, refused: LIVE };
}

function foundByAttribute(selector: string, attribute: string, raw: unknown): Found {
  const found = { key: "dom", text: `${selector} ${attribute}: ${raw}`.slice(0, 200) };
  const tag = /([a-z]{1,10})(?:[.#[][^\s]{0,200})?$/i.exec(selector.slice(0, 500))?.[1]?.toLowerCase();
  const see = ADDRESSES[`${tag} ${attribute.toLowerCase()}`];
  const tagged = readTagged(raw);
  return see && tagged && tagged.source !== ""
    ? { ...found, tagged, place: placeOf(see) }
    : { ...found, refused: LIVE };
}

const RUNS = { means: "runs", strength: "strong" } as const;
const placeOf = (see: SignalKind): Place =>
  see === "html.anchor"
    ? { see, means: "runs", strength: "weak", why: "link to the tool" }
    : { see, ...RUNS, why: "address that the page loads" };

/** The text of a selector as an expression. */
function held(text: string, how: string): string {
  const plain = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return `${how === "^" || how === "=" ? "^" : ""}${plain}${how === "$" || how === "=" ? "$" : ""}`;
}
