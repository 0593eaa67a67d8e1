import { describe, expect, test } from "bun:test";
import { jsonOf } from "../http/opened.ts";
import { enrichmentOf, fakeVerbs } from "../services/fake-app.ts";
import { served } from "./served.ts";

/** Recordings of an invented company and of a real one. */
function recorded() {
  const { verbs } = fakeVerbs();
  return {
    verbs: {
      ...verbs,
      recordedDomains: async () => ["acme.com", "harbourline.example"],
      enrich: async (domain: string) => enrichmentOf(domain, { cached: true }),
    },
  };
}

describe("who has no key", () => {
  test("is told what is here and shown the invented company alone", async () => {
    const { answered } = await served(recorded());
    const told = await jsonOf(await answered("/console/start"));
    expect(told).toMatchObject({
      version: "1.2.3",
      examples: ["harbourline.example"],
      areas: expect.arrayContaining([{ area: "email and identity", categories: ["Email"] }]),
      preview: { domain: "harbourline.example", tools_detected: 3 },
      case_studies: [],
    });
    expect(JSON.stringify(told)).not.toContain("acme.com");
  });

  test("reads the example with its evidence, and no other recording", async () => {
    const { answered } = await served(recorded());
    const told = await jsonOf(await answered("/console/example/harbourline.example"));
    expect(told).toMatchObject({ domain: "harbourline.example", cached: true });
    expect(told.tools[0].evidence).toHaveLength(1);
    await expect(answered("/console/example/acme.com")).rejects.toMatchObject({ code: "key.invalid" });
    await expect(answered("/console/changes/acme.com")).rejects.toMatchObject({ code: "key.invalid" });
  });

  test("reads no case study that was brought in", async () => {
    const { answered, fill } = await served();
    await fill();
    await expect(answered("/console/studies/tidewell-brightpine")).rejects.toMatchObject({ code: "key.invalid" });
    expect((await jsonOf(await answered("/console/start"))).case_studies).toEqual([]);
  });

  test("learns nothing of keys", async () => {
    const { answered } = await served();
    await expect(answered("/console/usage")).rejects.toMatchObject({ code: "key.invalid" });
  });
});

describe("who has a key", () => {
  test("sees what is left of the month, which asking does not change", async () => {
    const { answered, app } = await served({ monthlyLimit: 7 });
    const { api_key } = await app.accounts.issue("ana@brightpine.test");
    for (let times = 0; times < 2; times += 1) {
      const told = await jsonOf(await answered("/console/usage", { "x-api-key": api_key }));
      expect(told).toMatchObject({ email: "ana@brightpine.test", limit: 7, remaining: 7 });
    }
  });

  test("is told that a company was never scanned", async () => {
    const { answered, app } = await served();
    const { api_key } = await app.accounts.issue("ana@brightpine.test");
    const told = await jsonOf(await answered("/console/changes/quayline.test", { "x-api-key": api_key }));
    expect(told).toEqual({ changes: null });
  });
});

test("a path of the console that is none is left to the API, which refuses it", async () => {
  const { ask } = await served();
  for (const path of ["/console/", "/console/start/more", "/console/%ff", "/console/example/%E0%A4%A"]) {
    const turn = await ask(path).catch((error) => error);
    expect(turn.response).toBeUndefined();
  }
});
