import { harbourline } from "./companies.ts";
import { snapshotOf } from "./snapshot-of.ts";

/** Where the example stands, from the root of the repository. */
export const EXAMPLE_PATH = "data/examples/harbourline.example.json";

/** From the block that RFC 5737 keeps for documentation. */
const ADDRESS = "192.0.2.21";

/** The recording of harbourline.example as the file holds it. */
export function exampleText(): string {
  const world = harbourline({ top: "example", address: ADDRESS });
  const occasion = { address: ADDRESS, at: new Date("2026-11-02T09:00:00Z"), origin: "casefile 0.1.0" };
  return `${JSON.stringify(snapshotOf(world, occasion), null, 2)}\n`;
}
