import { describe, expect, test } from "bun:test";
import { run } from "../../cli/fake-host.ts";
import { openFakeApp } from "../../services/fake-app.ts";
import { starterRecord, starterSet } from "./starter-examples.ts";

const SET = starterSet({ ferry: starterRecord("ferry"), tug: starterRecord("tug") });

async function installation() {
  const app = await openFakeApp({ starter: SET });
  return (...argv: string[]) => run(argv, { app });
}

describe("starter", () => {
  test.each([
    ["search", ["search", "ferry"], "Harbourline helps ferry"],
    ["companies", ["companies"], "harbourline.example"],
    ["export", ["export"], '"origin":"starter"'],
  ])("%s of a new installation includes the starter case studies", async (_, argv, expected) => {
    const { code, out } = await (await installation())(...argv);
    expect(code).toBe(0);
    expect(out).toContain(expected);
  });

  test("keys does not load them", async () => {
    const command = await installation();
    await command("keys");
    expect((await command("starter")).out).toBe(
      "State            not loaded yet\nIn this release  2\nIn the index     0\n",
    );
  });

  test("an exported and reimported case study is the user's: neither an upgrade nor a removal changes it", async () => {
    const app = await openFakeApp({ starter: SET });
    const { out } = await run(["export"], { app });
    const changed = out.replaceAll("Harbourline helps ferry", "Our ferry");
    expect((await run(["import", "own.jsonl"], { app, files: { "own.jsonl": changed } })).code).toBe(0);
    expect((await app.health.stats()).by_origin).toEqual({ starter: 1, submitted: 0, imported: 1 });
    await run(["starter", "remove"], { app });
    expect((await app.caseStudies.list({})).case_studies.map(({ title }) => title)).toEqual(["Our ferry"]);
  });

  test("are shown, removed and restored", async () => {
    const command = await installation();
    await command("search", "ferry");
    await command("studies", "remove", "harbourline--tug");
    await command("studies", "correct", "harbourline--ferry", "--set", 'country="NO"');
    expect((await command("starter", "status")).out.split("\n")).toEqual([
      "State            up to date",
      "In this release  2",
      "In the index     1",
      "Corrected        1",
      "",
    ]);
    const removed = await command("starter", "remove");
    expect([removed.code, removed.out, removed.left]).toEqual([
      0,
      "1 removed. To restore them: casefile starter restore\n",
      0,
    ]);
    expect((await command("search", "ferry")).out).toBe("No case studies found. Try other words or fewer filters.\n");
    expect((await command("starter", "restore")).out).toBe("2 restored.\n");
    expect(JSON.parse((await command("starter", "--json")).out)).toEqual({
      state: "current",
      enabled: true,
      records: 2,
      kept: 2,
      left_out: 0,
      corrected: 1,
      replaced: 0,
    });
  });
});
