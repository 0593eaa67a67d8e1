import { hasRole, type Role } from "../core/roles.ts";

/**
 * The role that each route of the operator's API needs: readers read what is no secret, reviewers also decide on
 * submissions, case studies and reports of false positives, admins may do everything. A test compares this table with
 * the routes; a route that is not in it is for admins.
 *
 * Reading needs `admin` where the response has secrets or everything about a person: archives, addresses of webhooks,
 * exports, operators and what they did.
 */
export const NEEDED_ROLES = {
  "GET /admin/activity": "reader",
  "GET /admin/audit": "admin",
  "POST /admin/backup": "admin",
  "GET /admin/backups": "reader",
  "GET /admin/backups/:name": "admin",
  "GET /admin/casestudies": "reader",
  "GET /admin/casestudies/:id": "reader",
  "PATCH /admin/casestudies/:id": "reviewer",
  "DELETE /admin/casestudies/:id": "reviewer",
  "DELETE /admin/casestudies/:id/corrections/:field": "reviewer",
  "GET /admin/changes": "reader",
  "GET /admin/companies": "reader",
  "GET /admin/companies/:slug": "reader",
  "PATCH /admin/companies/:slug": "admin",
  "POST /admin/companies/:slug/merge": "admin",
  "GET /admin/feedback": "reader",
  "POST /admin/feedback": "reviewer",
  "DELETE /admin/feedback/:domain/:tool": "reviewer",
  "GET /admin/fingerprints": "reader",
  "GET /admin/fingerprints/unknown": "reader",
  "GET /admin/fingerprints/:tool": "reader",
  "GET /admin/jobs": "reader",
  "POST /admin/jobs/:id/retry": "admin",
  "GET /admin/keys": "reader",
  "PATCH /admin/keys/:key": "admin",
  "DELETE /admin/keys/:key": "admin",
  "POST /admin/keys/:key/reissue": "admin",
  "GET /admin/mails": "reader",
  "GET /admin/models": "reader",
  "POST /admin/models/:name/use": "admin",
  "GET /admin/nodes": "reader",
  "GET /admin/operators": "admin",
  "POST /admin/operators": "admin",
  "PATCH /admin/operators/:operator": "admin",
  "DELETE /admin/operators/:operator": "admin",
  "POST /admin/operators/:operator/link": "admin",
  "GET /admin/opt-outs": "reader",
  "POST /admin/opt-outs": "admin",
  "DELETE /admin/opt-outs/:pattern": "admin",
  "GET /admin/privacy/:subject": "admin",
  "DELETE /admin/privacy/:subject": "admin",
  "GET /admin/sessions": "admin",
  "DELETE /admin/sessions/:session": "admin",
  "GET /admin/sources": "reader",
  "GET /admin/submissions": "reader",
  "GET /admin/submissions/:id": "reader",
  "PATCH /admin/submissions/:id": "reviewer",
  "POST /admin/submissions/:id/approve": "reviewer",
  "POST /admin/submissions/:id/reject": "reviewer",
  "POST /admin/submissions/:id/retry": "reviewer",
  "GET /admin/vendor-tools/:slug": "reader",
  "PUT /admin/vendor-tools/:slug": "admin",
  "DELETE /admin/vendor-tools/:slug": "admin",
  "GET /admin/watches": "reader",
  "PUT /admin/watches/:domain": "admin",
  "DELETE /admin/watches/:domain": "admin",
  "GET /admin/webhooks": "admin",
  "POST /admin/webhooks": "admin",
  "GET /admin/webhooks/deliveries": "reader",
  "DELETE /admin/webhooks/:webhook": "admin",
  "POST /admin/webhooks/:webhook/rotate": "admin",
  "POST /admin/webhooks/:webhook/test": "admin",
} as const satisfies Readonly<Record<string, Role>>;

/** A route of the operator's API: `DELETE /admin/keys/:key`. */
export type Action = keyof typeof NEEDED_ROLES;

export const neededRole = (route: string): Role =>
  Object.hasOwn(NEEDED_ROLES, route) ? NEEDED_ROLES[route as Action] : "admin";

/** What a role may not do, with the role that it needs. */
export const refusedActions = (role: Role): Readonly<Partial<Record<Action, Role>>> =>
  Object.fromEntries(Object.entries(NEEDED_ROLES).filter(([, needed]) => !hasRole(role, needed)));

/** Who calls the operator's API. `token` and `command` have every right. */
export interface Actor {
  readonly kind: "session" | "token" | "command";
  /** Null for a session that was opened with the operator token, and for tokens and commands. */
  readonly operatorId: string | null;
  readonly name: string;
  readonly role: Role;
  /** Public id of the session. */
  readonly session: string | null;
  /** Address of the client; null for commands. */
  readonly client: string | null;
}

export const TOKEN_NAME = "operator token";

/** The actor of a command on the server. */
export const COMMAND: Actor = {
  kind: "command",
  operatorId: null,
  name: "command line",
  role: "admin",
  session: null,
  client: null,
};

/** What is known when an action begins. */
export interface AuditEntry extends Actor {
  /** Method and path pattern of the route, or a short name. */
  readonly action: string;
  /** What the action is about: the parts of the path, or a field of the body. */
  readonly target: string | null;
}

/** Who did what. An entry is stored before the action, so that no action goes unrecorded. */
export interface AuditTrail {
  /** Returns the number of the entry. */
  begin(entry: AuditEntry): Promise<number>;
  /** @param status of the response; an entry without one was interrupted */
  finish(entry: number, status: number): Promise<void>;
}
