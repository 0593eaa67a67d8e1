import { createHash, timingSafeEqual } from "node:crypto";
import { rm } from "node:fs/promises";
import { domainToASCII } from "node:url";
import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import type { SettingsRepository } from "../db/settings.ts";
import type { Quota } from "../http/requests.ts";
import type { Keys, Usage } from "./repository.ts";
import type { AuditTrail } from "./roles.ts";
import { findUnusedToken, keepUnusedToken } from "./unused-token.ts";

const LOCAL_PART = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]{1,64}(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]{1,64}){0,31}$/u;
/** Checked before the conversion to ASCII, which would drop a path, a port or a user. */
const DOMAIN = /^[\p{L}\p{N}\p{M}.-]{1,253}$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * Normalises an email address: trimmed, lower case, international domains in ASCII.
 * Accepts what mail systems accept in practice; quoted local parts and IP addresses are refused.
 *
 * @throws Failure `email.invalid`
 */
export function normaliseEmail(input: string): string {
  const text = input.trim();
  const at = text.lastIndexOf("@");
  if (text.length > 254 || at < 1) throw invalid(text);
  const local = text.slice(0, at).normalize("NFC").toLowerCase();
  const host = text.slice(at + 1);
  const domain = DOMAIN.test(host) ? domainToASCII(host) : "";
  const normalised = `${local}@${domain}`;
  if (local.length > 64 || !LOCAL_PART.test(local) || !isMailDomain(domain) || normalised.length > 254)
    throw invalid(text);
  return normalised;
}

function isMailDomain(domain: string): boolean {
  const labels = domain.split(".");
  return (
    domain.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? "")
  );
}

const invalid = (text: string) =>
  new Failure(
    "email.invalid",
    `${text === "" ? "Give" : `${quoted(text)} is not an email address: give`} one email address, such as ada@acme.com.`,
  );

/** `cf_live_`, 32 random characters, 6 of checksum; all base 62. */
const PREFIX = "cf_live_";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = /^cf_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A new API key. */
export function generateKey(): string {
  const random = randomText(RANDOM_LENGTH);
  return PREFIX + random + checksum(random);
}

/** Checks the shape and the checksum, so that typing errors are refused without a query. */
export function isWellFormed(key: string): boolean {
  const [, random, sum] = SHAPE.exec(key) ?? [];
  return random !== undefined && sum === checksum(random);
}

/** SHA-256 in hex, which is stored instead of a key or token. These are random, so they need no slow hash. */
export const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

/** `length` random characters of base 62, uniformly distributed. */
export function randomText(length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** CRC-32 in base 62, padded to six characters. */
function checksum(random: string): string {
  let rest = Bun.hash.crc32(random);
  let text = "";
  while (text.length < CHECKSUM_LENGTH) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** The calendar month in UTC in which requests are counted. */
interface Month {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly lengthSeconds: number;
  /** Seconds until the next month begins, at least 1. */
  readonly secondsLeft: number;
}

function monthOf(now: Date): Month {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return {
    name: now.toISOString().slice(0, 7),
    lengthSeconds: (end - start) / 1_000,
    secondsLeft: Math.ceil((end - now.getTime()) / 1_000),
  };
}

/** The holder of a valid key. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly monthlyLimit: number;
}

/** A new key, the only time that its text is known. */
interface IssuedKey {
  readonly api_key: string;
  readonly email: string;
  readonly monthly_limit: number;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

/** The quota of a calendar month. */
export interface QuotaState extends Quota {
  /** `YYYY-MM`. Pass it to `refund`, so that a request that ends in the next month is refunded in its own month. */
  readonly month: string;
}

/** A key in the operator's list. */
interface KeyEntry {
  readonly id: string;
  readonly email: string;
  /** The key's last four characters. */
  readonly hint: string;
  readonly monthly_limit: number;
  readonly used_this_month: number;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

interface KeyList {
  readonly keys: readonly KeyEntry[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What it takes to count requests in the transaction of the work that they are for. */
export interface Charge {
  readonly keyId: string;
  /** `YYYY-MM`. */
  readonly month: string;
  readonly limit: number;
  /** The refusal when `units` more than `used` are over the limit: `quota.exceeded`. */
  refusal(used: number, units: number): Failure;
}

export interface Accounts {
  /** @throws Failure `email.invalid`, or `key.exists` when the address has an active key */
  issue(email: string): Promise<IssuedKey>;
  /** The same for anyone. @throws Failure `key.sign_up_closed` unless the settings allow it, and as `issue` */
  signUp(email: string): Promise<IssuedKey>;
  /** Which addresses may sign up. */
  readonly signUpPolicy: SignUpPolicy;
  /** @throws Failure `key.invalid`, the same for a missing, a malformed, an unknown and a revoked key */
  authenticate(key: string | undefined): Promise<Account>;
  /** Counts `units` requests, all or none. @throws Failure `quota.exceeded` with `retryAfterSeconds` */
  spend(account: Account, units: number): Promise<QuotaState>;
  /** Gives back what a failed request spent; `month` is the one that `spend` returned. */
  refund(account: Account, units: number, month?: string): Promise<QuotaState>;
  quota(account: Account): Promise<QuotaState>;
  /** For work that counts its requests itself, in the present month. */
  charge(account: Account): Charge;
  /** Oldest first, revoked keys too; `limit` is 1–1000, by default 100. @throws Failure `cursor.invalid` */
  list(options?: { limit?: number; cursor?: string | undefined }): Promise<KeyList>;
  /** By email or id. @returns the revoked key. @throws Failure `key.not_found` when no active key matches */
  revoke(emailOrId: string): Promise<KeyEntry>;
  /** Revokes a key and issues a new one with the same limit and usage. @throws Failure `key.not_found` */
  reissue(emailOrId: string): Promise<IssuedKey>;
  /** As `reissue`, for the holder of a key. @throws Failure `key.invalid` when it was revoked meanwhile */
  rotate(account: Account): Promise<IssuedKey>;
  /** Takes effect at once, also for the current month. @throws Failure `key.not_found` */
  setLimit(emailOrId: string, monthlyLimit: number): Promise<KeyEntry>;
}

export interface SignUpPolicy {
  readonly signUp: "open" | "domains" | "closed";
  /** Of email addresses, in lower case and ASCII. Addresses are not verified. */
  readonly signUpDomains: readonly string[];
}

const OPEN: SignUpPolicy = { signUp: "open", signUpDomains: [] };

/** @throws Failure `key.sign_up_closed` */
function assertMaySignUp(email: string, { signUp, signUpDomains }: SignUpPolicy): void {
  if (signUp === "open") return;
  if (signUp === "closed") throw new Failure("key.sign_up_closed", "Sign-up is closed; ask the operator for a key.");
  if (signUpDomains.includes(email.slice(email.lastIndexOf("@") + 1))) return;
  throw new Failure(
    "key.sign_up_closed",
    `Only email addresses of ${signUpDomains.join(", ")} may sign up; ask the operator for a key.`,
  );
}

interface AccountsOptions {
  readonly signUpPolicy?: SignUpPolicy;
  /** Limit of a new key. */
  readonly monthlyLimit: number;
  readonly clock: () => Date;
}

export function createAccounts(
  store: { readonly keys: Keys; readonly usage: Usage },
  { monthlyLimit, clock, signUpPolicy = OPEN }: AccountsOptions,
): Accounts {
  const createKey = (email: string, limit: number) => {
    const api_key = generateKey();
    const created_at = clock().toISOString();
    const row = {
      id: `key_${randomText(16)}`,
      email_folded: email,
      hash: hashOf(api_key),
      hint: api_key.slice(-4),
      monthly_limit: limit,
      created_at,
      revoked_at: null,
    };
    const issued: IssuedKey = { api_key, email, monthly_limit: limit, created_at };
    return { row, issued };
  };

  const findKey = async (emailOrId: string) => {
    const by = emailOrId.includes("@") ? { email: normaliseEmail(emailOrId) } : { id: emailOrId.trim() };
    const key = await store.keys.findActive(by);
    if (!key) throw notFound(emailOrId);
    return key;
  };

  const entryOf = async (row: Awaited<ReturnType<typeof findKey>>): Promise<KeyEntry> => ({
    id: row.id,
    email: row.email_folded,
    hint: row.hint,
    monthly_limit: row.monthly_limit,
    used_this_month: await store.usage.used(row.id, monthOf(clock()).name),
    created_at: row.created_at,
    revoked_at: row.revoked_at,
  });

  const quota = async (account: Account) => {
    const month = monthOf(clock());
    return state(account, await store.usage.used(account.id, month.name), month);
  };

  const issue = async (input: string): Promise<IssuedKey> => {
    const { row, issued } = createKey(normaliseEmail(input), monthlyLimit);
    if (await store.keys.add(row)) return issued;
    throw new Failure(
      "key.exists",
      "This email address already has an active key. If you lost the key, ask the operator to reissue it.",
    );
  };

  /** Undefined when the key is not active. */
  const replace = async (id: string, email: string, limit: number): Promise<IssuedKey | undefined> => {
    const { row, issued } = createKey(email, limit);
    return (await store.keys.replace(id, row, monthOf(clock()).name)) ? issued : undefined;
  };

  return {
    quota,
    issue,
    signUpPolicy,

    async signUp(input) {
      const email = normaliseEmail(input);
      assertMaySignUp(email, signUpPolicy);
      // The batches of the revoked key belong to the address, which may be another person's claim now.
      if (await store.keys.isRevoked(email))
        throw new Failure("key.sign_up_closed", "A key of this address was revoked; ask the operator for a new one.");
      return await issue(input);
    },

    async authenticate(key) {
      const found = key && isWellFormed(key) ? await store.keys.findActive({ hash: hashOf(key) }) : undefined;
      if (!found) throw invalidKey();
      return { id: found.id, email: found.email_folded, monthlyLimit: found.monthly_limit };
    },

    async spend(account, units) {
      assertCount(units, 1);
      const month = monthOf(clock());
      const { granted, used } = await store.usage.spend(account.id, month.name, units, account.monthlyLimit);
      if (granted) return state(account, used, month);
      throw exceeded(account, month, used, units);
    },

    charge(account) {
      const month = monthOf(clock());
      return {
        keyId: account.id,
        month: month.name,
        limit: account.monthlyLimit,
        refusal: (used, units) => exceeded(account, month, used, units),
      };
    },

    async refund(account, units, month) {
      assertCount(units, 1);
      await store.usage.refund(account.id, month ?? monthOf(clock()).name, units);
      return quota(account);
    },

    async list({ limit = 100, cursor } = {}) {
      assertCount(limit, 1);
      const page = await store.keys.list({ limit: Math.min(limit, 1_000), cursor });
      return { ...page, keys: await Promise.all(page.keys.map(entryOf)) };
    },

    async revoke(emailOrId) {
      const key = await findKey(emailOrId);
      const revoked_at = clock().toISOString();
      if (!(await store.keys.revoke(key.id, revoked_at))) throw notFound(emailOrId);
      return entryOf({ ...key, revoked_at });
    },

    async reissue(emailOrId) {
      const old = await findKey(emailOrId);
      const issued = await replace(old.id, old.email_folded, old.monthly_limit);
      if (!issued) throw notFound(emailOrId);
      return issued;
    },

    async rotate({ id, email, monthlyLimit: limit }) {
      const issued = await replace(id, email, limit);
      if (!issued) throw invalidKey();
      return issued;
    },

    async setLimit(emailOrId, limit) {
      assertCount(limit, 0);
      const key = await findKey(emailOrId);
      await store.keys.setLimit(key.id, limit);
      return entryOf({ ...key, monthly_limit: limit });
    },
  };
}

function state({ monthlyLimit: limit }: Account, used: number, month: Month): QuotaState {
  return {
    limit,
    remaining: Math.max(0, limit - used),
    windowSeconds: month.lengthSeconds,
    resetSeconds: month.secondsLeft,
    month: month.name,
  };
}

function exceeded({ monthlyLimit }: Account, month: Month, used: number, units: number): Failure {
  const left = Math.max(0, monthlyLimit - used);
  return new Failure(
    "quota.exceeded",
    left === 0
      ? "The monthly limit is used up. Wait for the next month (UTC), or ask the operator for a higher limit."
      : `This needs ${units} requests, but only ${left} are left this month. Send fewer queries, or wait for the next month (UTC).`,
    { retryAfterSeconds: month.secondsLeft },
  );
}

const invalidKey = () => new Failure("key.invalid", "Send a valid API key in the X-API-Key header.");

const notFound = (key: string) =>
  new Failure("key.not_found", `No active key has the email or id ${quoted(key)}: list the keys to find it.`);

function assertCount(value: number, minimum: number): void {
  if (!Number.isSafeInteger(value) || value < minimum)
    throw new RangeError(`${value} is not a whole number from ${minimum}.`);
}

/** The token for /admin and the console; there is one, with the role admin. */
export interface Operator {
  readonly audit: AuditTrail;
  /** Creates the token at the first start. Returns it until it has been used once, then null. */
  ensureOperatorToken(): Promise<{ token: string | null }>;
  verifyOperatorToken(token: string | undefined): Promise<boolean>;
  /** Of the present token: sessions that it opened end when it is replaced. */
  operatorTokenHash(): Promise<string | undefined>;
  /** Creates a new token; the previous one stops working. */
  replaceOperatorToken(): Promise<{ token: string }>;
}

const SETTING = "operator_token_hash";

/**
 * @param unusedFile where the token is kept until it is used, readable by this user only, because a first start may be
 *   killed before anyone has read it; undefined when nothing is stored on disk
 */
export function createOperator(
  settings: SettingsRepository,
  unusedFile: string | undefined,
  audit: AuditTrail,
): Operator {
  let mayBeUnused = unusedFile !== undefined;

  const forget = async () => {
    mayBeUnused = false;
    if (unusedFile !== undefined) await rm(unusedFile, { force: true });
  };

  return {
    audit,
    operatorTokenHash: () => settings.find(SETTING),

    async ensureOperatorToken() {
      const stored = await settings.find(SETTING);
      if (stored !== undefined) {
        const unused = unusedFile === undefined ? undefined : await findUnusedToken(unusedFile);
        return { token: unused !== undefined && hashOf(unused) === stored ? unused : null };
      }
      // First the file, then the hash: a start that is killed between the two leaves a token for the next one.
      const token = unusedFile === undefined ? createToken() : await keepUnusedToken(unusedFile, createToken());
      return { token: (await settings.setIfAbsent(SETTING, hashOf(token))) ? token : null };
    },

    async verifyOperatorToken(token) {
      const expected = await settings.find(SETTING);
      if (!token || !expected) return false;
      const isRight = timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(expected));
      if (isRight && mayBeUnused) await forget();
      return isRight;
    },

    async replaceOperatorToken() {
      const token = createToken();
      await settings.set(SETTING, hashOf(token));
      await forget();
      return { token };
    },
  };
}

const createToken = () => `cf_operator_${randomText(40)}`;
