import { createAccounts } from "../accounts/accounts.ts";
import { createClientLimits } from "../accounts/client-limits.ts";
import { createOperator } from "../accounts/operator.ts";
import type { Config } from "../config.ts";
import { openDoor } from "../net/door.ts";
import { SCANNERS } from "../scanners/registry.ts";
import { openStore } from "../store/store.ts";
import { loadBuiltInIndustries } from "../studies/taxonomy/packed.ts";
import type { Report } from "../vocabulary/scan.ts";
import { type App, createApp } from "./app.ts";
import { createBackups } from "./backups.ts";
import { createDoctor } from "./doctor.ts";
import { doorSettings } from "./door-settings.ts";
import { createEnrichment } from "./enrichment.ts";
import { openCatalogue } from "./open-catalogue.ts";
import { openEngine } from "./open-engine.ts";
import { openIntake } from "./open-intake.ts";
import { openStudies } from "./open-studies.ts";
import { openWatches } from "./open-watches.ts";
import { createStarter } from "./starter.ts";

export interface OpenOptions {
  readonly config: Config;
  readonly version: string;
  readonly onBug: (source: string, error: unknown) => void;
  readonly onScan?: (report: Report) => void;
  /** Told of what failed in the background and is tried again. */
  readonly onError?: (work: string, error: unknown) => void;
  /** Told what may be of interest and is no fault. */
  readonly onNote?: (note: string) => void;
  /** Told once of what works and should be looked after, when a service notices it. */
  readonly onAlarm?: (alarm: string) => void;
  /** Keeps nothing on disk. */
  readonly inMemory?: boolean;
}

/**
 * Builds the whole from its settings: the store, the door, the catalogue, the verbs.
 *
 * @throws Failure `store.unusable`, `config.invalid`
 */
export async function openApp({
  config,
  version,
  onBug,
  onScan,
  onError,
  onNote,
  onAlarm,
  inMemory = false,
}: OpenOptions): Promise<App> {
  const catalogue = await openCatalogue(config.fingerprints.dir, onNote ?? (() => {}));
  const now = Date.now;
  const clock = () => new Date(now());
  const industries = loadBuiltInIndustries();
  const store = await openStore({
    dataDir: inMemory ? ":memory:" : config.dataDir,
    clock,
    keepSnapshots: config.scan.keepSnapshots,
    industryNames: industries.names,
  });
  const settings = doorSettings(config, version);
  const door = openDoor(settings);
  const enrichment = createEnrichment({
    door,
    sources: config.sources,
    scanners: SCANNERS,
    catalogue,
    store,
    settings: {
      deadlineMs: config.scan.deadlineMs,
      cacheSeconds: config.scan.cacheSeconds,
      threshold: config.scan.threshold,
      maxConcurrent: config.scan.maxConcurrent,
      reservedNames: config.scan.reservedNames,
    },
    agent: `casefile ${version}`,
    now,
    onBug,
    onScan: onScan ?? (() => {}),
  });
  const {
    studies,
    models,
    tools,
    encoder,
    answering,
    changed,
    close: closeStudies,
  } = openStudies({
    store,
    industries,
    dataDir: config.dataDir,
    inMemory,
    clock,
    onError: onError ?? (() => {}),
    onAlarm: onAlarm ?? (() => {}),
  });
  const { engine, close: closeEngine } = openEngine({
    config,
    settings,
    tools,
    encoder,
    catalogue,
    onNote: onNote ?? (() => {}),
  });
  const backups = createBackups({
    store,
    dataDir: inMemory ? undefined : config.dataDir,
    version,
    clock,
    everyHours: config.backup.everyHours,
    keep: config.backup.keep,
    models: config.backup.models,
  });
  const { intake, close: closeIntake } = openIntake({
    config,
    store,
    settings,
    tools,
    engine,
    clock,
    changed,
    schedule: backups.schedule,
    onError: onError ?? (() => {}),
  });
  const { close: closeWatches, ...watches } = openWatches({
    ...{ config, store, settings, catalogue, version, clock },
    enrich: enrichment.enrich,
    onError: onError ?? (() => {}),
  });
  return createApp({
    version,
    store,
    accounts: createAccounts(store, { monthlyLimit: config.accounts.monthlyLimit, clock }),
    operator: createOperator(store),
    clientLimits: createClientLimits({ perHour: config.accounts.keylessPerHour, clock }),
    catalogue,
    sources: config.sources,
    enrichment,
    studies,
    models,
    intake,
    starter: createStarter({
      store: store.starter,
      tools,
      builtIn: async () => (await import("../studies/starter/packed.ts")).loadBuiltInStarter(),
      enabled: config.starter.enabled && !inMemory,
      changed,
    }),
    doctor: createDoctor({ config, door, store, ...answering, intake, clock }),
    backups,
    watches,
    closing: [backups.close, closeWatches, closeIntake, closeEngine, closeStudies, () => door.close()],
  });
}
