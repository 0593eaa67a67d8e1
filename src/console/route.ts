/** One answer of the console's own. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Matches the whole path; its first group is handed on, decoded. */
  readonly path: RegExp;
  /** @throws Failure as the API does */
  readonly answer: (request: Request, id: string) => Promise<Response>;
}

/** JSON that nobody else may keep. */
export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(value, { headers: { "cache-control": "no-store", ...headers } });
