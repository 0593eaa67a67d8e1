import type { Encoder } from "../../embed/encoder.ts";
import type { PassageIndex } from "../../store/passage-index.ts";
import type { Store } from "../../store/store.ts";
import { Failure } from "../../vocabulary/failure.ts";
import type { App } from "../app.ts";
import { type Check, check, failed, failedFor, ok, skipped, warning } from "./check.ts";

export interface Installation {
  readonly store: Pick<Store, "health" | "outbox" | "stats">;
  readonly encoder: () => Promise<Pick<Encoder, "id" | "dimensions" | "encode">>;
  readonly index: () => Promise<Pick<PassageIndex, "state" | "counts">>;
  readonly intake: Pick<App, "intakeState">;
  /** Where an executable has unpacked its native parts. */
  readonly unpackDir: string;
  /** Names of those of them that were changed since. */
  readonly damagedNatives: () => Promise<readonly string[]>;
}

const RESTORE = "Restore a backup: casefile backup restore FILE.";
const SEE_JOBS = "See why (casefile jobs --state dead), and let each run again: casefile jobs retry ID.";
const OTHER_MODEL = "Install the program anew, or use another model: casefile model use built-in.";
const REINDEX = "Build the index anew: casefile reindex.";

/** What is kept, the native parts, the model and the search index. */
export async function* checkInstallation(parts: Installation): AsyncGenerator<Check> {
  const { store, encoder, index, intake, unpackDir, damagedNatives } = parts;
  let passages = 0;
  yield await check(
    "database",
    "Database",
    async () => {
      const health = await store.health();
      passages = health.passages;
      if (health.fault !== null) {
        return failed(`It is damaged: ${health.fault}.`, RESTORE);
      }
      return ok(`It is whole, at schema ${health.schema}, with ${health.caseStudies} case studies.`);
    },
    RESTORE,
  );

  const remove = `Stop every casefile and remove ${unpackDir}; the next start unpacks them anew.`;
  const natives = await check(
    "native-parts",
    "Native parts",
    async () => {
      const damaged = await damagedNatives();
      if (damaged.length === 0) return ok("What was unpacked is what the program carries.");
      return failed(`They are not what the program carries: ${damaged.join(", ")}.`, remove);
    },
    remove,
  );
  yield natives;

  const model = await check(
    "model",
    "Model",
    async () => {
      // What was changed is not run.
      if (natives.status !== "ok") return skipped("It needs the native parts.");
      try {
        return await tried(await encoder());
      } catch (error) {
        // What is wrong with its files is no fault of this machine, and the refusal knows the remedy.
        if (error instanceof Failure && error.code === "model.invalid") return failedFor(error, OTHER_MODEL);
        throw error;
      }
    },
    "Let this user write the data directory, use another model (casefile model use built-in), or install the program for this kind of machine.",
  );
  yield model;

  yield await check(
    "search-index",
    "Search index",
    async () => {
      if (model.status !== "ok") return skipped("It needs the model.");
      const opened = await index();
      const waiting = await store.outbox.depth();
      if (opened.state === "other model") {
        return warning("It was built with another model; only words are searched.", REINDEX);
      }
      const counts = await opened.counts();
      if (waiting > 0)
        return ok(`${counts.passages} passages; ${waiting} case studies wait for the service to index them.`);
      if (counts.passages !== passages) {
        return warning(`It has ${counts.passages} passages and the database ${passages}.`, REINDEX);
      }
      return ok(`${counts.passages} passages, as many as the database.`);
    },
    REINDEX,
  );

  yield await check(
    "jobs",
    "Background work",
    async () => {
      const { jobs, mails, mailConfigured } = await intake.intakeState();
      if (jobs.dead > 0) return warning(`${jobs.dead} jobs were given up.`, SEE_JOBS);
      const unsent = (mails.failed ?? 0) + (mails.unclear ?? 0);
      if (unsent > 0) return warning(`${unsent} mails were not sent.`, "See why they were not: casefile mails.");
      const open = jobs.waiting + jobs.running;
      if (!mailConfigured && (mails.waiting ?? 0) > 0) {
        return warning(
          `${mails.waiting} mails wait for a mail server.`,
          "Set smtp.url and smtp.from, and they are sent.",
        );
      }
      return ok(open === 0 ? "Nothing waits." : `${open} jobs wait or run.`);
    },
    SEE_JOBS,
  );
}

async function tried(model: Pick<Encoder, "id" | "dimensions" | "encode">) {
  const [vector] = await model.encode(["A bank moved its payments to another platform."], "passage");
  const length = Math.hypot(...(vector ?? []));
  if (vector?.length !== model.dimensions || Math.abs(length - 1) > 0.001) {
    return failed(`${model.id} answers with a vector of length ${length.toFixed(3)}.`, OTHER_MODEL);
  }
  return ok(`${model.id} works, with ${model.dimensions} dimensions.`);
}
