import { expect, test } from "bun:test";
import { Failure } from "../../../src/core/errors.ts";
import { type Check, checkInstallation, type Installation } from "../../../src/health/doctor.ts";

const unasked = (what: string) => () => Promise.reject(new Error(`${what} was asked`));

/** Everything is sound, and nothing native may be run. */
const SOUND: Installation = {
  store: {
    health: async () => ({ fault: null, schema: 1, caseStudies: 0, passages: 0 }),
    outbox: { depth: async () => 0 },
    stats: {},
  } as unknown as Installation["store"],
  encoder: unasked("the model"),
  index: unasked("the index"),
  intake: {
    intakeState: async () => ({ jobs: { dead: 0, waiting: 0, running: 0 }, mails: {}, mailConfigured: false }),
  } as unknown as Installation["intake"],
  unpackDir: "/data/native",
  damagedNatives: async () => [],
};

const checked = async (parts: Partial<Installation>): Promise<Map<string, Check>> =>
  new Map((await Array.fromAsync(checkInstallation({ ...SOUND, ...parts }))).map((check) => [check.id, check]));

test("an unpacked native part that was changed is named with its remedy, and what needs it is not run", async () => {
  const checks = await checked({ damagedNatives: async () => ["lancedb.node", "libonnxruntime.so.1"] });
  expect(checks.get("native-parts")).toMatchObject({
    status: "failed",
    detail: "They are not what the program carries: lancedb.node, libonnxruntime.so.1.",
    remedy: "Stop every casefile and remove /data/native; the next start unpacks them anew.",
  });
  expect(checks.get("model")).toMatchObject({ status: "skipped", detail: "It needs the native parts." });
  expect(checks.get("search-index")?.status).toBe("skipped");
});

test("native parts that cannot be read are not run either", async () => {
  const checks = await checked({ damagedNatives: () => Promise.reject(new Error("EIO")) });
  expect([checks.get("native-parts")?.status, checks.get("model")?.status]).toEqual(["failed", "skipped"]);
});

test("whole ones are run", async () => {
  const checks = await checked({});
  expect(checks.get("native-parts")).toMatchObject({ status: "ok", remedy: null });
  expect(checks.get("model")).toMatchObject({ status: "failed", detail: "the model was asked" });
});

test.each([
  ["model.invalid", "It was changed.", "Use another, then remove it; or wait."],
  ["model.unavailable", "It was changed; use another, then remove it; or wait.", /^Let this user write the data dir/],
] as const)("a model that is refused with %s is told with the remedy that fits", async (code, detail, remedy) => {
  const encoder = () => Promise.reject(new Failure(code, "It was changed; use another, then remove it; or wait."));
  const model = (await checked({ encoder })).get("model");
  expect([model?.status, model?.detail]).toEqual(["failed", detail]);
  expect(model?.remedy).toMatch(remedy);
});

test("every remedy is a sentence that tells what to do", async () => {
  const broken = async () => {
    throw new Error("broken");
  };
  const all = await Promise.all([
    checked({ damagedNatives: async () => ["a"] }),
    checked({
      store: { ...SOUND.store, health: broken, outbox: { depth: broken } } as unknown as Installation["store"],
      intake: { intakeState: broken } as unknown as Installation["intake"],
    }),
  ]);
  const remedies = all.flatMap((checks) => [...checks.values()].flatMap(({ remedy }) => remedy ?? []));
  expect(remedies.length).toBeGreaterThan(3);
  expect(remedies.filter((remedy) => !/^[A-Z][a-z]+ .{10,}\.$/.test(remedy))).toEqual([]);
});
