import type { Store } from "../store/store.ts";
import { Failure } from "../vocabulary/failure.ts";
import { foldEmail } from "./email.ts";
import { hashOf, isWellFormed, makeKey, randomText } from "./keys.ts";
import { type Month, monthOf } from "./month.ts";

/** Whom a valid key stands for. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly monthlyLimit: number;
}

/** A key at the one moment when it can be shown. */
export interface IssuedKey {
  readonly api_key: string;
  readonly email: string;
  readonly monthly_limit: number;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

/** What a month's limit leaves. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Length of the current month in UTC. */
  readonly windowSeconds: number;
  /** Until the next month begins. */
  readonly resetSeconds: number;
  /** `YYYY-MM`: give it to `refund`, so that a request that ends in the next month is taken back from its own. */
  readonly month: string;
}

/** A key as the operator sees it. */
export interface KeyEntry {
  readonly id: string;
  readonly email: string;
  /** The key's last four characters. */
  readonly hint: string;
  readonly monthly_limit: number;
  readonly used_this_month: number;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

export interface KeyList {
  readonly keys: readonly KeyEntry[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface Accounts {
  /** @throws Failure `email.invalid`, or `key.exists` when the address has an active key */
  issue(email: string): Promise<IssuedKey>;
  /** @throws Failure `key.invalid`, the same for a missing, a malformed, an unknown and a revoked key */
  authenticate(key: string | undefined): Promise<Account>;
  /** Counts `units` requests, all or none. @throws Failure `quota.exceeded` with `retryAfterSeconds` */
  spend(account: Account, units: number): Promise<QuotaState>;
  /** Takes back what a request spent that was not answered; `month` is the one that `spend` told. */
  refund(account: Account, units: number, month?: string): Promise<QuotaState>;
  quota(account: Account): Promise<QuotaState>;
  /** Oldest first, revoked keys too; `limit` is 1–1000, by default 100. @throws Failure `cursor.invalid` */
  list(options?: { limit?: number; cursor?: string }): Promise<KeyList>;
  /** By address or id; answers what the key was. @throws Failure `key.not_found` when no active key is meant */
  revoke(emailOrId: string): Promise<KeyEntry>;
  /** Revokes and issues anew, with the same limit and what was used of it. @throws Failure `key.not_found` */
  reissue(emailOrId: string): Promise<IssuedKey>;
  /** Counts from now on, in the current month too. @throws Failure `key.not_found` */
  setLimit(emailOrId: string, monthlyLimit: number): Promise<KeyEntry>;
}

export interface AccountsOptions {
  /** Limit of a new key. */
  readonly monthlyLimit: number;
  readonly clock: () => Date;
}

export function createAccounts(
  store: Pick<Store, "keys" | "usage">,
  { monthlyLimit, clock }: AccountsOptions,
): Accounts {
  const fresh = (email: string, limit: number) => {
    const api_key = makeKey();
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

  const named = async (emailOrId: string) => {
    const by = emailOrId.includes("@") ? { email: foldEmail(emailOrId) } : { id: emailOrId.trim() };
    const key = await store.keys.findActive(by);
    if (!key) throw notFound();
    return key;
  };

  const entryOf = async (row: Awaited<ReturnType<typeof named>>): Promise<KeyEntry> => ({
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

  return {
    quota,

    async issue(input) {
      const { row, issued } = fresh(foldEmail(input), monthlyLimit);
      if (await store.keys.add(row)) return issued;
      throw new Failure("key.exists", "This address has an active key; ask the operator to reissue it if it is lost.");
    },

    async authenticate(key) {
      const found = key && isWellFormed(key) ? await store.keys.findActive({ hash: hashOf(key) }) : undefined;
      if (!found) throw new Failure("key.invalid", "Send a valid API key in the X-API-Key header.");
      return { id: found.id, email: found.email_folded, monthlyLimit: found.monthly_limit };
    },

    async spend(account, units) {
      mustCount(units, 1);
      const month = monthOf(clock());
      const { granted, used } = await store.usage.spend(account.id, month.name, units, account.monthlyLimit);
      if (granted) return state(account, used, month);
      const left = Math.max(0, account.monthlyLimit - used);
      throw new Failure(
        "quota.exceeded",
        left === 0
          ? "The monthly limit is used up; wait for the next month (UTC), or ask the operator for a higher limit."
          : `Only ${left} of the monthly limit are left and this takes ${units}; ask for less, or wait for the next month (UTC).`,
        { retryAfterSeconds: month.secondsLeft },
      );
    },

    async refund(account, units, month) {
      mustCount(units, 1);
      await store.usage.refund(account.id, month ?? monthOf(clock()).name, units);
      return quota(account);
    },

    async list({ limit = 100, ...from } = {}) {
      mustCount(limit, 1);
      const page = await store.keys.list({ limit: Math.min(limit, 1_000), ...from });
      return { ...page, keys: await Promise.all(page.keys.map(entryOf)) };
    },

    async revoke(emailOrId) {
      const key = await named(emailOrId);
      const revoked_at = clock().toISOString();
      if (!(await store.keys.revoke(key.id, revoked_at))) throw notFound();
      return entryOf({ ...key, revoked_at });
    },

    async reissue(emailOrId) {
      const old = await named(emailOrId);
      const { row, issued } = fresh(old.email_folded, old.monthly_limit);
      if (!(await store.keys.replace(old.id, row, monthOf(clock()).name))) throw notFound();
      return issued;
    },

    async setLimit(emailOrId, limit) {
      mustCount(limit, 0);
      const key = await named(emailOrId);
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

const notFound = () =>
  new Failure("key.not_found", "No active key has this address or id; list the keys to see which do.");

function mustCount(value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${value} is no count from ${least}.`);
}
