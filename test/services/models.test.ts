import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openBackupFiles } from "../../src/backup/service.ts";
import { findPointer } from "../../src/casestudies/index/passage-index.ts";
import type { SearchMode } from "../../src/casestudies/types.ts";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { Failure } from "../../src/core/errors.ts";
import { tinyOther, tinyTransformer, writeFolder } from "../embedding/tiny-models.ts";
import { copiesOf } from "../store/copies.ts";
import { inDirectory } from "../store/examples.ts";
import { INVENTED, QUESTIONS } from "./invented-studies.ts";

const QUERY = "visual quality inspection on a production line";

async function opened(dataDir: string, flags: object = {}): Promise<Services> {
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const config = loadConfig({ flags: { dataDir, ...flags }, env: {}, readFile: () => undefined });
  return openServices({ config, version: "1.2.3", log: { scannerFailed: broke, taskFailed() {} } });
}

const take = async (app: Services, records: readonly unknown[]) => {
  const content = new Blob(records.map((record) => `${JSON.stringify(record)}\n`)).stream();
  return await app.caseStudies.importFile({ name: "studies.jsonl", content });
};

const withInstallation = copiesOf(async (dataDir) => {
  const app = await opened(dataDir);
  try {
    await take(app, INVENTED);
    await app.index.indexNow();
    await app.models.add({ dir: await writeFolder(join(dataDir, "a"), tinyTransformer()), name: "mine" });
    await app.models.add({ dir: await writeFolder(join(dataDir, "b"), tinyOther(24)), name: "other" });
  } finally {
    await app.close();
  }
});

/** Runs `use` on an installation that has the invented case studies and two more models: `mine` and `other`. */
const withModels = <T>(
  use: (app: Services, dataDir: string, reopen: () => Promise<Services>) => Promise<T>,
): Promise<T> =>
  withInstallation(async (dataDir) => {
    let app = await opened(dataDir);
    try {
      return await use(app, dataDir, async () => {
        await app.close();
        app = await opened(dataDir);
        return app;
      });
    } finally {
      await app.close();
    }
  });

const hits = async (app: Services, mode: SearchMode = "hybrid", query = QUERY) =>
  (await app.caseStudies.search([{ query, mode, limit: 5 }]))[0]?.hits ?? [];
const states = async (app: Services) =>
  Object.fromEntries((await app.models.list()).map(({ name, state }) => [name, state]));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );
const indexOf = async (dataDir: string) => await findPointer(join(dataDir, "index"));

/** Searches, like a service's clients, until the model is in use. */
async function searchUntilUsed(app: Services, name: string): Promise<number> {
  for (let searches = 0; searches < 2_000; searches += 1) {
    expect((await hits(app)).length).toBe(5);
    expect((await hits(app, "semantic")).length).toBe(5);
    if ((await states(app))[name] === "used") return searches;
  }
  throw new Error(`${name} never took over`);
}

const switcher = (dataDir: string, name: string, until: "half" | "whole") =>
  Bun.spawn([process.execPath, join(import.meta.dir, "model-switcher.ts"), dataDir, name, until], {
    stdout: "pipe",
    stderr: "inherit",
  });

const damage = async (path: string) => {
  const bytes = await Bun.file(path).bytes();
  bytes[bytes.length >> 1]! ^= 1;
  await Bun.write(path, bytes);
};

describe("a newly chosen model", () => {
  test("serves searches when everything is embedded with it, and the previous model until then", async () => {
    await withModels(async (app, dataDir) => {
      const before = await hits(app, "semantic");
      const during: Promise<unknown>[] = [];
      const used = await app.models.use("mine", {
        onProgress() {
          during.push(
            states(app).then((now) => expect(now).toMatchObject({ "built-in": "used", mine: "next" })),
            hits(app, "semantic").then((found) => expect(found).toEqual(before)),
          );
        },
      });
      expect(during.length).toBeGreaterThan(0);
      await Promise.all(during);
      expect(used).toMatchObject({ model: { name: "mine", state: "used" }, embedded: INVENTED.length });
      expect(await states(app)).toEqual({ "built-in": "idle", mine: "used", other: "idle" });
      expect(await indexOf(dataDir)).toMatchObject({ model: used.model.id, dimensions: 8 });
      expect(await hits(app, "semantic")).not.toEqual(before);
      expect((await hits(app)).length).toBe(5);
      expect((await app.health.ready()).alarms).toEqual([]);

      expect(await app.models.use("mine")).toMatchObject({ embedded: null });
      expect((await app.models.use("other")).embedded).toBe(INVENTED.length);
      expect(await indexOf(dataDir)).toMatchObject({ dimensions: 24 });
      await app.models.use("built-in");
      expect(await hits(app, "semantic")).toEqual(before);
    });
  }, 60_000);

  test("includes changes and removals during the migration", async () => {
    await withModels(async (app) => {
      const [first, second] = INVENTED;
      const told = { ...first!, title: "Lunch", body: "Better meals in the staff canteen." };
      let late: Promise<unknown> | undefined;
      await app.models.use("mine", {
        onProgress() {
          late ??= take(app, [told]).then(() => app.caseStudies.remove(second!.id));
        },
      });
      await late;
      await app.index.indexNow();
      expect((await hits(app, "keyword", "meals in the staff canteen"))[0]?.study.id).toBe(first!.id);
      const all = (await app.caseStudies.search([{ query: QUERY, mode: "semantic", limit: 50 }]))[0]?.hits ?? [];
      expect(all).toHaveLength(INVENTED.length - 1);
      expect((await app.index.state()).waiting).toBe(0);
    });
  }, 60_000);

  test("is migrated to by a running service on its own, and searches never stop", async () => {
    await withModels(async (app) => {
      const upkeep = app.index.startWorker();
      const answer = await app.models.use("mine");
      expect(answer).toMatchObject({ model: { state: "next" }, embedded: null });
      await searchUntilUsed(app, "mine");
      await upkeep.stop();
      expect(await states(app)).toMatchObject({ "built-in": "idle", mine: "used" });
    });
  }, 60_000);

  test("may be chosen by another process: this one follows, also during a search", async () => {
    await withModels(async (app, dataDir) => {
      const before = await hits(app, "semantic");
      const child = switcher(dataDir, "mine", "whole");
      expect(await new Response(child.stdout).text()).toBe("used\n");
      const after = await hits(app, "semantic");
      expect(after.length).toBe(5);
      expect(after).not.toEqual(before);
      expect(await states(app)).toMatchObject({ "built-in": "idle", mine: "used" });
    });
  }, 60_000);

  test("is left by a command to a running service", async () => {
    await withModels(async (app, dataDir) => {
      const upkeep = app.index.startWorker();
      expect(await new Response(switcher(dataDir, "mine", "whole").stdout).text()).toBe("next\n");
      upkeep.wake();
      await searchUntilUsed(app, "mine");
      await upkeep.stop();
    });
  }, 60_000);

  test("survives kill -9: searches continue with the previous model, and the next start resumes", async () => {
    await withModels(async (app, dataDir, reopen) => {
      await app.close();
      const child = switcher(dataDir, "mine", "half");
      for await (const _ of child.stdout) break;
      child.kill("SIGKILL");
      await child.exited;

      const again = await reopen();
      expect(await states(again)).toMatchObject({ "built-in": "used", mine: "next" });
      expect((await hits(again)).length).toBe(5);
      expect((await hits(again, "semantic")).length).toBe(5);
      const upkeep = again.index.startWorker();
      await searchUntilUsed(again, "mine");
      await upkeep.stop();
      expect(await states(again)).toMatchObject({ "built-in": "idle", mine: "used" });
    });
  }, 60_000);

  test("is refused when it is damaged, and nothing changes", async () => {
    await withModels(async (app, dataDir) => {
      await damage(join(dataDir, "models/mine/tokenizer.json"));
      expect(await codeOf(app.models.use("mine"))).toBe("model.invalid");
      expect(await codeOf(app.models.use("none"))).toBe("model.not_found");
      expect(await codeOf(app.models.use("../models/other"))).toBe("model.not_found");
      expect(await states(app)).toMatchObject({ "built-in": "used", mine: "idle" });
      await Bun.write(join(dataDir, "models/mine/manifest.json"), "[]");
      expect(await states(app)).toMatchObject({ mine: "damaged" });
      await app.models.remove("mine");
      expect(await states(app)).toEqual({ "built-in": "used", other: "idle" });
    });
  }, 60_000);

  test("cannot be removed or replaced while it is used or chosen", async () => {
    await withModels(async (app) => {
      expect(await codeOf(app.models.remove("built-in"))).toBe("model.conflict");
      await app.models.use("mine");
      expect(await codeOf(app.models.remove("mine"))).toBe("model.conflict");
      expect(await codeOf(app.models.add({ dir: "never-read", name: "built-in" }))).toBe("model.conflict");
      await app.models.use("other", { inBackground: true });
      expect([await codeOf(app.models.remove("mine")), await codeOf(app.models.remove("other"))]).toEqual([
        "model.conflict",
        "model.conflict",
      ]);
      await app.models.use("other");
      await app.models.remove("mine");
      expect(await states(app)).toEqual({ "built-in": "idle", other: "used" });
    });
  }, 60_000);
});

describe("with a broken model of the index", () => {
  test("only keyword search works, readiness reports it from the start, and another model fixes it", async () => {
    await withModels(async (app, dataDir, reopen) => {
      await app.models.use("mine");
      await app.close();
      await damage(join(dataDir, "models/mine/model.onnx"));
      const again = await reopen();
      await again.index.startWorker().stop();
      const { ready, alarms } = await again.health.ready();
      expect(ready).toBe(true);
      expect(alarms).toEqual([
        "Only keyword search works: The files of the model mine have changed since it was added; use another (casefile model use built-in), then remove it and add it again.",
      ]);
      expect(await hits(again)).toEqual(await hits(again, "keyword"));
      expect((await hits(again)).length).toBeGreaterThan(0);
      expect(await codeOf(hits(again, "semantic"))).toBe("model.invalid");
      const look = (await Array.fromAsync(again.health.diagnose({ offline: true }))).find(({ id }) => id === "model");
      expect([look?.detail, look?.remedy]).toEqual([
        "The files of the model mine have changed since it was added.",
        "Use another (casefile model use built-in), then remove it and add it again.",
      ]);
      expect(await codeOf(again.models.remove("mine"))).toBe("model.conflict");
      await again.models.use("built-in");
      expect((await hits(again, "semantic")).length).toBe(5);
      expect((await again.health.ready()).alarms).toEqual([]);
      await again.models.remove("mine");
    });
  }, 60_000);

  test("a release with another built-in model rebuilds embeddings at its next indexing, and uses keyword search until then", async () => {
    await withModels(async (app, dataDir, reopen) => {
      await app.close();
      const path = join(dataDir, "index/current.json");
      await Bun.write(
        path,
        JSON.stringify({ ...(await indexOf(dataDir)), model: "casefile-static-of-old", dimensions: 256 }),
      );
      const again = await reopen();
      expect(await hits(again)).toEqual(await hits(again, "keyword"));
      await again.index.indexNow();
      expect(await states(again)).toMatchObject({ "built-in": "used" });
      expect((await hits(again, "semantic")).length).toBe(5);
    });
  }, 60_000);

  test("an installation that lost its models and index uses the built-in model until they are restored", async () => {
    await withModels(async (app, dataDir, reopen) => {
      await app.models.use("mine");
      await app.close();
      await rm(join(dataDir, "models"), { recursive: true });
      await rm(join(dataDir, "index"), { recursive: true });
      const again = await reopen();
      const upkeep = again.index.startWorker();
      await again.index.indexNow();
      expect((await hits(again, "semantic")).length).toBe(5);
      expect(await states(again)).toEqual({ "built-in": "used" });
      await again.models.add({ dir: join(dataDir, "a"), name: "mine" });
      await again.models.use("mine");
      await searchUntilUsed(again, "mine");
      await upkeep.stop();
    });
  }, 60_000);
});

describe("a backup", () => {
  test("restores a model and its use to an empty directory, or omits it on request", async () => {
    await withModels(async (app, dataDir) => {
      await app.models.use("mine");
      const found = (await hits(app, "semantic")).map(({ study }) => study.id);
      const restored = async (name: string, flags: object) => {
        const file = join(dataDir, `${name}.tar.zst`);
        const source = await opened(dataDir, flags);
        await source.backups.create({ file }).finally(() => source.close());
        await openBackupFiles({ dataDir: join(dataDir, name) }).restore(file);
        const other = await opened(join(dataDir, name));
        try {
          const ids = (await hits(other, "semantic")).map(({ study }) => study.id);
          return { ids, states: await states(other) };
        } finally {
          await other.close();
        }
      };
      await app.close();
      expect(await restored("with", {})).toEqual({
        ids: found,
        states: { "built-in": "idle", mine: "used", other: "idle" },
      });
      expect((await restored("without", { "backup-models": false })).states).toEqual({ "built-in": "used" });
    });
  }, 60_000);
});

describe("searches are evaluated with the user's queries", () => {
  test("with any model, and in memory nearly the same as with an index", async () => {
    await withModels(async (app) => {
      const lines = QUESTIONS.map(([query, id]) => JSON.stringify({ query, relevant: [id] })).join("\n");
      const own = await app.models.evaluate(`${lines}\n{"query":"bank","relevant":["gone"]}\n`);
      expect(own).toMatchObject({ model: "built-in", questions: QUESTIONS.length + 1, unknown: ["gone"] });
      const apart = await app.models.evaluate(lines, { name: "mine" });
      const ids = (await app.models.list()).map(({ name, id }) => [name, id]);
      expect(ids).toContainEqual([own.model, own.model_id]);
      expect(ids).toContainEqual(["mine", apart.model_id]);
      expect(apart.modes.keyword).toEqual((await app.models.evaluate(lines)).modes.keyword);
      expect(apart.modes.semantic.ndcg_10).toBeLessThan(own.modes.semantic.ndcg_10);
      expect(await states(app)).toMatchObject({ "built-in": "used", mine: "idle" });
      const measured = await app.models.evaluate(lines);
      await app.models.use("mine");
      // The index has eight bits a dimension, the one in memory all.
      const { modes } = await app.models.evaluate(lines, { name: "built-in" });
      expect(modes.semantic.ndcg_10).toBeCloseTo(measured.modes.semantic.ndcg_10, 2);
      expect((await app.models.evaluate(lines)).modes.semantic.ndcg_10).toBeCloseTo(apart.modes.semantic.ndcg_10, 2);
    });
  }, 60_000);

  test.each([
    ["", "Give 1 to 10000 questions, one JSON object per line."],
    ["{", "The questions file has invalid lines; correct them."],
    ['{"query":" ","relevant":["a"]}', "The questions file has invalid lines; correct them."],
    ['{"query":"bank","relevant":[]}', "The questions file has invalid lines; correct them."],
    ['{"query":"bank","relevant":[1]}', "The questions file has invalid lines; correct them."],
  ])("%j is refused", async (text, message) => {
    await inDirectory(async (dataDir) => {
      const app = await opened(dataDir);
      try {
        await app.models.evaluate(text);
        throw new Error("not refused");
      } catch (error) {
        expect(error).toMatchObject({ code: "query.invalid", message });
      } finally {
        await app.close();
      }
    });
  });
});
