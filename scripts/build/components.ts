import { join } from "node:path";

/** The fields of a CycloneDX 1.5 component that this script reads. */
interface Component {
  readonly name: string;
  readonly version: string;
  readonly externalReferences?: readonly { readonly type: string }[];
}

/**
 * Writes `casefile.cdx.json`, the list of what a release is made of, in CycloneDX: npm's own list of the packages, and
 * the runtime, which npm takes for a tool.
 */
export async function writeComponents(root: string, dist: string): Promise<void> {
  const child = Bun.spawn(
    [
      ...["npm", "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"],
      ...["--package-lock-only", "--omit", "dev", "--workspaces=false"],
    ],
    { cwd: root, stdout: "pipe", stderr: "pipe" },
  );
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`npm could not list the packages:\n${err.slice(0, 500)}`);
  const list = JSON.parse(out);
  // Omit the build folder's name and the URLs that packages were fetched from: both are private to the build machine.
  list.metadata.component.name = "casefile";
  const components: Component[] = list.components;
  list.components = [...components.map(withoutOrigin), runtime()];
  list.dependencies = [...list.dependencies, { ref: `bun@${Bun.version}`, dependsOn: [] }];
  await Bun.write(join(dist, "casefile.cdx.json"), `${JSON.stringify(list, null, 2)}\n`);
}

const withoutOrigin = (component: Component): Component => ({
  ...component,
  externalReferences: (component.externalReferences ?? []).filter(({ type }) => type !== "distribution"),
});

const runtime = () => ({
  "bom-ref": `bun@${Bun.version}`,
  type: "platform",
  name: "bun",
  version: Bun.version,
  scope: "required",
  description: "The JavaScript runtime, with what is linked into it.",
  purl: `pkg:npm/bun@${Bun.version}`,
  externalReferences: [{ type: "website", url: "https://bun.com" }],
  licenses: [{ license: { id: "MIT" } }],
});
