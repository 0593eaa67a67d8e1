import { join } from "node:path";
import { openBox } from "../../test/box/box.ts";
import { harbourline } from "../../test/box/companies/harbourline.ts";
import { IN_PDF, tidewell } from "../../test/box/tidewell/tidewell.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import type { Machine } from "./machine.ts";

/** Sites of an internet in a box on loopback: real DNS, real HTTPS, a listing with a PDF. */
export async function live({ run, ok, work, check }: Machine): Promise<void> {
  const [company, vendor] = [harbourline(), tidewell()];
  const box = await openBox({ ...company, companies: [...(company.companies ?? []), ...(vendor.companies ?? [])] });
  try {
    const flags = Object.entries(await flagsInto(box, join(work, "live"))).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [`--${name}`, String(one)]),
    );
    const list = await run(["enrich", "-", ...flags], { stdin: "harbourline.test\n# a comment\nabsent.test\n" });
    check("exits with 1 when a domain of a list failed", list.code === 1);
    const lines = jsonLines(list.out);
    const [found, absent] = ["harbourline", "absent"].map((name) =>
      lines.find(({ input }) => input === `${name}.test`),
    );
    check("scans a company over DNS and HTTPS", found?.tools_detected >= 25 && lines.length === 2);
    check("reports a domain that does not exist", absent?.code === "domain.not_found");

    const steps = jsonLines(
      await ok(["crawl", "https://tidewell.test/customers", "--company", "Tidewell", "--json", ...flags]),
    );
    check("reads case studies from a web site", steps.at(-1)?.type === "summary" && steps.at(-1).case_studies === 12);
    const kept = jsonLines(await ok(["export", "--no-starter", ...flags]));
    check(
      "reads one that is published as a PDF",
      kept.some(({ url }) => url.includes(IN_PDF)),
    );
  } finally {
    await box.close();
  }
}

const jsonLines = (text: string): ReturnType<typeof JSON.parse>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
