export { type CallOptions, type Client, type ClientOptions, createClient, type Readiness } from "./client.ts";
export { CasefileProblem } from "./problem.ts";
export type * from "./schema.ts";
