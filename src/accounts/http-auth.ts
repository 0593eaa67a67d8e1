import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Failure } from "../core/errors.ts";
import { hasRole } from "../core/roles.ts";
import { openApiDetail } from "../http/openapi.ts";
import { contextOf } from "../http/requests.ts";
import { type Actor, neededRole, TOKEN_NAME } from "./roles.ts";
import type { Account, Accounts, Operator, QuotaState } from "./service.ts";

/** Accounts of requests with a verified key. */
const accountsOf = new WeakMap<Request, Account>();

/**
 * Verifies the API key of a request. The response to it will carry the rate-limit headers.
 *
 * @throws Failure `key.invalid`
 */
export async function authenticate(
  accounts: Accounts,
  request: Request,
  key = request.headers.get("x-api-key") ?? undefined,
): Promise<Account> {
  const account = await accounts.authenticate(key);
  accountsOf.set(request, account);
  contextOf(request).quota = () => accounts.quota(account);
  return account;
}

/** The holder of the key of a request to a route that verifies it. */
export function accountOf(request: Request): Account {
  const account = accountsOf.get(request);
  if (!account) throw new Error("the route does not verify the API key");
  return account;
}

/** Identifies the key of a verified request. */
export const callerOf = (request: Request): string | undefined => accountsOf.get(request)?.id;

/** Routes that need an API key. The key is checked before the input, so that a caller without one learns nothing else. */
export const withKeyAuth = ({ accounts }: { readonly accounts: Accounts }, name: string, prefix: string) =>
  new Elysia({ name, prefix }).derive(async ({ request }) => {
    await authenticate(accounts, request);
    return {};
  });

/**
 * Routes under `/admin`: for the operator token, and for sessions of the console with the role that `NEEDED_ROLES`
 * names. Both are checked before the input. Everything but a permitted GET is recorded in the audit trail.
 */
export const withOperatorAuth = ({ operator }: { readonly operator: Operator }, name: string) =>
  new Elysia({ name: `admin ${name}`, prefix: `/admin/${name}` }).derive(async ({ request, route, params }) => {
    const actor = await verifyActor(operator, request);
    actors.set(request, actor);
    const { method } = request;
    const needed = neededRole(`${method} ${route}`);
    const isAllowed = hasRole(actor.role, needed);
    if (method !== "GET" || !isAllowed) {
      // A `body` of the parameters above would make Elysia parse the bodies of routes that have none, without a limit.
      const target = targetOf(route, Object.values(Object(params)), contextOf(request).body);
      const entry = await operator.audit.begin({ ...actor, action: `${method} ${route}`, target });
      contextOf(request).audited = (status) => operator.audit.finish(entry, status);
    }
    if (!isAllowed)
      throw new Failure(
        "operator.forbidden",
        `This needs the role ${needed}, and yours is ${actor.role}: ask an admin.`,
      );
    return {};
  });

const actors = new WeakMap<Request, Actor>();

/** Who sent a request to a route of {@link withOperatorAuth}. */
export function actorOf(request: Request): Actor {
  const actor = actors.get(request);
  if (!actor) throw new Error("the route is not for operators");
  return actor;
}

/** @throws Failure `operator.invalid` */
async function verifyActor(operator: Operator, request: Request): Promise<Actor> {
  const { session, client } = contextOf(request);
  if (session) return { ...session, kind: "session", client };
  if (!(await operator.verifyOperatorToken(bearerToken(request))))
    throw new Failure("operator.invalid", "Send the operator token as `Authorization: Bearer`.");
  return { kind: "token", operatorId: null, name: TOKEN_NAME, role: "admin", session: null, client };
}

const MAX_TARGET = 200;
/** Fields of bodies that say what is changed, and contain no secret. */
const TARGET_FIELDS = ["domain", "pattern", "name"];

/** An erasure must not store again what it erases, and the address of a webhook may contain a token. */
function targetOf(route: string, params: readonly unknown[], body: unknown): string | null {
  if (route.startsWith("/admin/privacy")) return null;
  const named = TARGET_FIELDS.map((field): unknown => Reflect.get(Object(body), field));
  const parts = [...params, ...(params.length === 0 ? named : [])].filter((part) => typeof part === "string");
  return parts.length === 0 ? null : parts.join(" ").slice(0, MAX_TARGET).toWellFormed();
}

/** The token of `Authorization: Bearer`. */
export const bearerToken = (request: Request): string | undefined =>
  /^Bearer {1,3}(\S{1,200}) {0,3}$/i.exec(request.headers.get("authorization")?.slice(0, 300) ?? "")?.[1];

/**
 * Whether a request may learn which companies were scanned: always, or with `stack.operator_only` (`isIndexHidden`) only if it
 * also sends the operator token.
 */
export const seesScannedCompanies =
  (operator: Pick<Operator, "verifyOperatorToken">, isIndexHidden: boolean) =>
  async (request: Request): Promise<boolean> =>
    !isIndexHidden || (await operator.verifyOperatorToken(bearerToken(request)));

/**
 * Runs the handler of a keyed route and counts `units` requests if it answers 2xx.
 *
 * @throws Failure `quota.exceeded`, and whatever the handler throws
 */
export const withQuota = (
  services: { readonly accounts: Accounts },
  request: Request,
  units: number,
  handle: () => Promise<Response>,
): Promise<Response> => chargeQuota(services, request, units, handle, ({ ok }) => ok);

/**
 * Counts `units` requests for the key of a request. They are taken before the work, so that of two requests racing for
 * the last unit only one wins, and given back when the work throws or `isCounted` is false for its result.
 *
 * @throws Failure `quota.exceeded`, and whatever the work throws
 */
export async function chargeQuota<T>(
  { accounts }: { readonly accounts: Accounts },
  request: Request,
  units: number,
  work: () => Promise<T>,
  isCounted: (result: T) => boolean = () => true,
): Promise<T> {
  const account = accountsOf.get(request);
  if (!account) throw new Error("a counted route must verify the API key first");
  const context = contextOf(request);
  const spent = await accounts.spend(account, units);
  const report = (quota: QuotaState) => {
    context.quota = async () => quota;
  };
  report(spent);
  const refund = async () => report(await accounts.refund(account, units, spent.month));
  try {
    const result = await work();
    if (!isCounted(result)) await refund();
    return result;
  } catch (error) {
    await refund();
    throw error;
  }
}

/** Problems of every route that takes a JSON body. */
export const BODY_PROBLEMS = [400, 413, 415];

/** The OpenAPI detail of a route that needs an API key and answers 200. */
export const forKey = (
  operationId: string,
  summary: string,
  tag: string,
  answer: { readonly text: string; readonly schema: TSchema; readonly files?: readonly string[] },
  problems: readonly number[] = [],
) =>
  openApiDetail(operationId, summary, tag, { status: 200, ...answer }, [401, 406, 422, 429, 503, ...problems], {
    scheme: "key",
  });

/** The OpenAPI detail of an operator route. Without a schema it answers 204. */
export const forOperator = (
  operationId: string,
  summary: string,
  schema: TSchema | undefined,
  problems: readonly number[],
) =>
  openApiDetail(
    operationId,
    summary,
    "Operator",
    schema ? { status: 200, text: "Done.", schema } : { status: 204, text: "Done." },
    [401, 403, 422, 503, ...problems],
    { scheme: "operator" },
  );
