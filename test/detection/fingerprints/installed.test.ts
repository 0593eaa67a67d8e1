import { expect, test } from "bun:test";
import { readdir, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../../src/core/errors.ts";
import {
  createInstalledRepository,
  type InstalledRepository,
  readFolder,
  unpackInstalled,
  watchInstalled,
} from "../../../src/detection/fingerprints/installed.ts";
import { openStore } from "../../../src/store.ts";
import { inDirectory } from "../../store/examples.ts";
import { withFolder } from "./custom/folder-of.ts";

test("installed fingerprints are checked once, and the service starts again when it is this node's turn", async () => {
  await inDirectory(async (dataDir) => {
    const store = await openStore({ dataDir: ":memory:" });
    const repository = createInstalledRepository(store.queries);
    const install = (text: string) =>
      withFolder({ "a.yaml": text }, async (folder) => repository.replace(await readFolder(folder)));
    const events: string[] = [];
    let looks = 0;
    let turns = 0;
    const watch = watchInstalled({
      repository: {
        ...repository,
        find() {
          looks += 1;
          return repository.find();
        },
      },
      dataDir,
      used: undefined,
      pollMs: 2,
      async check(folder) {
        const text = await Bun.file(`${folder}/a.yaml`).text();
        events.push(`checked ${text}`);
        if (text === "bad") throw new Failure("catalogue.invalid", "1 fault.");
      },
      async claimTurn() {
        turns += 1;
        return turns > 2;
      },
      restart: (reason) => events.push(`restart ${reason}`),
      onError: (what) => events.push(what),
    });
    const someLooks = async () => {
      const before = looks;
      while (looks < before + 8) await Bun.sleep(2);
    };
    try {
      await someLooks();
      expect([events, watch.problem()]).toEqual([[], null]);
      await install("bad");
      await someLooks();
      expect(events).toEqual(["checked bad", "applying custom fingerprints"]);
      expect(watch.problem()).toBe("The custom fingerprints in the database are not in use: 1 fault.");
      await install("good");
      while (events.at(-1)?.startsWith("restart") !== true) await Bun.sleep(2);
      expect(events.slice(2)).toEqual(["checked good", "restart with 1 file of custom fingerprints"]);
      expect([turns, watch.problem()]).toEqual([3, "Custom fingerprints are being applied: 1 file."]);
    } finally {
      await watch.stop();
      await store.close();
    }
  });
});

test("what was refused stays a problem when it is installed again", async () => {
  await inDirectory(async (dataDir) => {
    const store = await openStore({ dataDir: ":memory:" });
    const repository = createInstalledRepository(store.queries);
    const install = () => withFolder({ "a.yaml": "bad" }, async (from) => repository.replace(await readFolder(from)));
    const watch = watchInstalled({
      ...watching(dataDir),
      repository,
      async check() {
        throw new Failure("catalogue.invalid", "1 fault.");
      },
    });
    const becomes = async (problem: string | null) => {
      while (watch.problem() !== problem) await Bun.sleep(2);
    };
    try {
      await install();
      await becomes("The custom fingerprints in the database are not in use: 1 fault.");
      await repository.replace([]);
      await becomes(null);
      await install();
      await becomes("The custom fingerprints in the database are not in use: 1 fault.");
    } finally {
      await watch.stop();
      await store.close();
    }
  });
});

/** Nothing is installed, unless `find` says otherwise. */
const repositoryWith = (find: InstalledRepository["find"]): InstalledRepository => ({
  find,
  async *files() {},
  async replace() {
    throw new Error("not expected");
  },
});

/** A watch of a process that uses none, and expects no restart. */
const watching = (dataDir: string) => ({
  dataDir,
  used: undefined,
  pollMs: 2,
  async check() {},
  claimTurn: async () => false,
  restart(reason: string) {
    throw new Error(reason);
  },
  onError() {},
});

test("a database that cannot be asked is reported as such, and asked again after a pause", async () => {
  const asked: number[] = [];
  const problems: (string | null)[] = [];
  const errors: string[] = [];
  const watch = watchInstalled({
    ...watching("/nonexistent"),
    retryMs: 40,
    repository: repositoryWith(async () => {
      problems.push(watch.problem());
      asked.push(performance.now());
      if (asked.length < 3) throw new Error("no connection");
      return undefined;
    }),
    onError: (what) => errors.push(what),
  });
  while (asked.length < 4) await Bun.sleep(2);
  await watch.stop();
  const [first = 0, second = 0, third = 0] = asked;
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(40);
  const unknown = "Cannot read from the database which custom fingerprints are installed: see the log.";
  expect(problems.slice(0, 4)).toEqual([null, unknown, unknown, null]);
  expect(errors).toEqual(Array(2).fill("reading which custom fingerprints are installed"));
});

test("a database that hangs is not asked again meanwhile", async () => {
  const answer = Promise.withResolvers<undefined>();
  let asked = 0;
  const watch = watchInstalled({
    ...watching("/nonexistent"),
    repository: repositoryWith(() => {
      asked += 1;
      return answer.promise;
    }),
  });
  while (asked === 0) await Bun.sleep(2);
  for (let polls = 0; polls < 10; polls++) await Bun.sleep(2);
  answer.resolve(undefined);
  await watch.stop();
  expect(asked).toBe(1);
});

test("copies that no process has opened for a day are removed, except the one in use", async () => {
  await inDirectory(async (dataDir) => {
    const store = await openStore({ dataDir: ":memory:" });
    const repository = createInstalledRepository(store.queries);
    const unpack = (text: string, used?: string) =>
      withFolder({ "a.yaml": text }, async (from) => {
        await repository.replace(await readFolder(from));
        return (await unpackInstalled(repository, dataDir, used)) ?? "";
      });
    try {
      const [abandoned, used] = [await unpack("one"), await unpack("two")];
      const longAgo = new Date(Date.now() - 25 * 3_600_000);
      for (const copy of [abandoned, used]) await utimes(copy, longAgo, longAgo);
      const current = await unpack("three", basename(used));
      expect((await readdir(dirname(used))).sort()).toEqual([basename(used), basename(current)].sort());
      expect(await Bun.file(join(used, "a.yaml")).text()).toBe("two");
    } finally {
      await store.close();
    }
  });
});
