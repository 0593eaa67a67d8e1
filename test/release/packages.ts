import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { fileNameOf, isThisMachine, TARGETS } from "../../scripts/build/targets.ts";
import { buildImage } from "../../scripts/release/image.ts";
import { installScript } from "../../scripts/release/install-script.ts";
import { buildDeb, buildRpm, type PackageInput } from "../../scripts/release/packages.ts";
import { run } from "../../scripts/release/run.ts";
import { publicKeyOf, sign } from "../../scripts/release/sign.ts";
import { writeSums } from "../../scripts/release/sums.ts";

/**
 * Builds the Linux packages and the image from `dist/casefile`, installs each into an overlay of this machine's root, and
 * removes it again; installs, upgrades and removes by the install script too: `npm run test:release`, after `npm run build`. The machine itself is not changed. Needs root, and Debian's
 * dpkg-deb, rpmbuild, umoci, skopeo and minisign; without them the tests are skipped.
 */
const root = resolve(import.meta.dir, "../..");
const executable = join(root, "dist/casefile");
const TOOLS = ["dpkg-deb", "rpmbuild", "umoci", "skopeo", "minisign", "unshare"];
const missing = [
  ...TOOLS.filter((name) => Bun.which(name) === null),
  ...(process.getuid?.() === 0 ? [] : ["root"]),
  ...(existsSync(executable) ? [] : ["dist/casefile"]),
];
// Containers without privileges have a root that may not mount.
const overlay =
  "mount -t tmpfs tmpfs /mnt; mkdir /mnt/u /mnt/w /mnt/r; mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r";
const canMount = () =>
  Bun.spawnSync(["unshare", "--mount", "--net", "--pid", "--fork", "sh", "-ec", overlay]).exitCode === 0;
if (missing.length === 0 && !canMount()) missing.push("the permission to mount an overlay");
if (missing.length > 0) console.error(`Skipped, because these are missing: ${missing.join(", ")}`);

const SERVES = `
  cd /; runuser -u casefile -- env HOME=/var/lib/casefile /usr/bin/casefile serve --port 17171 --data-dir /var/lib/casefile/data >/tmp/log 2>&1 & pid=$!
  for _ in $(seq 1 100); do /usr/bin/casefile health --server http://127.0.0.1:17171 2>/dev/null && break; sleep 0.3; done
  /usr/bin/casefile health --server http://127.0.0.1:17171 || cat /tmp/log
  kill $pid; wait $pid || true
`;

describe.skipIf(missing.length > 0)("packages", () => {
  let work = "";
  const input = (version: string): PackageInput => ({
    version,
    executable,
    arch: "x64",
    root,
    out: work,
    work: join(work, "w"),
  });
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), "casefile-packages-"));
  });
  afterAll(() => rm(work, { recursive: true }));

  /** Makes a key of minisign. @returns the path of the secret key; the public one has `.pub` */
  const signingKey = async () => {
    const key = join(await mkdtemp(join(work, "key-")), "key");
    await run(["minisign", "-G", "-W", "-p", `${key}.pub`, "-s", key]);
    return key;
  };

  /** Runs a script as root in a copy-on-write view of this machine; without a network. */
  const inOverlay = (script: string) =>
    run([
      ...["unshare", "--mount", "--net", "--pid", "--fork", "sh", "-ec"],
      `mount -t tmpfs tmpfs /mnt; mkdir /mnt/upper /mnt/work /mnt/root
       mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
       mount -t proc proc /mnt/root/proc; mount --rbind /dev /mnt/root/dev; mkdir -p /mnt/root/packages
       mount --bind ${work} /mnt/root/packages; ip link set lo up
       chroot /mnt/root sh -ec "$1"`,
      "sh",
      script,
    ]);

  test("the .deb installs, serves as its own user, upgrades, and keeps settings and data when it is removed", async () => {
    await buildDeb(input("9.0.0"));
    await buildDeb(input("9.0.1"));
    const out = await inOverlay(`
      dpkg -i /packages/casefile_9.0.0_amd64.deb
      ${SERVES}
      stat -c 'data of %U, mode %a' /var/lib/casefile
      echo 'CASEFILE_SERVER_PORT=8080' >>/etc/casefile/casefile.env
      dpkg -i --force-confold /packages/casefile_9.0.1_amd64.deb
      dpkg-query -W casefile; tail -1 /etc/casefile/casefile.env
      dpkg -r casefile
      [ ! -e /usr/bin/casefile ] && [ -e /etc/casefile/casefile.env ] && echo 'removed, settings kept'
      dpkg -P casefile
      [ ! -e /etc/casefile/casefile.env ] && [ -e /var/lib/casefile/data/casefile.sqlite ] && echo 'purged, data kept'
    `);
    expect(out).toContain("http://127.0.0.1:17171 is ready.");
    expect(out).toContain("data of casefile, mode 700");
    expect(out).toContain("casefile\t9.0.1\nCASEFILE_SERVER_PORT=8080");
    expect(out).toContain("removed, settings kept");
    expect(out).toContain("purged, data kept");
  });

  test("the .rpm installs, serves as its own user, and keeps data when it is removed", async () => {
    await buildRpm(input("9.0.0"));
    // This machine's libraries are Debian's, unknown to its rpm database.
    const out = await inOverlay(`
      rpm -i --nodeps /packages/casefile-9.0.0-1.x86_64.rpm
      ${SERVES}
      rpm -e casefile
      [ ! -e /usr/bin/casefile ] && [ -e /var/lib/casefile/data/casefile.sqlite ] && echo 'removed, data kept'
    `);
    expect(out).toContain("http://127.0.0.1:17171 is ready.");
    expect(out).toContain("removed, data kept");
  });

  test("the image is a valid OCI archive, and serves as nobody on a read-only root", async () => {
    const archive = await buildImage({ version: "9.0.0", executable, arch: "x64", out: work, work: join(work, "w") });
    const image = JSON.parse(await run(["skopeo", "inspect", "--config", `oci-archive:${archive}`]));
    expect(image).toMatchObject({
      architecture: "amd64",
      os: "linux",
      config: { User: "65534:65534", Entrypoint: ["/casefile"], Cmd: ["serve"], Volumes: { "/data": {} } },
    });
    await run(["skopeo", "copy", "--quiet", `oci-archive:${archive}`, `oci:${work}/layout:9.0.0`]);
    await run(["umoci", "unpack", "--image", `${work}/layout:9.0.0`, `${work}/bundle`]);
    const out = await run([
      ...["unshare", "--mount", "--net", "--pid", "--fork", "sh", "-ec"],
      `cd ${work}/bundle/rootfs; mount --bind . .; mkdir -p proc dev; mount -t proc proc proc
       mount -t tmpfs -o uid=65534,gid=65534,mode=700 tmpfs data; mount -o remount,bind,ro .; ip link set lo up
       cd ${work}/bundle/rootfs
       asked() { env -i $(cat ${work}/env) /usr/sbin/chroot --userspec=65534:65534 . /casefile "$@"; }
       asked serve >${work}/log 2>&1 & pid=$!
       for _ in $(seq 1 100); do asked health 2>/dev/null && break; sleep 0.3; done
       asked health || cat ${work}/log
       kill $pid; wait $pid || true`.replaceAll(`$(cat ${work}/env)`, image.config.Env.join(" ")),
    ]);
    expect(out).toContain("http://127.0.0.1:7171 is ready.");
  });

  test("the install script installs it, it serves the data of 0.1.0, and it is removed without that data", async () => {
    const key = await signingKey();
    const version = "9.0.0";
    const releases = join(work, "releases");
    const folder = join(releases, `v${version}`);
    await mkdir(folder, { recursive: true });
    await copyFile(executable, join(folder, fileNameOf(TARGETS.find(isThisMachine)!, version)));
    await sign(await writeSums(folder), key, `casefile ${version}`);
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => new Response(Bun.file(join(releases, new URL(url).pathname))),
    });
    try {
      await Bun.write(
        join(releases, "install.sh"),
        installScript(await Bun.file(join(root, "deploy/install.sh")).text(), {
          baseUrl: server.url.origin,
          publicKey: await publicKeyOf(`${key}.pub`),
          version,
        }),
      );
      const old = await Bun.file(join(root, "test/services/releases/0.1.0/casefile.sqlite.zst")).bytes();
      await Bun.write(join(work, "home/casefile-data/casefile.sqlite"), zstdDecompressSync(old));
      const out = await run([
        ...["sh", "-ec"],
        `export HOME=${work}/home; cd; install() { curl -fsS ${server.url}install.sh | sh -s -- "$@"; }
         install; export PATH="$HOME/.local/bin:$PATH"
         casefile serve --port 0 >log 2>&1 & pid=$!
         for _ in $(seq 1 100); do grep -q 'running at' log && break; sleep 0.3; done
         casefile health --server $(grep -om1 'http://[0-9.]*:[0-9]*' log) || cat log
         kill $pid; wait $pid || true
         casefile search 'a bank and its mainframe' --mode keyword --json | grep -o '"id": *"northgate"' | head -1
         ls casefile-data/backups
         install; install --uninstall
         [ ! -e .local/bin/casefile ] && [ -e casefile-data/casefile.sqlite ] && echo 'removed, data kept'`,
      ]);
      expect(out).toContain("Installed casefile ");
      expect(out).toContain("is ready.");
      expect(out).toContain("northgate");
      expect(out).toContain("before-migration-6-");
      expect(out).toContain("removed, data kept");
    } finally {
      await server.stop(true);
    }
  }, 300_000);

  test("minisign verifies what the release signs", async () => {
    const key = await signingKey();
    const file = join(work, "SHA256SUMS");
    await Bun.write(file, "00  casefile\n");
    await sign(file, key, "casefile 9.0.0");
    expect(await run(["minisign", "-V", "-p", `${key}.pub`, "-m", file])).toContain("casefile 9.0.0");
  });
});
