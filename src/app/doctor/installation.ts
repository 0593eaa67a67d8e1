import type { Encoder } from "../../embed/encoder.ts";
import type { PassageIndex } from "../../store/passage-index.ts";
import type { Store } from "../../store/store.ts";
import type { App } from "../app.ts";
import { type Check, check, failed, ok, skipped, warning } from "./check.ts";

export interface Installation {
  readonly store: Pick<Store, "health" | "outbox" | "stats">;
  readonly encoder: () => Promise<Pick<Encoder, "id" | "dimensions" | "encode">>;
  readonly index: () => Promise<Pick<PassageIndex, "state" | "counts">>;
  readonly intake: Pick<App, "intakeState">;
}

/** What is kept, the model and the search index. */
export async function* checkInstallation({ store, encoder, index, intake }: Installation): AsyncGenerator<Check> {
  let passages = 0;
  yield await check(
    "database",
    "Database",
    async () => {
      const health = await store.health();
      passages = health.passages;
      if (health.fault !== null) {
        return failed(`It is damaged: ${health.fault}.`, "Restore a backup: casefile backup restore FILE.");
      }
      return ok(`It is whole, at schema ${health.schema}, with ${health.caseStudies} case studies.`);
    },
    "Restore a backup: casefile backup restore FILE.",
  );

  const model = await check(
    "model",
    "Model",
    async () => {
      const opened = await encoder();
      const [vector] = await opened.encode(["A bank moved its payments to another platform."], "passage");
      const length = Math.hypot(...(vector ?? []));
      if (vector?.length !== opened.dimensions || Math.abs(length - 1) > 0.001) {
        return failed(
          `${opened.id} answers with a vector of length ${length.toFixed(3)}.`,
          "Install the program anew.",
        );
      }
      return ok(`${opened.id} works, with ${opened.dimensions} dimensions.`);
    },
    "Let this user write the data directory, and install the program for this kind of machine.",
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
        return warning("It was built with another model; only words are searched.", "Run: casefile reindex");
      }
      const counts = await opened.counts();
      if (waiting > 0)
        return ok(`${counts.passages} passages; ${waiting} case studies wait for the service to index them.`);
      if (counts.passages !== passages) {
        return warning(`It has ${counts.passages} passages and the database ${passages}.`, "Run: casefile reindex");
      }
      return ok(`${counts.passages} passages, as many as the database.`);
    },
    "Run: casefile reindex",
  );

  yield await check(
    "jobs",
    "Background work",
    async () => {
      const { jobs, mails, mailConfigured } = await intake.intakeState();
      if (jobs.dead > 0) return warning(`${jobs.dead} jobs were given up.`, "Run: casefile jobs list --state dead");
      const unsent = (mails.failed ?? 0) + (mails.unclear ?? 0);
      if (unsent > 0) return warning(`${unsent} mails were not sent.`, "Run: casefile mails");
      const open = jobs.waiting + jobs.running;
      if (!mailConfigured && (mails.waiting ?? 0) > 0) {
        return warning(`${mails.waiting} mails wait for a mail server.`, "Set smtp.url and smtp.from.");
      }
      return ok(open === 0 ? "Nothing waits." : `${open} jobs wait or run.`);
    },
    "Run: casefile jobs list",
  );
}
