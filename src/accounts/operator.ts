import { timingSafeEqual } from "node:crypto";
import type { Store } from "../store/store.ts";
import { hashOf, randomText } from "./keys.ts";

/** The one token that opens the operator's part. */
export interface Operator {
  /** Makes the token at the first start and shows it this once; later, and in every other process, null. */
  ensureOperatorToken(): Promise<{ token: string | null }>;
  verifyOperatorToken(token: string | undefined): Promise<boolean>;
  /** Makes a new token in place of a lost one, which no longer counts. */
  replaceOperatorToken(): Promise<{ token: string }>;
}

const SETTING = "operator_token_hash";

export function createOperator(store: Pick<Store, "settings">): Operator {
  return {
    async ensureOperatorToken() {
      if (await store.settings.find(SETTING)) return { token: null };
      const token = makeToken();
      return { token: (await store.settings.setIfAbsent(SETTING, hashOf(token))) ? token : null };
    },

    async verifyOperatorToken(token) {
      const expected = await store.settings.find(SETTING);
      if (!token || !expected) return false;
      return timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(expected));
    },

    async replaceOperatorToken() {
      const token = makeToken();
      await store.settings.set(SETTING, hashOf(token));
      return { token };
    },
  };
}

const makeToken = () => `cf_operator_${randomText(40)}`;
