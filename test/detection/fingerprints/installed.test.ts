import { expect, test } from "bun:test";
import { Failure } from "../../../src/core/errors.ts";
import {
  createInstalledRepository,
  readFolder,
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
      expect(events.at(-1)).toBe("restart with 1 file of custom fingerprints");
      expect([turns, watch.problem()]).toEqual([3, "Custom fingerprints are being applied: 1 file."]);
    } finally {
      await watch.stop();
      await store.close();
    }
  });
});
