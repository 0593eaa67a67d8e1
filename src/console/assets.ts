import { answerFile, type BrowserFile, browserFile } from "../http/content-coding.ts";

/** What a browser loads: one script, one style sheet, and the few lines that choose light or dark before they come. */
export interface AssetNames {
  readonly script: string;
  readonly style: string;
  readonly theme: string;
}

interface Loaded {
  readonly names: AssetNames;
  readonly files: ReadonlyMap<string, BrowserFile>;
}

let loading: Promise<Loaded> | undefined;

/** Read when the first page is asked for: commands, and services that nobody looks at, pay nothing. */
function load(): Promise<Loaded> {
  loading ??= read();
  return loading;
}

async function read(): Promise<Loaded> {
  const { loadBundle } = await import("./packed.ts");
  const bundle = loadBundle();
  const files = new Map<string, BrowserFile>();
  const add = (name: string, text: string, type: string): string => {
    // Its content's hash in the name: a browser may keep it for good, and a new version has another name.
    const path = `/console/files/${name.replace(".", `-${Bun.hash(text).toString(36)}.`)}`;
    files.set(path, browserFile(text, type));
    return path;
  };
  const names = {
    script: add("console.js", bundle.script, "text/javascript; charset=utf-8"),
    style: add("console.css", bundle.style, "text/css; charset=utf-8"),
    theme: add("theme.js", bundle.theme, "text/javascript; charset=utf-8"),
  };
  return { names, files };
}

export const assetNames = async (): Promise<AssetNames> => (await load()).names;

/** A file of the console, compressed for who takes that. */
export async function asset(request: Request, path: string): Promise<Response | undefined> {
  if (!path.startsWith("/console/files/")) return undefined;
  const file = (await load()).files.get(path);
  return file && answerFile(request, file, { "cache-control": "public, max-age=31536000, immutable" });
}
