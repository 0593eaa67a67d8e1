import { chmod, copyFile, cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "./run.ts";

/** What a Linux package is made of. */
export interface PackageInput {
  readonly version: string;
  /** The executable for Linux. */
  readonly executable: string;
  readonly arch: "x64" | "arm64";
  /** The repository's root: unit, scripts and licence are in it. */
  readonly root: string;
  /** Folder for the result. */
  readonly out: string;
  /** A folder for intermediate files; removed afterwards. */
  readonly work: string;
}

const DEBIAN_ARCH = { x64: "amd64", arm64: "arm64" } as const;
const RPM_ARCH = { x64: "x86_64", arm64: "aarch64" } as const;

const SUMMARY = "Lists the tools that companies use, and searches case studies";
const DESCRIPTION =
  "Casefile lists the tools a company uses, with evidence for each, and searches the customer case studies that vendors publish. It runs on your own machine, with or without the internet.";

/** Files of a package, without the root's slash: path → mode. Directories are created as needed. */
const FILES: Readonly<Record<string, { from: (input: PackageInput) => string; mode: number }>> = {
  "usr/bin/casefile": { from: ({ executable }) => executable, mode: 0o755 },
  "etc/casefile/casefile.env": { from: ({ root }) => join(root, "deploy/packages/casefile.env"), mode: 0o640 },
  "usr/share/doc/casefile/LICENSE": { from: ({ root }) => join(root, "LICENSE"), mode: 0o644 },
};
const UNIT = "lib/systemd/system/casefile.service";
const CONFIGURATION = "/etc/casefile/casefile.env";

/** Writes the tree that both formats install. */
async function stage(input: PackageInput, tree: string): Promise<void> {
  for (const [path, { from, mode }] of Object.entries(FILES)) {
    const target = join(tree, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(from(input), target);
    await chmod(target, mode);
  }
  const unit = await packageUnit(await Bun.file(join(input.root, "deploy/casefile.service")).text());
  await Bun.write(join(tree, UNIT), unit);
  await chmod(join(tree, UNIT), 0o644);
}

/**
 * The unit of a package: a user of its own that stays between starts, so that commands can run as it, and the paths of a
 * package. The comment that explains how to install the unit by hand is removed.
 *
 * @throws Error when the unit lacks what is replaced
 */
export function packageUnit(unit: string): string {
  const replaced: readonly (readonly [RegExp, string])[] = [
    [
      /^#.*\n(?:# .*\n)*(?=\[Unit\])/,
      "# Casefile as a service of the user casefile. Settings: /etc/casefile/casefile.env\n",
    ],
    [/^ExecStart=\/usr\/local\/bin\/casefile/m, "ExecStart=/usr/bin/casefile"],
    [/^EnvironmentFile=-\/etc\/casefile\.env$/m, `EnvironmentFile=-${CONFIGURATION}`],
    [/^DynamicUser=yes$/m, "User=casefile\nGroup=casefile"],
  ];
  return replaced.reduce((text, [pattern, by]) => {
    if (!pattern.test(text)) throw new Error(`deploy/casefile.service has no line ${pattern}.`);
    return text.replace(pattern, by);
  }, unit);
}

/** Builds `casefile_VERSION_ARCH.deb` with dpkg-deb. @returns its path */
export async function buildDeb(input: PackageInput): Promise<string> {
  const tree = join(input.work, `deb-${input.arch}`);
  await stage(input, tree);
  const control = join(tree, "DEBIAN");
  await mkdir(control, { recursive: true });
  const kib = Math.ceil(Bun.file(input.executable).size / 1_024);
  await Bun.write(
    join(control, "control"),
    [
      "Package: casefile",
      `Version: ${input.version}`,
      `Architecture: ${DEBIAN_ARCH[input.arch]}`,
      "Maintainer: The Casefile maintainers <maintainers@casefile.example>",
      `Installed-Size: ${kib}`,
      "Depends: libc6 (>= 2.31), libstdc++6, libgcc-s1, passwd",
      "Section: net",
      "Priority: optional",
      `Description: ${SUMMARY}`,
      ` ${DESCRIPTION.replace(/(.{1,76})(?: |$)/g, "$1\n ").trimEnd()}`,
      "",
    ].join("\n"),
  );
  await Bun.write(join(control, "conffiles"), `${CONFIGURATION}\n`);
  for (const name of ["postinst", "prerm", "postrm"]) {
    await cp(join(input.root, "deploy/packages", name), join(control, name));
    await chmod(join(control, name), 0o755);
  }
  const file = join(input.out, `casefile_${input.version}_${DEBIAN_ARCH[input.arch]}.deb`);
  // The executable contains compressed libraries: a higher level costs minutes and saves nothing.
  await run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, file]);
  await rm(tree, { recursive: true });
  return file;
}

/** Builds `casefile-VERSION-1.ARCH.rpm` with rpmbuild. @returns its path */
export async function buildRpm(input: PackageInput): Promise<string> {
  const arch = RPM_ARCH[input.arch];
  const top = join(input.work, `rpm-${input.arch}`);
  const tree = join(top, "tree");
  await stage(input, tree);
  const script = async (name: string) =>
    (await Bun.file(join(input.root, "deploy/packages", name)).text()).replace(/^#!.*\n/, "");
  // Stripping, or an id of the build, would change the executable, which ends with its own data.
  const spec = `%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
Name: casefile
Version: ${input.version}
Release: 1
Summary: ${SUMMARY}
License: Apache-2.0
AutoReqProv: no
Requires: glibc, libstdc++, libgcc, shadow-utils
%description
${DESCRIPTION}
%install
cp -a ${tree}/. %{buildroot}/
mkdir -p %{buildroot}/usr/lib && mv %{buildroot}/lib/systemd %{buildroot}/usr/lib/ && rmdir %{buildroot}/lib
%files
%attr(0755,root,root) /usr/bin/casefile
%attr(0644,root,root) /usr/lib/systemd/system/casefile.service
%config(noreplace) %attr(0640,root,root) ${CONFIGURATION}
%license /usr/share/doc/casefile/LICENSE
%post
${await script("postinst")}
%preun
${await script("prerm")}
%postun
${await script("postrm")}
`;
  const specFile = join(top, "casefile.spec");
  await Bun.write(specFile, spec);
  const define = (name: string, value: string) => ["--define", `${name} ${value}`];
  await run([
    ...["rpmbuild", "-bb", "--target", `${arch}-linux`],
    ...define("_topdir", top),
    ...define("_binary_payload", "w1.gzdio"),
    specFile,
  ]);
  const name = `casefile-${input.version}-1.${arch}.rpm`;
  await copyFile(join(top, "RPMS", arch, name), join(input.out, name));
  await rm(top, { recursive: true });
  return join(input.out, name);
}
