import { fill } from "../services/study-records.ts";
import { type Asked, open } from "./opened.ts";

/** The service, and requests of its operator. Each reading of the clock is one second later, which orders records. */
export async function managed(options: Parameters<typeof open>[0] & { readonly studies?: boolean } = {}) {
  let seconds = 0;
  const clock = () => new Date(Date.UTC(2026, 4, 4, 12, 0, seconds++));
  const service = await open({ clock, ...options });
  if (options.studies) await fill(service.app);
  const { token } = await service.app.operator.ensureOperatorToken();
  return {
    ...service,
    token,
    manage: (path: string, asked: Asked = {}) => service.ask(path, { operator: token, ...asked }),
  };
}
