/** Sessions of the operator. They live as long as the process: after a restart the operator signs in again. */
export interface Sessions {
  /** Answers the new session's id. */
  open(token: string): string;
  /** The operator token that the session was opened with. */
  find(id: string | undefined): string | undefined;
  close(id: string | undefined): void;
}

/** A working day. */
export const SESSION_SECONDS = 12 * 3_600;
/** The oldest goes when there are more: nobody has as many browsers. */
const MOST = 100;

export function createSessions(now: () => number): Sessions {
  const open = new Map<string, { readonly token: string; readonly until: number }>();
  return {
    open(token) {
      const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
      open.set(id, { token, until: now() + SESSION_SECONDS * 1_000 });
      for (const oldest of open.keys()) {
        if (open.size <= MOST) break;
        open.delete(oldest);
      }
      return id;
    },
    find(id) {
      const session = id === undefined ? undefined : open.get(id);
      if (!session || session.until > now()) return session?.token;
      open.delete(id ?? "");
      return undefined;
    },
    close(id) {
      if (id !== undefined) open.delete(id);
    },
  };
}
