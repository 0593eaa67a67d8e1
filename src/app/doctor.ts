import { join } from "node:path";
import type { Config } from "../config.ts";
import { damagedNatives } from "../natives/unpack.ts";
import type { Door } from "../net/door.ts";
import type { Store } from "../store/store.ts";
import { type Check, failed, reasonOf, skipped } from "./doctor/check.ts";
import { checkInstallation, type Installation } from "./doctor/installation.ts";
import { checkClock, checkDirectory } from "./doctor/machine.ts";
import { checkSources } from "./doctor/sources.ts";

export type { Check } from "./doctor/check.ts";

export interface DiagnoseOptions {
  /** Ask nothing outside. */
  readonly offline?: boolean;
}

export interface DoctorVerbs {
  /** Looks at what is kept, the native parts, the model, the index, the clock and, unless offline, at every outside source; as it goes. */
  diagnose(options?: DiagnoseOptions): AsyncGenerator<Check>;
}

export interface DoctorParts extends Omit<Installation, "unpackDir" | "damagedNatives"> {
  readonly config: Config;
  readonly door: Pick<Door, "dns" | "dnsReachable" | "http">;
  readonly store: Installation["store"] & Pick<Store, "stats">;
  readonly clock: () => Date;
}

export const createDoctor = (parts: DoctorParts): DoctorVerbs => ({
  async *diagnose({ offline = false } = {}) {
    const unpackDir = join(parts.config.dataDir, "native");
    yield* checkInstallation({ ...parts, unpackDir, damagedNatives: () => damagedNatives(unpackDir) });
    let outside: Date | null = null;
    if (offline) yield { id: "sources", title: "Outside sources", ...skipped("Not asked: --offline.") };
    else {
      yield* checkSources(parts.config, parts.door, (date) => {
        outside ??= date;
      });
    }
    yield await checkClock(parts.clock(), (await parts.store.stats.read()).updated_at, outside);
  },
});

/**
 * The whole check-up, also of an installation that cannot be opened.
 *
 * @param open opens the application; closed again at the end
 */
export async function* checkUp(
  dataDir: string,
  open: () => Promise<DoctorVerbs & { close(): Promise<void> }>,
  options: DiagnoseOptions,
): AsyncGenerator<Check> {
  yield* checkDirectory(dataDir);
  let app: Awaited<ReturnType<typeof open>>;
  try {
    app = await open();
  } catch (error) {
    const remedy = "Mend what is said above, or restore a backup: casefile backup restore FILE.";
    yield { id: "database", title: "Database", ...failed(reasonOf(error), remedy) };
    return;
  }
  try {
    yield* app.diagnose(options);
  } finally {
    await app.close();
  }
}
