import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * Writes `data/cities.json`, the larger cities of each country, from the city list of the npm package `city-timezones`:
 * `npx bun research/generate-cities.ts --cities cityMap.json --words words.json`. Left out: cities with fewer than 150,000
 * people, names that a city of another country has, and names that are English words.
 */
interface City {
  readonly city: string;
  readonly city_ascii: string;
  readonly iso2: string;
  readonly pop: number;
}
const MIN_PEOPLE = 150_000;
/** The largest city of a name must have this many times the people of one in another country. */
const DOMINANCE = 8;

const { values } = parseArgs({ options: { cities: { type: "string" }, words: { type: "string" } } });
if (values.cities === undefined || values.words === undefined) {
  console.error("usage: npx bun research/generate-cities.ts --cities FILE --words FILE");
  process.exit(2);
}
const cities: readonly City[] = await Bun.file(values.cities).json();
const words = new Set<string>(await Bun.file(values.words).json());
const byName = Map.groupBy(
  cities.flatMap((city) =>
    [...new Set([city.city, city.city_ascii])].map((name) => ({ ...city, name: name.toLowerCase() })),
  ),
  ({ name }) => name,
);
const lists = new Map<string, string[]>();
for (const [name, same] of byName) {
  const largest = same.reduce((a, b) => (b.pop > a.pop ? b : a));
  const others = same.filter(({ iso2 }) => iso2 !== largest.iso2);
  if (largest.pop < MIN_PEOPLE || others.some(({ pop }) => pop * DOMINANCE > largest.pop)) continue;
  if (!/^\p{L}[\p{L} '.-]{2,40}$/u.test(name) || words.has(name) || !/^[A-Z]{2}$/.test(largest.iso2)) continue;
  lists.set(largest.iso2, [...(lists.get(largest.iso2) ?? []), name]);
}
const sorted = [...lists].sort().map(([code, names]) => `  ${JSON.stringify(code)}: ${JSON.stringify(names.sort())}`);
await Bun.write(join(import.meta.dir, "../data/cities.json"), `{\n${sorted.join(",\n")}\n}\n`);
console.log(`${[...lists.values()].flat().length} cities of ${lists.size} countries`);
