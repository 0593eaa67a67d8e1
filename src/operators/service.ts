import { type Actor, type AuditTrail, COMMAND, TOKEN_NAME } from "../accounts/roles.ts";
import { hashOf, normaliseEmail, type Operator, randomText } from "../accounts/service.ts";
import { Failure } from "../core/errors.ts";
import type { Role } from "../core/roles.ts";
import { normaliseName, quoted } from "../core/text.ts";
import type { Page } from "../db/cursor.ts";
import type { JobFeature } from "../jobs/worker.ts";
import type { Mailer } from "../net/mailer.ts";
import type {
  AuditFilter,
  OperatorRepository,
  SignInWay,
  StoredEntry,
  StoredOperator,
  StoredSession,
} from "./repository.ts";

/** Length of a session: a working day. */
export const SESSION_SECONDS = 12 * 3_600;
export const LINK_SECONDS = 15 * 60;
/** Emails with a link to one operator, asked for without a session. */
const LINK_EVERY_SECONDS = 180;
const MAX_OPERATORS = 1_000;
const MAX_NAME = 60;
const MAX_AGENT = 200;

export interface OperatorEntry {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  /** Whether the identity provider decides about the role. */
  readonly provisioned: boolean;
  /** Open sessions. */
  readonly sessions: number;
  readonly created_at: string;
  readonly last_sign_in_at: string | null;
}

export interface Invitation {
  readonly operator: OperatorEntry;
  /** Null when it was sent by email: then only its recipient has it. */
  readonly link: string | null;
  readonly link_ends_at: string;
  readonly sent_to: string | null;
  /** Why it was not sent, although the operator has an address and a mail server is configured. */
  readonly mail_error: string | null;
}

export interface SessionEntry {
  readonly id: string;
  /** Name, or `operator token`. */
  readonly operator: string;
  readonly role: Role;
  readonly way: SignInWay;
  readonly client: string;
  readonly agent: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly ends_at: string;
}

export interface AuditRecord {
  readonly number: number;
  readonly at: string;
  readonly by: "session" | "token" | "command";
  readonly operator: string;
  readonly role: string;
  readonly session: string | null;
  readonly client: string | null;
  readonly action: string;
  readonly target: string | null;
  /** Status of the response; null when the action was interrupted. */
  readonly status: number | null;
}

export type AuditPage = Page & { readonly entries: readonly AuditRecord[] };

/** What an identity provider confirmed about a person. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Only an address that the provider has verified. */
  readonly email: string | null;
  readonly name: string;
  /** Of the settings of the mapping; null when they give none. */
  readonly role: Role | null;
}

/** The browser that signs in. */
export interface SignInClient {
  readonly address: string;
  readonly agent: string | null;
  /** Secret of the session that the browser has; it ends. */
  readonly session: string;
}

export interface OperatorService {
  readonly audit: AuditTrail;
  list(): Promise<{ readonly operators: readonly OperatorEntry[]; readonly total: number }>;
  /** Adds an operator with a link to sign in. @throws Failure `operator.malformed`, `operator.conflict`, `email.invalid` */
  invite(given: { name: string; role: Role; email?: string | null | undefined }, by: Actor): Promise<Invitation>;
  /** A new link; the one before ends. @throws Failure `operator.not_found` */
  createLink(which: string, by: Actor): Promise<Invitation>;
  /** @throws Failure `operator.not_found`, `operator.conflict` */
  setRole(which: string, role: Role, by: Actor): Promise<OperatorEntry>;
  /** Removes an operator with its sessions. @throws Failure `operator.not_found`, `operator.conflict` */
  remove(which: string, by: Actor): Promise<OperatorEntry>;

  /** Whether operators can ask for a link by email. */
  readonly canMailLinks: boolean;
  /**
   * Sends a link if an operator has the address. A response must not wait for `done`: its time would show whether one has.
   *
   * @throws Failure `sign_in.unavailable`, `email.invalid`
   */
  mailLink(email: string): { readonly done: Promise<void> };

  /** Each returns the secret of a new session. @throws Failure `operator.invalid` */
  signInByToken(token: string | undefined, client: SignInClient): Promise<string>;
  /** @throws Failure `sign_in.invalid_link` */
  signInByLink(link: string, client: SignInClient): Promise<string>;
  /** @throws Failure `operator.forbidden` for someone without a role */
  signInByIdentity(identity: Identity, client: SignInClient): Promise<string>;
  /** The session with this secret; undefined when it has ended. */
  findSession(secret: string): Promise<(SessionEntry & { readonly operatorId: string | null }) | undefined>;
  signOut(secret: string): Promise<void>;
  listSessions(): Promise<{ readonly sessions: readonly SessionEntry[]; readonly total: number }>;
  /** @throws Failure `session.not_found` */
  revokeSession(id: string): Promise<SessionEntry>;

  /** Newest first; `limit` is 1–1000, by default 100. @throws Failure `cursor.invalid` */
  listAudit(filter?: AuditFilter, page?: { limit?: number; cursor?: string | undefined }): Promise<AuditPage>;
  /** Deletes what has ended, and old entries of the audit trail. */
  readonly maintenance: JobFeature;
}

export interface OperatorServiceOptions {
  readonly operators: OperatorRepository;
  readonly operator: Pick<Operator, "verifyOperatorToken" | "operatorTokenHash">;
  readonly mailer: Pick<Mailer, "send"> | undefined;
  /** Address of the console, without a slash at its end: never what a request says, because links are mailed. */
  readonly consoleUrl: string;
  /** Whether this address is configured, so that others reach it. */
  readonly isPublic: boolean;
  readonly auditDays: number;
  readonly clock: () => Date;
  readonly onError: (task: string, error: unknown) => void;
}

/** Names of the audit trail that no operator may have. */
const RESERVED: readonly string[] = [TOKEN_NAME, COMMAND.name, "erased"];

/** @throws Failure `operator.malformed` */
function parseName(input: string): string {
  const name = input.normalize("NFC").trim().replaceAll(/\s+/g, " ");
  if (name.length === 0 || name.length > MAX_NAME || /[\p{C}@]/u.test(name) || normaliseName(name) === "")
    throw new Failure(
      "operator.malformed",
      `${quoted(input)} is not a name: give 1 to ${MAX_NAME} characters without @ and control characters.`,
    );
  if (RESERVED.includes(normaliseName(name)))
    throw new Failure("operator.malformed", `${quoted(name)} is reserved; give another name.`);
  return name;
}

const notFound = (which: string) =>
  new Failure("operator.not_found", `No operator has the name or id ${quoted(which)}: list the operators to find it.`);
const conflict = (message: string) => new Failure("operator.conflict", message);
const forbidden = () => new Failure("operator.forbidden", "You are no admin any more; ask another one.");

const find = (all: readonly StoredOperator[], which: string): StoredOperator | undefined => {
  const text = which.trim();
  return all.find(({ id }) => id === text) ?? all.find(({ name_folded }) => name_folded === normaliseName(text));
};

/** The last admin could not be replaced from the console; the operator token and the command line always can. */
function assertNotLastAdmin(all: readonly StoredOperator[], { id }: StoredOperator, by: Actor): void {
  const others = all.filter((other) => other.role === "admin" && other.id !== id);
  if (others.length > 0 || by.operatorId === null) return;
  throw conflict("This is the last admin: make another operator an admin first.");
}

export function createOperatorService(options: OperatorServiceOptions): OperatorService {
  const { operators, operator: token, mailer, consoleUrl, clock, onError } = options;
  const { audit } = operators;

  const countSessions = async () => {
    const counts = new Map<string | null, number>();
    for (const { operator_id } of await operators.listSessions())
      counts.set(operator_id, (counts.get(operator_id) ?? 0) + 1);
    return counts;
  };
  const entryOf = async (stored: StoredOperator): Promise<OperatorEntry> => entry(stored, await countSessions());

  const createSession = async (
    way: SignInWay,
    operatorOf: StoredOperator | { readonly tokenHash: string },
    { address, agent, session }: SignInClient,
  ): Promise<string> => {
    // Never the secret that the browser had before: someone else may have set it.
    await operators.removeSession({ hash: hashOf(session) });
    const secret = crypto.getRandomValues(Buffer.alloc(32)).toString("base64url");
    const id = `ses_${randomText(16)}`;
    const isToken = "tokenHash" in operatorOf;
    const row = {
      hash: hashOf(secret),
      id,
      operator_id: isToken ? null : operatorOf.id,
      token_hash: isToken ? operatorOf.tokenHash : null,
      way,
      client: address.slice(0, 100),
      agent: agent?.slice(0, MAX_AGENT).replaceAll(/\p{C}/gu, " ") ?? null,
    };
    await operators.addSession(row, SESSION_SECONDS);
    const number = await audit.begin({
      kind: "session",
      operatorId: row.operator_id,
      name: isToken ? TOKEN_NAME : operatorOf.name,
      role: isToken ? "admin" : operatorOf.role,
      session: id,
      client: row.client,
      action: "sign in",
      target: way,
    });
    await audit.finish(number, 200);
    return secret;
  };

  const isValid = async (session: StoredSession): Promise<boolean> =>
    session.operator_id !== null
      ? session.role !== null
      : session.token_hash !== null && session.token_hash === (await token.operatorTokenHash());

  const makeLink = async (stored: StoredOperator, { replace = true } = {}) => {
    const secret = randomText(40);
    const endsAt = await operators.addLink(stored.id, hashOf(secret), LINK_SECONDS, replace);
    // In the fragment, which browsers send to nobody.
    return { link: `${consoleUrl}/operator#link=${secret}`, endsAt };
  };

  const send = async (stored: StoredOperator, link: string): Promise<string | null> => {
    if (!mailer || stored.email === null) return null;
    const sent = await mailer.send(
      {
        id: `sign-in-${crypto.randomUUID()}`,
        to: stored.email,
        subject: "Sign in to Casefile",
        text: `Hello ${stored.name},\n\nthis link signs you in to Casefile (${consoleUrl}) as an operator. It works once, within ${LINK_SECONDS / 60} minutes:\n\n${link}\n\nIf you did not ask for it, ignore this email.\n`,
      },
      AbortSignal.timeout(30_000),
    );
    return sent.status === "sent" ? null : sent.reason;
  };

  const invitationOf = async (stored: StoredOperator): Promise<Invitation> => {
    const { link, endsAt } = await makeLink(stored);
    const mail_error = await send(stored, link);
    const isSent = mailer !== undefined && stored.email !== null && mail_error === null;
    return {
      operator: await entryOf(stored),
      link: isSent ? null : link,
      link_ends_at: endsAt,
      sent_to: isSent ? stored.email : null,
      mail_error,
    };
  };

  const newRow = (name: string, role: Role, email: string | null, subject: string | null): StoredOperator => ({
    id: `op_${randomText(16)}`,
    name,
    name_folded: normaliseName(name),
    email,
    role,
    subject,
    provisioned: subject === null ? 0 : 1,
    created_at: clock().toISOString(),
    last_sign_in_at: null,
  });

  const assertRoom = (all: readonly StoredOperator[]) => {
    if (all.length >= MAX_OPERATORS) throw conflict(`There are ${MAX_OPERATORS} operators; remove some first.`);
  };

  /** @throws Failure `operator.forbidden` when the actor lost its role meanwhile */
  const change = async <Result>(by: string | null, work: Parameters<typeof operators.change<Result>>[1]) => {
    const result = await operators.change(by, work);
    if (result === "forbidden") throw forbidden();
    return result;
  };

  const session = (stored: StoredSession): SessionEntry => ({
    id: stored.id,
    operator: stored.operator ?? TOKEN_NAME,
    role: stored.role ?? "admin",
    way: stored.way,
    client: stored.client,
    agent: stored.agent,
    created_at: stored.created_at,
    last_seen_at: stored.last_seen_at,
    ends_at: stored.ends_at,
  });

  return {
    audit,

    async list() {
      const counts = await countSessions();
      const all = (await operators.list()).map((stored) => entry(stored, counts));
      return { operators: all, total: all.length };
    },

    async invite(given, by) {
      const name = parseName(given.name);
      const email = given.email ? normaliseEmail(given.email) : null;
      const row = newRow(name, given.role, email, null);
      await change(by.operatorId, async ({ all, add }) => {
        assertRoom(all);
        if (all.some((other) => other.name_folded === row.name_folded))
          throw conflict(`There is an operator ${quoted(name)}: make a new link, or give another name.`);
        if (email !== null && all.some((other) => other.email === email))
          throw conflict(`Another operator has the address ${email}.`);
        await add(row);
      });
      return await invitationOf(row);
    },

    async createLink(which, by) {
      const stored = await change(by.operatorId, async ({ all }) => find(all, which));
      if (!stored) throw notFound(which);
      if (stored.provisioned === 1)
        throw conflict(`${quoted(stored.name)} signs in with the identity provider, which decides about the role.`);
      return await invitationOf(stored);
    },

    async setRole(which, role, by) {
      return await entryOf(
        await change(by.operatorId, async ({ all, update }) => {
          const stored = find(all, which);
          if (!stored) throw notFound(which);
          if (stored.provisioned === 1)
            throw conflict(`The identity provider decides about the role of ${quoted(stored.name)}; change it there.`);
          if (role !== "admin" && stored.role === "admin") assertNotLastAdmin(all, stored, by);
          await update(stored.id, { role });
          return { ...stored, role };
        }),
      );
    },

    async remove(which, by) {
      const counts = await countSessions();
      const removed = await change(by.operatorId, async ({ all, remove }) => {
        const stored = find(all, which);
        if (!stored) throw notFound(which);
        if (stored.role === "admin") assertNotLastAdmin(all, stored, by);
        await remove(stored.id);
        return stored;
      });
      return entry(removed, counts);
    },

    canMailLinks: mailer !== undefined && options.isPublic,

    mailLink(input) {
      if (!mailer || !options.isPublic)
        throw new Failure("sign_in.unavailable", "No links are sent by email: ask an admin for one.");
      const email = normaliseEmail(input);
      const work = async () => {
        const stored = (await operators.list()).find((each) => each.email === email && each.provisioned === 0);
        if (!stored || (await operators.hasNewLink(stored.id, LINK_EVERY_SECONDS))) return;
        // Earlier links stay valid: a stranger who asks must not end the one that an admin has made.
        const { link } = await makeLink(stored, { replace: false });
        const reason = await send(stored, link);
        if (reason !== null) throw new Error(reason);
      };
      return { done: work().catch((error) => onError("sending a sign-in link", error)) };
    },

    async signInByToken(given, client) {
      if (!given || !(await token.verifyOperatorToken(given)))
        throw new Failure(
          "operator.invalid",
          "Invalid operator token. The token was shown at the first start of the service; create a new one with casefile operator reset-token.",
        );
      return await createSession("token", { tokenHash: hashOf(given) }, client);
    },

    async signInByLink(link, client) {
      const stored = /^[0-9A-Za-z]{40}$/.test(link) ? await operators.takeLink(hashOf(link)) : undefined;
      if (!stored)
        throw new Failure(
          "sign_in.invalid_link",
          "This link was used, has expired, or was replaced by a newer one. Ask for a new one.",
        );
      return await createSession("link", stored, client);
    },

    async signInByIdentity(identity, client) {
      const subject = `${identity.issuer} ${identity.subject}`;
      const refuse = (message: string) => {
        throw new Failure("operator.forbidden", message);
      };
      const stored = await change<StoredOperator | undefined>(null, async ({ all, add, update, remove }) => {
        const known =
          all.find((each) => each.subject === subject) ??
          all.find((each) => identity.email !== null && each.email === identity.email && each.subject === null);
        if (known?.provisioned === 1) {
          if (identity.role === null) {
            // The provider took the role away.
            await remove(known.id);
            return undefined;
          }
          await update(known.id, { role: identity.role });
          return { ...known, role: identity.role };
        }
        if (known) {
          if (known.subject === null) await update(known.id, { subject });
          return known;
        }
        if (identity.role === null) return undefined;
        assertRoom(all);
        const email = all.some((each) => each.email === identity.email) ? null : identity.email;
        const row = newRow(freeName(all, identity.name), identity.role, email, subject);
        await add(row);
        return row;
      });
      if (!stored) return refuse("Your account has no role here: ask an admin to invite you.");
      return await createSession("identity_provider", stored, client);
    },

    async findSession(secret) {
      if (!/^[\w-]{43}$/.test(secret)) return undefined;
      const found = await operators.findSession(hashOf(secret));
      return found && (await isValid(found)) ? { ...session(found), operatorId: found.operator_id } : undefined;
    },

    async signOut(secret) {
      await operators.removeSession({ hash: hashOf(secret) });
    },

    async listSessions() {
      const all = await operators.listSessions();
      const valid = await Promise.all(all.map(async (each) => ((await isValid(each)) ? [session(each)] : [])));
      const sessions = valid.flat();
      return { sessions, total: sessions.length };
    },

    async revokeSession(id) {
      const found = (await operators.listSessions()).find((each) => each.id === id);
      if (!found || !(await operators.removeSession({ id })))
        throw new Failure(
          "session.not_found",
          `No open session has the id ${quoted(id)}: list the sessions to find it.`,
        );
      return session(found);
    },

    async listAudit(filter = {}, { limit = 100, cursor } = {}) {
      const page = await operators.listAudit(filter, { limit: Math.min(limit, 1_000), cursor });
      return { ...page, entries: page.entries.map(record) };
    },

    maintenance: {
      handlers: {},
      queueDue: () => operators.deleteOld(options.auditDays),
    },
  };
}

const entry = (stored: StoredOperator, sessions: ReadonlyMap<string | null, number>): OperatorEntry => ({
  id: stored.id,
  name: stored.name,
  email: stored.email,
  role: stored.role,
  provisioned: stored.provisioned === 1,
  sessions: sessions.get(stored.id) ?? 0,
  created_at: stored.created_at,
  last_sign_in_at: stored.last_sign_in_at,
});

const record = ({ kind, operator_id: _, ...stored }: StoredEntry): AuditRecord => ({ ...stored, by: kind });

/** The name that a provider gives, cut and made unique. */
function freeName(all: readonly StoredOperator[], given: string): string {
  const plain = given
    .normalize("NFC")
    .replaceAll(/[\p{C}@]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, MAX_NAME - 5);
  const base = normaliseName(plain) === "" ? "Operator" : plain;
  const taken = new Set([...RESERVED, ...all.map(({ name_folded }) => name_folded)]);
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base} ${count}`;
    if (!taken.has(normaliseName(name))) return name;
  }
}
