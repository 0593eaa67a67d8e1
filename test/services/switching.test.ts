import { expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import type { AvailableModel } from "../../src/models/available-models.ts";
import { createModelMigration } from "../../src/models/migration.ts";
import type { SearchBackends } from "../../src/models/search-backend.ts";
import { tinyTransformer } from "../embedding/tiny-models.ts";
import { fakeEncoder, fakeIndex } from "./fake-index.ts";

/** A service whose index has another model's vectors than the chosen one's, and cannot be built. */
function failing(reason: unknown, first: (onProgress: ((done: number) => void) | undefined) => void = () => {}) {
  const told: unknown[] = [];
  let attempts = 0;
  const mine: AvailableModel = {
    name: "mine",
    builtIn: false,
    manifest: tinyTransformer().manifest,
    check: async () => {},
    open: async () => fakeEncoder(),
  };
  const settings = new Map([["model.current", "mine"]]);
  const lent = { index: fakeIndex(), encoder: async () => fakeEncoder() };
  const answering: SearchBackends = {
    get: async () => lent,
    lend: (work) => work(lent),
    model: async () => "another",
    openNext: async () => fakeIndex(),
    fault: () => null,
    check: async () => {},
    close: async () => {},
  };
  const switching = createModelMigration({
    store: {
      settings: {
        find: async (name) => settings.get(name),
        set: async (name, value) => void settings.set(name, value),
        setIfAbsent: async () => false,
      },
      outbox: {
        pending: async () => [],
        done: async () => {},
        failed: async () => {},
        release: async () => {},
        depth: async () => 0,
        oldestSeconds: async () => 0,
        requeueAll: async () => 0,
      },
    },
    known: { list: async () => [mine], get: async () => mine, getById: async () => mine, builtIn: mine },
    answering,
    indexer: {
      async rebuild({ onProgress } = {}) {
        attempts += 1;
        first(onProgress);
        throw reason;
      },
    },
    lock: { acquire: () => "acquired" },
    builtIn: async () => fakeEncoder(),
    onError: (_, error) => told.push(error),
  });
  return { switching, told, attempts: () => attempts };
}

test("what fails in the background is an alarm, and is not tried again at once", async () => {
  const { switching, told, attempts } = failing(new Failure("store.unusable", "The disk is full."));
  await switching.keepFollowing({});
  await switching.keepFollowing({});
  expect(attempts()).toBe(1);
  expect(told).toEqual([]);
  expect(switching.alarms()).toEqual(["The chosen model is not in use: The disk is full."]);
  await switching.choose("mine");
  await switching.keepFollowing({});
  expect(attempts()).toBe(2);
});

test("how far it is can be asked meanwhile, and no longer when it ended", async () => {
  const seen: unknown[] = [];
  const { switching } = failing(new Failure("store.unusable", "The disk is full."), (onProgress) => {
    seen.push(switching.progress());
    onProgress?.(200);
    seen.push(switching.progress());
  });
  expect(switching.progress()).toBeNull();
  await switching.keepFollowing({});
  expect(seen).toEqual([
    { model: "mine", embedded: 0 },
    { model: "mine", embedded: 200 },
  ]);
  expect(switching.progress()).toBeNull();
});

test("a bug is told, and what waits for the index goes on", async () => {
  const bug = new Error("fragments");
  const { switching, told } = failing(bug);
  await switching.keepFollowing({});
  expect(told).toEqual([bug]);
  expect(switching.alarms()).toEqual(["The chosen model is not in use: Embedding failed; it is retried."]);
});

test("a service that stops says so to whoever waits", async () => {
  const { switching } = failing(new Error("fragments"));
  const stopped = AbortSignal.abort(new Error("the service stops"));
  await expect(switching.keepFollowing({ signal: stopped })).rejects.toThrow("the service stops");
  expect(switching.alarms()).toEqual([]);
});
