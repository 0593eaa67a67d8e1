import { mock } from "bun:test";
import { join } from "node:path";
import { copyDatabase } from "./server.ts";

/**
 * Preloaded by `scripts/test-postgres.ts`: every store that a test opens is in a PostgreSQL database of its own. Stores of
 * one data directory share it. A test that names a database gets that one.
 */
const template = process.env.TEST_DATABASE_URL;
if (template === undefined) throw new Error("Run these tests with npm run test:postgres.");

const path = join(import.meta.dir, "../../src/db/database.ts");
const { openDatabase, ...rest }: typeof import("../../src/db/database.ts") = await import(path);
const databases = new Map<string, ReturnType<typeof copyDatabase>>();

const openOnPostgres: typeof openDatabase = async (options) => {
  if (options.postgres) return await openDatabase(options);
  const inMemory = options.dataDir === ":memory:";
  const made = databases.get(options.dataDir) ?? copyDatabase(template);
  if (!inMemory) databases.set(options.dataDir, made);
  const { url, drop } = await made;
  const database = await openDatabase({ ...options, postgres: { url, maxConnections: 4 } });
  return {
    ...database,
    async close() {
      await database.close();
      if (inMemory) await drop();
    },
  };
};

mock.module(path, () => ({ ...rest, openDatabase: openOnPostgres }));
