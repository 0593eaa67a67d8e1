import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Failure, type Problem, schemaProblem } from "../../core/errors.ts";
import { HTTP_FAULTS, type HttpFault, RECORD_TYPES, type Snapshot } from "../../net/snapshot.ts";

/** Characters of a snapshot file. A live visit stays below. */
const MAX_LENGTH = 128 * 1_048_576;
const MAX_BODY = 16 * 1_048_576;
const MAX_PROBLEMS = 20;

const closed = { additionalProperties: false };
const Name = Type.String({ maxLength: 1_100 });
const Detail = Type.Optional(Type.String({ maxLength: 2_000 }));
const Instant = Type.String({ maxLength: 40, pattern: "^\\d{4}-\\d{2}-\\d{2}T[0-9:.]{5,15}(Z|[+-]\\d{2}:\\d{2})$" });
/** When the answer was recorded, in a snapshot that joins several recordings. */
const At = Type.Optional(Instant);
const statuses = ["ok", "timeout", "failed", "refused", "unrecorded"] as const;
const oneOf = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>(Type.Union(words.map((word) => Type.Literal(word))));
const FAULTS = Object.keys(HTTP_FAULTS) as HttpFault[];
const list = <T extends TSchema>(item: T, maxItems: number) => Type.Array(item, { maxItems });

const DnsRecordShape = Type.Object(
  {
    name: Name,
    type: oneOf(RECORD_TYPES),
    value: Type.String({ maxLength: 16_384 }),
    priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    tag: Type.Optional(Type.String({ maxLength: 1_100 })),
    ttl: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  closed,
);

const DnsShape = Type.Object(
  {
    at: At,
    name: Name,
    type: oneOf(RECORD_TYPES),
    status: oneOf([...statuses, "nxdomain"]),
    records: list(DnsRecordShape, 1_000),
    detail: Detail,
  },
  closed,
);

const HttpShape = Type.Object(
  {
    at: At,
    method: oneOf(["GET", "POST"]),
    url: Type.String({ maxLength: 8_192 }),
    status: oneOf(statuses),
    code: Type.Integer({ minimum: 0, maximum: 999 }),
    headers: list(Type.Tuple([Type.String({ maxLength: 1_024 }), Type.String({ maxLength: 65_536 })]), 1_000),
    body: Type.String({ maxLength: MAX_BODY }),
    encoding: Type.Optional(Type.Literal("base64")),
    truncated: Type.Optional(Type.Boolean()),
    detail: Detail,
    fault: Type.Optional(oneOf(FAULTS)),
  },
  closed,
);

const CertificateShape = Type.Object(
  {
    at: At,
    host: Name,
    status: oneOf(statuses),
    issuer: Type.Union([
      Type.Object({ organisation: Type.String({ maxLength: 1_000 }), name: Type.String({ maxLength: 1_000 }) }, closed),
      Type.Null(),
    ]),
    subject: Type.String({ maxLength: 1_000 }),
    names: list(Name, 500),
    valid_from: Type.Union([Instant, Type.Null()]),
    valid_to: Type.Union([Instant, Type.Null()]),
    detail: Detail,
  },
  closed,
);

const RequestShape = Type.Object(
  { at: At, url: Type.String({ maxLength: 8_192 }), cookies: list(Type.String({ maxLength: 4_096 }), 200) },
  closed,
);

const BrowserShape = Type.Object(
  {
    at: At,
    url: Type.String({ maxLength: 8_192 }),
    status: oneOf(statuses),
    requests: list(RequestShape, 5_000),
    cookies: list(Type.String({ maxLength: 4_096 }), 1_000),
    globals: list(Type.String({ maxLength: 1_000 }), 5_000),
    html: Type.String({ maxLength: MAX_BODY }),
    detail: Detail,
  },
  closed,
);

const SnapshotShape = Type.Object(
  {
    format: Type.Literal("casefile-snapshot"),
    version: Type.Literal(1),
    domain: Type.String({ minLength: 3, maxLength: 253, pattern: "^[a-z0-9_.-]+$" }),
    captured_at: Instant,
    origin: Type.String({ maxLength: 100 }),
    dns: list(DnsShape, 20_000),
    http: list(HttpShape, 5_000),
    certificates: list(CertificateShape, 2_000),
    requests: list(RequestShape, 20_000),
    zone: Type.Boolean(),
    browser: Type.Optional(BrowserShape),
  },
  closed,
);

/**
 * Parses an untrusted snapshot.
 *
 * @throws Failure `snapshot.invalid`, with a pointer to each of the first 20 faults
 */
export function parseSnapshot(text: string): Snapshot {
  if (text.length > MAX_LENGTH) throw invalid("The snapshot is larger than 128 MiB.");
  const value = parseJson(text);
  if (Value.Check(SnapshotShape, value)) return value satisfies Static<typeof SnapshotShape>;
  throw invalid(
    "The file is not a Casefile snapshot of version 1; create a new one with `casefile capture`.",
    problems(value),
  );
}

/** One line per answer, so that a diff of two snapshots is readable. */
export function stringifySnapshot(snapshot: Snapshot): string {
  const { dns, http, certificates, requests, ...head } = snapshot;
  const lines = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  for (const [key, items] of Object.entries({ dns, http, certificates, requests })) {
    const rows = items.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
    lines.push(`  ${JSON.stringify(key)}: [${rows && `\n${rows}\n  `}]`);
  }
  return `{\n${lines.join(",\n")}\n}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The file is not JSON.");
  }
}

function problems(value: unknown): Problem[] {
  const found: Problem[] = [];
  for (const fault of Value.Errors(SnapshotShape, value)) {
    const { pointer, detail } = schemaProblem(fault);
    found.push({ pointer: pointer.slice(0, 200), detail });
    if (found.length === MAX_PROBLEMS) break;
  }
  return found;
}

function invalid(message: string, problems: readonly Problem[] = []): Failure {
  return new Failure("snapshot.invalid", message, { problems });
}
