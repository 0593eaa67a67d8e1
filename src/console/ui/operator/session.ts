import { ask, askAsOperator } from "../ask.ts";
import { signedIn } from "./signed-in.ts";

const SESSION = "/console/session";
const MARK = { "x-casefile-console": "1" };

export async function checkSession(): Promise<void> {
  const told = await askAsOperator<{ signed_in: boolean }>(SESSION);
  signedIn.set(told.signed_in);
}

/** @throws Refusal when it is not the token */
export async function signIn(token: string): Promise<void> {
  await ask(SESSION, { method: "POST", headers: { ...MARK, authorization: `Bearer ${token}` } });
  signedIn.set(true);
}

export async function signOut(): Promise<void> {
  await askAsOperator(SESSION, { method: "DELETE" });
  signedIn.set(false);
}
