import type { Failure } from "../vocabulary/failure.ts";
import type { ModelRequest } from "./model.ts";

/** What an encoder asks its thread; one question at a time. */
export type Question = { readonly id: number } & (
  | { readonly ask: "open"; readonly request: ModelRequest }
  | { readonly ask: "count"; readonly texts: readonly string[] }
  | { readonly ask: "encode"; readonly texts: readonly string[]; readonly kind: "query" | "passage" }
  | { readonly ask: "interact"; readonly query: string; readonly passages: readonly string[] }
  | { readonly ask: "observe"; readonly passages: readonly string[] }
  | { readonly ask: "close" }
);

/** What comes back for the question of the same id. An error loses its class between threads, so its parts are sent. */
export interface Answer {
  readonly id: number;
  readonly vectors?: readonly Float32Array[];
  readonly counts?: readonly number[];
  readonly likenesses?: readonly number[];
  readonly failure?: Pick<Failure, "code" | "advice" | "details">;
}
