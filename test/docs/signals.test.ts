import { expect, test } from "bun:test";
import { join } from "node:path";
import { SIGNAL_GROUPS, SIGNALS } from "../../src/detection/signals.ts";

/** The tables of `docs/detection.md` are complete: one row for each kind of signal, and one for each group. */

const text = await Bun.file(join(import.meta.dir, "../../docs/detection.md")).text();
const rowsOf = (title: string) => {
  const [, section = ""] = text.split(`\n| ${title} |`);
  const [table = ""] = section.split("\n\n");
  return table.trimEnd().split("\n").slice(2);
};

test("the documents explain each kind of signal", () => {
  expect(rowsOf("kind")).toEqual(
    Object.entries(SIGNALS).map(
      ([kind, { family, shape, about }]) => `| \`${kind}\` | ${family} | ${shape} | ${about} |`,
    ),
  );
});

test("the documents name the kinds of each group", () => {
  expect(rowsOf("group")).toEqual(
    Object.entries(SIGNAL_GROUPS).map(
      ([group, kinds]) => `| \`${group}\` | ${kinds.map((kind) => `\`${kind}\``).join(", ")} |`,
    ),
  );
});
