import type { Action } from "../../accounts/roles.ts";
import type { Role } from "../../core/roles.ts";
import { requestAsOperator } from "./api-client.ts";
import { signedIn } from "./credentials.ts";
import { observable, useObservable } from "./observable.ts";

/** The operator's session of the console; its cookie is read by the server only. */
export const SESSION = "/console/session";

interface Caller {
  readonly name: string;
  readonly role: Role;
  /** Id of the session. */
  readonly session: string;
  /** What the role may not do, with the role that it needs: the service decides. */
  readonly refused: Readonly<Partial<Record<Action, Role>>>;
}

interface SessionState {
  readonly signed_in: boolean;
  readonly operator: Caller | null;
  /** Ways to sign in besides the token and a link. */
  readonly sign_in: { readonly email: boolean; readonly provider: boolean };
}

/** The signed-in operator; null until it is known. */
export const caller = observable<Caller | null>(null);
export const ways = observable<SessionState["sign_in"]>({ email: false, provider: false });

/** @throws ApiError */
export async function checkSession(): Promise<void> {
  const { signed_in, operator, sign_in } = await requestAsOperator<SessionState>(SESSION);
  caller.set(operator);
  ways.set(sign_in);
  signedIn.set(signed_in);
}

/** Answers whether the signed-in operator may do something; controls for anything else are not shown. */
export function useRights(): (action: Action) => boolean {
  const isSignedIn = useObservable(signedIn);
  const refused = useObservable(caller)?.refused;
  return (action) => isSignedIn === true && refused !== undefined && refused[action] === undefined;
}
