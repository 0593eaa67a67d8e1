import type { Start } from "./api-types.ts";
import { ask } from "./ask.ts";

let asked: Promise<Start> | undefined;

/** What every page may need to know of the service, asked once. */
export function start(): Promise<Start> {
  asked ??= ask<Start>("/console/start").catch((error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}
