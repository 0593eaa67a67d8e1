import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/store.ts";
import { HARBOUR_WIDGET } from "../detection/fingerprints/record-of.ts";
import { tinyTransformer, writeFolder } from "../embedding/tiny-models.ts";
import { copyDatabase } from "./server.ts";

/** Two processes that serve one database, each with a data directory of its own. */
const template = process.env.TEST_DATABASE_URL ?? "";
const main = join(import.meta.dir, "../../src/main.ts");

let database: Awaited<ReturnType<typeof copyDatabase>>;
let folder: string;
const running = new Set<Bun.Subprocess>();

// Each test has its own database: rows of killed nodes stay for minutes, and nodes restart one after the other.
beforeEach(async () => {
  database = await copyDatabase(template);
  folder = await mkdtemp(join(tmpdir(), "casefile-nodes-"));
});
afterEach(async () => {
  for (const process of running) process.kill("SIGKILL");
  await Promise.all([...running].map(({ exited }) => exited));
  running.clear();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const environment = (name: string) => ({
  ...process.env,
  CASEFILE_DATA_DIR: join(folder, name),
  CASEFILE_DATABASE_URL: database.url,
  CASEFILE_SERVER_PORT: "0",
  CASEFILE_STARTER_ENABLED: "false",
  CASEFILE_ACCOUNTS_KEYLESS_PER_HOUR: "100",
  CASEFILE_LOG_LEVEL: "warn",
  // A turn to restart lasts as long as a stop may take.
  CASEFILE_SERVER_SHUTDOWN_TIMEOUT_MS: "1000",
});

async function serve(name: string) {
  const child = Bun.spawn([process.execPath, main, "serve"], {
    cwd: folder,
    env: environment(name),
    stdout: "pipe",
    stderr: "inherit",
  });
  running.add(child);
  let printed = "";
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${name} ended: ${printed}`);
    printed += decoder.decode(value, { stream: true });
    const url = /running at (http\S+)/.exec(printed)?.[1];
    if (url) return { url, child };
  }
}

const command = async (name: string, ...args: string[]) => {
  const child = Bun.spawn([process.execPath, main, ...args], { cwd: folder, env: environment(name), stdout: "pipe" });
  const text = await child.stdout.text();
  expect(await child.exited).toBe(0);
  return text;
};

const json = async (response: Response): Promise<Record<string, never>> => {
  const body: unknown = await response.json();
  return Object(body);
};

/** Asks until the answer is the expected one; a wrong one fails by the time limit of the test. */
async function until(question: () => Promise<boolean>): Promise<void> {
  while (!(await question())) await Bun.sleep(100);
}

test("two nodes share keys, sessions and case studies, and each searches its own index", async () => {
  const [one, two] = await Promise.all([serve("one"), serve("two")]);
  const signUp = await fetch(`${one.url}/v1/keys`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "ada@acme.example" }),
  });
  expect(signUp.status).toBe(201);
  const { api_key } = await json(signUp);

  const line = { title: "How Harbour cut its ticket backlog by 40%", url: "https://harbour.example/customers/acme" };
  await Bun.write(
    join(folder, "studies.jsonl"),
    `${JSON.stringify({ ...line, company_name: "Harbour", client_name: "Acme", summary: "Acme answers tickets faster." })}\n`,
  );
  await command("one", "import", join(folder, "studies.jsonl"));
  const finds = async (url: string) => {
    const response = await fetch(`${url}/v1/casestudies/semantic`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": api_key ?? "" },
      body: JSON.stringify({ query: "ticket backlog", mode: "keyword" }),
    });
    return (await response.text()).includes("harbour.example/customers/acme");
  };
  // The key that one node issued is valid on the other.
  await until(() => finds(two.url));
  await until(() => finds(one.url));

  const token = /cf_operator_\w+/.exec(await command("one", "operator", "reset-token"))?.[0] ?? "";
  const fromConsole = { "x-casefile-console": "1", "sec-fetch-site": "same-origin" };
  const signIn = { ...fromConsole, authorization: `Bearer ${token}` };
  const opened = await fetch(`${one.url}/console/session`, { method: "POST", headers: signIn });
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
  const session = async () =>
    await json(await fetch(`${two.url}/console/session`, { headers: { ...fromConsole, cookie } }));
  expect(await session()).toMatchObject({ signed_in: true });
  await fetch(`${one.url}/console/session`, { method: "DELETE", headers: { ...fromConsole, cookie } });
  expect(await session()).toMatchObject({ signed_in: false, operator: null });

  const { nodes } = JSON.parse(await command("one", "nodes", "--json"));
  expect(nodes).toHaveLength(2);
  two.child.kill("SIGKILL");
  await two.child.exited;
  expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
  const again = await serve("two");
  await until(() => finds(again.url));
}, 120_000);

test("a node of the same release that detects with other fingerprints is named, until it is gone", async () => {
  const open = (name: string, rules: string, version: string) =>
    openStore({
      dataDir: join(folder, name),
      postgres: { url: database.url, maxConnections: 2 },
      version,
      contents: { rules: () => rules, model: async () => "model-1", problem: () => null },
    });
  const own = await open("own", "a", "9.0.0");
  const [same, other, next] = [
    await open("same", "a", "9.0.0"),
    await open("other", "b", "9.0.0"),
    await open("next", "c", "9.1.0"),
  ];
  for (const { nodes } of [own, same, next]) await nodes.enter();
  expect(await own.nodeAlarms()).toEqual([]);
  await other.nodes.enter();
  expect(await own.nodeAlarms()).toEqual([
    `Other fingerprints or settings of scans than on this node: ${hostname()}. Give all nodes the same.`,
  ]);
  await other.close();
  expect(await own.nodeAlarms()).toEqual([]);
  for (const store of [own, same, next]) await store.close();
});

test("fingerprints and models that one node gets are used by all, also by one that joins late", async () => {
  const [one, two] = await Promise.all([serve("first"), serve("second")]);
  const token = /cf_operator_\w+/.exec(await command("first", "operator", "reset-token"))?.[0] ?? "";
  const ask = async (url: string, method = "GET") =>
    await fetch(url, { method, headers: { authorization: `Bearer ${token}` } });
  /** What both nodes say; nothing while one of them starts again. */
  const nodes = async () => {
    const answers = await Promise.all([one, two].map(({ url }) => ask(`${url}/admin/nodes`).catch(() => undefined)));
    const [answer] = answers;
    if (!answer || answers.some((each) => each?.status !== 200)) return [];
    const { nodes: listed }: { nodes: { rules: string; model: string; problem: string | null }[] } = JSON.parse(
      await answer.text(),
    );
    return listed;
  };
  const [before] = await nodes();
  const fingerprints = join(folder, "fingerprints");
  await Bun.write(join(fingerprints, "harbour-widget.yaml"), HARBOUR_WIDGET);
  await command("first", "fingerprints", "install", fingerprints);
  // Each node starts again by itself, on its port.
  await until(async () => {
    const rules = new Set((await nodes()).map((node) => node.rules));
    return rules.size === 1 && !rules.has(before?.rules ?? "");
  });

  await writeFolder(join(folder, "encoder"), tinyTransformer());
  await command("first", "model", "add", join(folder, "encoder"), "--name", "mine");
  expect((await ask(`${one.url}/admin/models/mine/use`, "POST")).status).toBe(202);
  const late = await serve("third");
  expect(await Bun.file(join(folder, "third/models/mine/model.onnx")).exists()).toBe(true);
  const found = await ask(`${late.url}/admin/fingerprints?q=Harbour%20Widget`);
  expect(await found.text()).toContain('"total":1');
  await until(async () => await Bun.file(join(folder, "second/models/mine/model.onnx")).exists());
  await until(async () => {
    const listed = await nodes();
    return listed.length === 3 && listed.every(({ problem }) => problem === null);
  });

  expect((await ask(`${one.url}/admin/models/built-in/use`, "POST")).status).toBe(202);
  await until(async () => {
    const listed = await nodes();
    return listed.length === 3 && listed.every(({ model }) => !model?.startsWith("mine"));
  });
  await command("first", "model", "remove", "mine");
  for (const name of ["first", "second", "third"])
    await until(async () => !(await Bun.file(join(folder, name, "models/mine/manifest.json")).exists()));
  for (const { child } of [one, two, late]) child.kill();
}, 240_000);

test("a node that waits for a model stops when it is told to, without a failure", async () => {
  const store = await openStore({
    dataDir: join(folder, "settings"),
    postgres: { url: database.url, maxConnections: 1 },
  });
  const { manifest } = tinyTransformer();
  const row = { id: "gone", name: "absent", manifest: JSON.stringify(manifest), storage: null };
  await store.sharedModels?.begin(row);
  const before = await store.settings.find("model.current");
  await store.settings.set("model.current", "absent");
  const child = Bun.spawn([process.execPath, main, "serve"], {
    cwd: folder,
    env: { ...environment("waiting"), CASEFILE_LOG_LEVEL: "info" },
    stdout: "ignore",
    stderr: "pipe",
  });
  running.add(child);
  let log = "";
  let isTold = false;
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    log += text;
    if (!isTold && log.includes("is lacking")) isTold = child.kill("SIGTERM") === undefined;
  }
  expect([await child.exited, log.split("\n").filter((line) => /error|interrupted/i.test(line))]).toEqual([0, []]);
  await store.sharedModels?.remove("gone");
  await store.settings.set("model.current", before ?? "built-in");
  await store.close();
});
