import { expect, test } from "bun:test";
import type { SearchBackends } from "../../src/casestudies/search/search-backend.ts";
import { Failure } from "../../src/core/errors.ts";
import type { AvailableModel } from "../../src/models/available-models.ts";
import { createModelMigration } from "../../src/models/migration.ts";
import { tinyTransformer } from "../embedding/tiny-models.ts";
import { fakeEncoder, fakeIndex } from "./fake-index.ts";

/** A service whose index has the vectors of another model than the chosen one, and whose rebuild fails. */
function failing(reason: unknown, first: (onProgress: ((done: number) => void) | undefined) => void = () => {}) {
  const errors: unknown[] = [];
  let attempts = 0;
  const mine: AvailableModel = {
    name: "mine",
    builtIn: false,
    manifest: tinyTransformer().manifest,
    check: async () => {},
    open: async () => fakeEncoder(),
  };
  const settings = new Map([["model.current", "mine"]]);
  const opened = { index: fakeIndex(), encoder: async () => fakeEncoder() };
  const backend: SearchBackends = {
    get: async () => opened,
    use: (work) => work(opened),
    model: async () => "another",
    openNext: async () => fakeIndex(),
    fault: () => null,
    check: async () => {},
    checkIndex: async () => {},
    warm: async () => {},
    close: async () => {},
  };
  const migration = createModelMigration({
    settings: {
      find: async (name) => settings.get(name),
      set: async (name, value) => void settings.set(name, value),
      setIfAbsent: async () => false,
    },
    models: { list: async () => [mine], get: async () => mine, getById: async () => mine, builtIn: mine },
    backend,
    indexer: {
      async rebuild({ onProgress } = {}) {
        attempts += 1;
        first(onProgress);
        throw reason;
      },
    },
    lock: { acquire: async () => true, release: () => {} },
    builtIn: async () => fakeEncoder(),
    onError: (_, error) => errors.push(error),
  });
  return { migration, errors, attempts: () => attempts };
}

test("a background failure raises an alarm, and is not retried at once", async () => {
  const { migration, errors, attempts } = failing(new Failure("store.unusable", "The disk is full."));
  await migration.keepMigrating({});
  await migration.keepMigrating({});
  expect(attempts()).toBe(1);
  expect(errors).toEqual([]);
  expect(migration.alarms()).toEqual(["The chosen model is not in use: The disk is full."]);
  await migration.choose("mine");
  await migration.keepMigrating({});
  expect(attempts()).toBe(2);
});

test("the progress is available during the migration, and not after it", async () => {
  const seen: unknown[] = [];
  const { migration } = failing(new Failure("store.unusable", "The disk is full."), (onProgress) => {
    seen.push(migration.progress());
    onProgress?.(200);
    seen.push(migration.progress());
  });
  expect(migration.progress()).toBeNull();
  await migration.keepMigrating({});
  expect(seen).toEqual([
    { model: "mine", embedded: 0 },
    { model: "mine", embedded: 200 },
  ]);
  expect(migration.progress()).toBeNull();
});

test("an unexpected error is reported and raises an alarm, and the migration returns", async () => {
  const bug = new Error("fragments");
  const { migration, errors } = failing(bug);
  await migration.keepMigrating({});
  expect(errors).toEqual([bug]);
  expect(migration.alarms()).toEqual(["The chosen model is not in use: Embedding failed; the service will retry."]);
});

test("a stopping service rejects waiting calls", async () => {
  const { migration } = failing(new Error("fragments"));
  const stopped = AbortSignal.abort(new Error("the service is stopping"));
  await expect(migration.keepMigrating({ signal: stopped })).rejects.toThrow("the service is stopping");
  expect(migration.alarms()).toEqual([]);
});
