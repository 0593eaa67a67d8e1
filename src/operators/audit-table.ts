import { parseIsoInstant } from "../core/dates.ts";
import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import type { Column, Row } from "../tabular/table.ts";
import type { AuditFilter } from "./repository.ts";
import type { OperatorService } from "./service.ts";

export const AUDIT_COLUMNS: readonly Column[] = [
  { name: "at", type: "instant" },
  { name: "operator", type: "text" },
  { name: "role", type: "text" },
  { name: "by", type: "text" },
  { name: "action", type: "text" },
  { name: "target", type: "text" },
  { name: "status", type: "integer" },
  { name: "client", type: "text" },
  { name: "session", type: "text" },
];

/** Every entry, newest first. */
export async function* allAudit(
  { listAudit }: Pick<OperatorService, "listAudit">,
  filter: AuditFilter,
): AsyncGenerator<Row> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listAudit(filter, { limit: 1_000, cursor });
    for (const entry of page.entries) yield { ...entry };
    cursor = page.next_cursor;
  }
}

/** A filter as it is given, with dates or timestamps. @throws Failure `query.invalid` */
export function parseFilter({ operator, since, until }: AuditFilter): AuditFilter {
  const instant = (name: string, text: string | undefined) => {
    if (text === undefined) return undefined;
    const found = parseIsoInstant(text);
    if (found !== undefined) return found;
    const detail = `Unknown ${name} ${quoted(text)}: give a date or a timestamp, such as 2026-05-04.`;
    throw new Failure("query.invalid", detail, { problems: [{ pointer: `/${name}`, detail }] });
  };
  return { operator, since: instant("since", since), until: instant("until", until) };
}
