import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { open } from "../test/http/opened.ts";
import { clientTypes } from "./client/client-types.ts";

/** Generates the client's types from the OpenAPI document: `npm run generate:client`. */

const { ask, app } = await open();
const document = JSON.parse(await (await ask("/openapi.json")).text());
await app.close();
await writeFile(join(import.meta.dir, "../client/src/schema.ts"), await clientTypes(document));
