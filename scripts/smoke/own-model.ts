import { cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BAKERY } from "./first-use.ts";
import type { Machine } from "./machine.ts";

const SHIPPED = resolve(import.meta.dir, "../../models/casefile-static");

/** A model of the user's own: the shipped one's files, which are an encoder like any other to who adds them. */
export async function ownModel({ ok, json, check, work }: Machine): Promise<void> {
  const folder = join(work, "encoder");
  await mkdir(folder);
  for (const name of ["model.onnx", "tokenizer.json"]) await cp(join(SHIPPED, name), join(folder, name));
  await ok(["model", "add", folder, "--name", "own"]);
  const used = await json(["model", "use", "own"]);
  check("embeds everything with a model that was added", used.model.state === "used" && used.embedded === 3);
  const found = async (...more: string[]) =>
    (await json(["search", "employee retention", "--mode", "semantic", ...more])).results[0]?.url;
  check("searches with it", (await found()) === BAKERY);
  const states = async (...more: string[]) =>
    (await json(["model", "list", ...more])).models
      .map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)
      .join();
  check("lists it", (await states()) === "built-in idle,own used");

  const [archive, restored] = [join(work, "own.tar.zst"), ["--data-dir", join(work, "own-restored")]];
  await ok(["backup", "create", archive]);
  await ok(["restore", archive, ...restored]);
  check("brings it back from a backup", (await found(...restored)) === BAKERY);
  check("uses it there", (await states(...restored)) === "built-in idle,own used");
  await ok(["model", "use", "built-in"]);
}
