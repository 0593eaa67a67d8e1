import { expect, test } from "bun:test";
import { Failure } from "../../../src/core/errors.ts";
import { type Check, checkInstallation, type Installation } from "../../../src/health/doctor.ts";

const mustNotOpen = (what: string) => () => Promise.reject(new Error(`${what} was opened`));

/** An intact installation; opening the model or the index fails. */
const SOUND: Installation = {
  database: { health: async () => ({ fault: null, schema: 1, caseStudies: 0, passages: 0 }) },
  outbox: { depth: async () => 0, failures: async () => ({ total: 0, first: [] }) },
  encoder: mustNotOpen("the model"),
  index: mustNotOpen("the index"),
  intake: {
    intakeState: async () => ({ jobs: { dead: 0, waiting: 0, running: 0 }, mails: {}, mailConfigured: false }),
  } as unknown as Installation["intake"],
  unpackDir: "/data/native",
  schema: { database: 1, stack_index: 1 },
  damagedNatives: async () => [],
};

const checked = async (parts: Partial<Installation>): Promise<Map<string, Check>> =>
  new Map((await Array.fromAsync(checkInstallation({ ...SOUND, ...parts }))).map((check) => [check.id, check]));

test("a changed native library is reported with a remedy, and nothing that needs it runs", async () => {
  const checks = await checked({ damagedNatives: async () => ["lancedb.node", "libonnxruntime.so.1"] });
  expect(checks.get("native-parts")).toMatchObject({
    status: "failed",
    detail: "These files do not match the executable: lancedb.node, libonnxruntime.so.1.",
    remedy: "Stop all casefile processes and remove /data/native; the next start unpacks the libraries again.",
  });
  expect(checks.get("model")).toMatchObject({
    status: "skipped",
    detail: "Not checked: it requires the native libraries.",
  });
  expect(checks.get("search-index")?.status).toBe("skipped");
});

test("from source there is no executable that they could match", async () => {
  const checks = await checked({ damagedNatives: async () => null });
  expect(checks.get("native-parts")).toMatchObject({
    status: "ok",
    detail: "Casefile runs from source, with the libraries in node_modules.",
  });
  expect(checks.get("model")?.detail).toBe("the model was opened");
});

test("unreadable native libraries are not run", async () => {
  const checks = await checked({ damagedNatives: () => Promise.reject(new Error("EIO")) });
  expect([checks.get("native-parts")?.status, checks.get("model")?.status]).toEqual(["failed", "skipped"]);
});

test("intact native libraries are run", async () => {
  const checks = await checked({});
  expect(checks.get("native-parts")).toMatchObject({ status: "ok", remedy: null });
  expect(checks.get("model")).toMatchObject({ status: "failed", detail: "the model was opened" });
});

test.each([
  ["model.invalid", "It was changed.", "Use another, then remove it; or wait."],
  ["model.unavailable", "It was changed; use another, then remove it; or wait.", /^Make the data directory writable/],
] as const)("a model that fails with %s is reported with the remedy of this failure", async (code, detail, remedy) => {
  const encoder = () => Promise.reject(new Failure(code, "It was changed; use another, then remove it; or wait."));
  const model = (await checked({ encoder })).get("model");
  expect([model?.status, model?.detail]).toEqual(["failed", detail]);
  expect(model?.remedy).toMatch(remedy);
});

test("every remedy is an instruction in one sentence", async () => {
  const broken = async () => {
    throw new Error("broken");
  };
  const all = await Promise.all([
    checked({ damagedNatives: async () => ["a"] }),
    checked({
      database: {
        health() {
          throw new Error("broken");
        },
      },
      outbox: { depth: broken, failures: broken },
      intake: { intakeState: broken } as unknown as Installation["intake"],
    }),
  ]);
  const remedies = all.flatMap((checks) => [...checks.values()].flatMap(({ remedy }) => remedy ?? []));
  expect(remedies.length).toBeGreaterThan(3);
  expect(remedies.filter((remedy) => !/^[A-Z][a-z]+ .{10,}\.$/.test(remedy))).toEqual([]);
});

test("case studies that the model cannot embed are named", async () => {
  const vector = new Float32Array([1, 0]);
  const model = { id: "model-1", dimensions: 2, encode: async () => [vector] };
  const counts = async () => ({ passages: 0 });
  const failures = async () => ({ total: 2, first: [{ case_study_id: "a", error: "no such token" }] });
  const checks = await checked({
    encoder: async () => model,
    index: async () => ({ state: "ready", counts }),
    outbox: { depth: async () => 0, failures },
  });
  expect(checks.get("search-index")).toEqual({
    id: "search-index",
    title: "Search index",
    status: "warning",
    detail: "The model cannot embed 2 case studies: a: no such token",
    remedy: "Correct or remove them, or use another model; casefile reindex tries them again.",
  });
});
