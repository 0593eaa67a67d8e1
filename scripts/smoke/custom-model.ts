import { cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BAKERY } from "./first-use.ts";
import type { Machine } from "./machine.ts";

const SHIPPED = resolve(import.meta.dir, "../../models/casefile-static");

/** A custom model: a copy of the built-in model, added under another name. */
export async function customModel({ ok, json, check, work }: Machine): Promise<void> {
  const folder = join(work, "encoder");
  await mkdir(folder);
  for (const name of ["model.onnx", "tokenizer.json"]) await cp(join(SHIPPED, name), join(folder, name));
  await ok(["model", "add", folder, "--name", "custom"]);
  const used = await json(["model", "use", "custom"]);
  check("migrates to a custom model", used.model.state === "used" && used.embedded === 3);
  const found = async (...more: string[]) =>
    (await json(["search", "employee retention", "--mode", "semantic", ...more])).results[0]?.url;
  check("searches with it", (await found()) === BAKERY);
  const states = async (...more: string[]) =>
    (await json(["model", "list", ...more])).models
      .map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)
      .join();
  check("lists it", (await states()) === "built-in idle,custom used");

  const [archive, restored] = [join(work, "custom.tar.zst"), ["--data-dir", join(work, "custom-restored")]];
  await ok(["backup", "create", archive]);
  await ok(["restore", archive, ...restored]);
  check("restores it from a backup", (await found(...restored)) === BAKERY);
  check("uses it after the restore", (await states(...restored)) === "built-in idle,custom used");
  await ok(["model", "use", "built-in"]);
}
