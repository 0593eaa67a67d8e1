import { fill } from "../services/study-records.ts";
import { type Asked, open } from "./opened.ts";

export const NOW = "2026-05-04T12:00:00.000Z";

/** A service with seven case studies of three companies, and a key with a quota of 1,000 requests. */
export async function filled(options: Parameters<typeof open>[0] = {}) {
  const service = await open({ clock: () => new Date(NOW), monthlyLimit: 1_000, ...options });
  await fill(service.app);
  const key = await service.key();
  return { ...service, get: (path: string, asked: Asked = {}) => service.ask(path, { key, ...asked }) };
}

/** The remaining monthly quota of the key, from a response's header. */
export const remaining = (answer: Response) =>
  Number(/;r=(\d+);/.exec(answer.headers.get("ratelimit") ?? "")?.[1] ?? NaN);
