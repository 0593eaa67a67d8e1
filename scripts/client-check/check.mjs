import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import n8n from "@devlikeapro/n8n-openapi-node";
import { dereference, validate } from "@scalar/openapi-parser";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * Checks what other programs use, as they get it: the client as npm packs it, and the OpenAPI document of a running service.
 * The example of the client's README runs in Node, Bun and, if it is installed, Chromium.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = join(ROOT, "client");
const BUN = join(ROOT, "node_modules/.bin/bun");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const execute = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), "casefile-client-"));
const environment = {
  ...process.env,
  CASEFILE_DATA_DIR: join(folder, "data"),
  // Nothing answers there: no scan reaches the internet.
  CASEFILE_NET_RESOLVERS: "127.0.0.1:9",
};
const casefile = (...args) => execute(BUN, ["src/main.ts", ...args], { cwd: ROOT, env: environment });
let service;
try {
  const installed = await checkPack();
  const url = await startService();
  const { api_key: key } = JSON.parse((await casefile("keys", "issue", "you@your-company.example", "--json")).stdout);
  await checkExample(installed, url, key);
  await checkDocument(url, key);
  await checkNode(url, key);
} finally {
  if (service !== undefined && service.exitCode === null) {
    service.kill("SIGTERM");
    await new Promise((ended) => service.once("exit", ended));
  }
  await rm(folder, { recursive: true, force: true });
}

/** @returns the folder of a project that has the packed client installed */
async function checkPack() {
  await rm(join(CLIENT, "dist"), { recursive: true, force: true });
  const packed = await execute("npm", ["pack", "--json", "--pack-destination", folder], { cwd: CLIENT });
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("[\n")));
  const tarball = await readFile(join(folder, filename));

  const { messages, pkg } = await publint({ strict: true, pack: { tarball: new Uint8Array(tarball).buffer } });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
    "publint",
  );

  const types = await checkPackage(createPackageFromTarballData(tarball));
  assert.ok(types.types, "the package has types");
  // The client has only ES modules; `require` of them works from Node 20.19.
  const problems = types.problems.filter(({ kind }) => kind !== "CJSResolvesToESM");
  assert.deepEqual(problems, [], "are the types wrong");

  const names = files.map(({ path }) => path);
  for (const name of ["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"])
    assert.ok(names.includes(name), name);
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{"type":"module"}');
  await execute("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], { cwd: project });
  const lock = JSON.parse(await readFile(join(project, "node_modules/.package-lock.json"), "utf8"));
  assert.deepEqual(Object.keys(lock.packages), ["node_modules/@casefile/client"], "the client has no dependency");
  console.log(`${filename}: ${names.length} files, ${tarball.length} bytes; publint and attw found nothing`);
  return project;
}

async function startService() {
  await casefile("enrich", "--from", "data/examples/harbourline.example.json", "--keep");
  service = spawn(BUN, ["src/main.ts", "serve", "--port", "0"], {
    cwd: ROOT,
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let banner = "";
  for await (const part of service.stdout) {
    banner += part;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0];
    if (url !== undefined) {
      service.stdout.resume();
      return url;
    }
  }
  throw new Error(`the service ended before it listened: ${banner}`);
}

async function checkExample(project, url, key) {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(await readFile(join(CLIENT, "README.md"), "utf8"));
  const at = (base) => example.replace("http://127.0.0.1:7171", base);
  await writeFile(join(project, "example.mjs"), at(url));
  const environmentOfExample = { PATH: process.env.PATH, HOME: folder, CASEFILE_API_KEY: key };
  const check = (where, lines) => {
    assert.match(lines[0] ?? "", /^\w+ \d+$/, where);
    assert.match(lines.find((line) => line.startsWith("complete")) ?? "", /^complete [1-9]\d+$/, where);
    assert.match(lines.at(-1) ?? "", /harborline/, where);
    console.log(`the README's example runs in ${where}: ${lines.length} lines`);
  };
  for (const runtime of [process.execPath, BUN]) {
    const { stdout } = await execute(runtime, ["example.mjs"], { cwd: project, env: environmentOfExample });
    check(runtime === BUN ? "Bun" : `Node ${process.versions.node}`, stdout.trim().split("\n"));
  }
  if (CHROMIUM === undefined) {
    console.log("skipped in Chromium: it is not installed");
    return;
  }
  const { chromium } = await import("playwright-core");
  const dist = join(project, "node_modules/@casefile/client/dist");
  // The service and the page have one origin.
  const site = createServer(async (request, response) => {
    if (request.url.startsWith("/v1/")) {
      const answer = await fetch(url + request.url, { headers: { "x-api-key": request.headers["x-api-key"] } });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") });
      for await (const part of answer.body) response.write(part);
      response.end();
    } else if (/^\/dist\/[\w-]+\.js$/.test(request.url)) {
      response.writeHead(200, { "content-type": "text/javascript" });
      response.end(await readFile(join(dist, request.url.slice("/dist/".length))));
    } else {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<!doctype html><title>Example</title>");
    }
  });
  await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${site.address().port}`;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const lines = [];
    page.on("console", (message) => message.type() === "log" && lines.push(message.text()));
    await page.goto(origin);
    const script = at(origin)
      .replace(/import (\{[^}]+\}) from "@casefile\/client";/, 'const $1 = await import("/dist/index.js");')
      .replace("process.env.CASEFILE_API_KEY", JSON.stringify(key));
    await page.evaluate(`(async () => { ${script} })()`);
    check("Chromium", lines);
  } finally {
    await browser.close();
    site.closeAllConnections();
    site.close();
  }
}

/**
 * Imports the document as a generic tool does: validates it, resolves its references, and sends each operation with a key as it is
 * described, with the example of its body.
 */
async function checkDocument(url, key) {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  const { valid, errors } = await validate(text);
  assert.deepEqual([valid, errors ?? []], [true, []], "the document is valid");
  const { schema } = dereference(text);

  const send = async (path, method, operation, values) => {
    const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
    const headers = {};
    for (const name of Object.keys((operation.security ?? schema.security ?? [])[0] ?? {})) {
      const { type, in: place, name: header } = schema.components.securitySchemes[name];
      assert.deepEqual([type, place], ["apiKey", "header"], `${method} ${path} takes a key`);
      headers[header] = key;
    }
    const content = operation.requestBody?.content["application/json"];
    const body = content?.example ?? Object.values(content?.examples ?? {})[0]?.value ?? content?.schema.example;
    if (content !== undefined) headers["content-type"] = "application/json";
    const options = { method: method.toUpperCase(), headers, signal: AbortSignal.timeout(30_000) };
    const response = await fetch(
      url + address,
      content === undefined ? options : { ...options, body: JSON.stringify(body) },
    );
    const answer = await response.text();
    assert.ok(String(response.status) in operation.responses, `${method} ${path}: ${response.status} is documented`);
    return { status: response.status, answer };
  };
  const first = async (path, list, field) =>
    JSON.parse((await send(path, "get", schema.paths[path].get, {})).answer)[list][0][field];
  const [slug, study, tool] = [
    await first("/v1/companies", "companies", "slug"),
    await first("/v1/casestudies", "case_studies", "id"),
    await first("/v1/tools", "tools", "id"),
  ];
  const values = { domain: "harbourline.example", slug, id: study, tool };
  const statuses = {};
  for (const [path, operations] of Object.entries(schema.paths)) {
    if (!path.startsWith("/v1/")) continue;
    for (const method of ["get", "post"]) {
      const operation = operations[method];
      // The key that is used here would be invalid afterwards.
      if (operation === undefined || operation.operationId === "rotateKey") continue;
      const { status, answer } = await send(path, method, operation, values);
      // The examples name invented vendors and tools, and no batch has the id of a case study. Everything else succeeds.
      if (status >= 300)
        assert.match(JSON.parse(answer).code, /^(?:company|tool|batch)\.not_found$/, `${method} ${path}`);
      statuses[`${method} ${path}`] = status;
    }
  }
  const ok = Object.values(statuses).filter((status) => status < 300).length;
  assert.ok(ok >= 20, `${ok} operations succeeded`);
  console.log(
    `the OpenAPI document imports: ${Object.keys(statuses).length} operations sent, ${ok} succeeded, the others name invented records`,
  );
}

/** Makes a node of n8n from the document, and sends two of its operations as n8n would. */
async function checkNode(url, key) {
  const document = await (await fetch(`${url}/openapi.json`)).json();
  // The builder's own log is of no use here.
  const logger = Object.fromEntries(["trace", "debug", "info", "warn", "error"].map((name) => [name, () => {}]));
  const properties = new n8n.N8NPropertiesBuilder(document, { logger }).build();
  const requests = properties
    .filter(({ name, options }) => name === "operation" && options !== undefined)
    .flatMap(({ options }) => options.map(({ routing }) => routing.request));
  const described = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter((operation) => operation.operationId !== undefined);
  assert.equal(requests.length, described.length, "each operation of the document is one of the node");
  const values = { domain: "harbourline.example" };
  for (const wanted of ["=/v1/tools", '=/v1/enrich/{{$parameter["domain"]}}']) {
    const request = requests.find(({ method, url: template }) => method === "GET" && template === wanted);
    assert.ok(request, wanted);
    const path = request.url.slice(1).replace(/\{\{\$parameter\["(\w+)"\]\}\}/g, (_, name) => values[name]);
    const response = await fetch(url + path, { headers: { "x-api-key": key }, signal: AbortSignal.timeout(30_000) });
    assert.equal(response.status, 200, path);
  }
  console.log(`n8n makes a node of ${requests.length} operations from the document`);
}
