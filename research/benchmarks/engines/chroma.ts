import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CANDIDATES, type EngineParts, RESULTS, type SearchEngine } from "../search-engine.ts";
import { firstDistinct } from "./fusion.ts";

/** The part of its client that is used here: the package is no dependency, its server alone has 400 MB. */
interface Client {
  heartbeat(): Promise<number>;
  version(): Promise<string>;
  getOrCreateCollection(options: object): Promise<Collection>;
}
interface Collection {
  add(rows: object): Promise<void>;
  query(question: object): Promise<{ ids: string[][]; metadatas: ({ study?: unknown } | null)[][] }>;
}

const PACKAGE = "chromadb";
/** Newer servers ask for version 2.38 of the C library or later. */
const INSTALL =
  "npm i --no-save --omit=optional chromadb@3.5.0 chromadb-js-bindings-linux-x64-gnu@1.0.1, anywhere that NODE_PATH names";
const PORT = 18_766;
const BATCH = 5_000;

/** Chroma's server from its npm package, asked over HTTP. It ranks by vector alone: words only filter. */
export async function openChroma({ dir, embed }: EngineParts): Promise<SearchEngine> {
  const { ChromaClient } = await import(PACKAGE).catch(() => {
    throw new Error(`it is not installed: ${INSTALL}`);
  });
  // The module may be found in its other form, a folder deeper; the server's script has one form.
  const script = Bun.resolveSync(PACKAGE, import.meta.dir).replace(/\/dist\/.*$/, "/dist/cli.mjs");
  await mkdir(join(dir, "chroma"), { recursive: true });
  const server = Bun.spawn(
    [process.execPath, script, "run", "--path", join(dir, "chroma"), "--host", "127.0.0.1", "--port", String(PORT)],
    { stdout: "ignore", stderr: "ignore" },
  );
  const client: Client = new ChromaClient({ host: "127.0.0.1", port: PORT });
  await answering(client, () => server.exitCode !== null);
  const collection = await client.getOrCreateCollection({
    name: "passages",
    embeddingFunction: null,
    configuration: { hnsw: { space: "cosine" } },
  });
  return {
    version: `server ${await client.version()}`,
    otherProcesses: [server.pid],
    async ingest({ passages, check }) {
      const began = performance.now();
      let taken = 0;
      for await (const batch of passages(BATCH)) {
        await collection.add({
          ids: batch.map(({ number }) => String(number)),
          embeddings: batch.map(({ vector }) => Array.from(vector)),
          documents: batch.map(({ text }) => text),
          metadatas: batch.map(({ study, company, industry, title }) => ({ study, company, industry, title })),
        });
        taken += batch.length;
        check(taken);
      }
      return { ingestSeconds: (performance.now() - began) / 1_000, buildSeconds: null, embedsItself: false };
    },
    async search({ text, filter }) {
      const { metadatas } = await collection.query({
        queryEmbeddings: [Array.from(await embed(text))],
        nResults: CANDIDATES,
        include: ["metadatas", "documents"],
        ...(Object.keys(filter).length > 0 ? { where: filter } : {}),
      });
      return firstDistinct(
        (metadatas[0] ?? []).map((row) => String(row?.study)),
        RESULTS,
      );
    },
    async nearest(vector, limit) {
      const { ids } = await collection.query({ queryEmbeddings: [Array.from(vector)], nResults: limit, include: [] });
      return (ids[0] ?? []).map(Number);
    },
    async close() {
      server.kill();
      await server.exited;
    },
  };
}

async function answering(client: Client, hasEnded: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (hasEnded()) throw new Error("its server does not start here: the add-on does not fit this system's C library");
    try {
      await client.heartbeat();
      return;
    } catch {
      await Bun.sleep(200);
    }
  }
  throw new Error("its server does not answer");
}
