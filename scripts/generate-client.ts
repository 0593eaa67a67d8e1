import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { open } from "../test/http/opened.ts";
import { schemaText } from "./client/schema-text.ts";

/** Generates the client's types from the OpenAPI document: `bun scripts/generate-client.ts`. */

const { ask, app } = await open();
const document = JSON.parse(await (await ask("/openapi.json")).text());
await app.close();
const path = join(import.meta.dir, "../client/src/schema.ts");
await writeFile(path, schemaText(document));
await Bun.spawn(["npx", "biome", "format", "--write", path], { stdout: "ignore", stderr: "inherit" }).exited;
