import { afterAll, beforeAll, expect, test } from "bun:test";

/** The history of a tab, as far as the router uses it. */
const entries: { url: string; state: unknown }[] = [{ url: "/lookup/acme.example", state: null }];
const top = () => entries.at(-1)!;
const browser = {
  location: {
    get pathname() {
      return new URL(top().url, "https://casefile.example").pathname;
    },
    get search() {
      return new URL(top().url, "https://casefile.example").search;
    },
  },
  history: {
    get state() {
      return top().state;
    },
    pushState: (state: unknown, _: string, url: string) => entries.push({ url, state }),
    replaceState(state: unknown, _: string, url = top().url) {
      entries[entries.length - 1] = { url, state };
    },
  },
  scrollY: 0,
  scrollTo() {},
};
const before = Object.keys(browser).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

beforeAll(() => {
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
});

afterAll(() => {
  for (const [name, descriptor] of before)
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
});

test("a choice is an entry of the history, and so is a typed text, which a space alone does not begin", async () => {
  const { setFilter } = await import("../../src/console/ui/router.ts");
  const urls = () => entries.map(({ url }) => url.slice("/lookup/acme.example".length));
  setFilter("/lookup/acme.example?area=1");
  setFilter("/lookup/acme.example?area=1", { isTyped: true });
  for (const q of ["s", "st", "str"]) setFilter(`/lookup/acme.example?area=1&q=${q}`, { isTyped: true });
  expect(urls()).toEqual(["", "?area=1", "?area=1&q=str"]);
  setFilter("/lookup/acme.example?q=str");
  setFilter("/lookup/acme.example?q=stripe", { isTyped: true });
  expect(urls()).toEqual(["", "?area=1", "?area=1&q=str", "?q=str", "?q=stripe"]);
});
