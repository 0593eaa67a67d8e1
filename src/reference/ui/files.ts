import { type BrowserFile, browserFile } from "../../http/content-coding.ts";

interface ReferenceFiles {
  readonly script: BrowserFile;
  readonly style: BrowserFile;
}

let loading: Promise<ReferenceFiles> | undefined;

/** Read when the reference is first requested: it takes 0.1 s and 2 MB of memory. */
export function referenceFiles(): Promise<ReferenceFiles> {
  loading ??= read();
  return loading;
}

async function read(): Promise<ReferenceFiles> {
  const { loadReferenceUi } = await import("./packed.ts");
  const { script, style } = loadReferenceUi();
  return {
    script: browserFile(script, "text/javascript; charset=utf-8"),
    style: browserFile(style, "text/css; charset=utf-8"),
  };
}
