import { describe, expect, test } from "bun:test";
import { COMMAND } from "../../src/accounts/roles.ts";
import type { Mailer } from "../../src/net/mailer.ts";
import { LINK_SECONDS, SESSION_SECONDS } from "../../src/operators/service.ts";
import { openStore } from "../../src/store.ts";
import { problemOf } from "../http/opened.ts";
import { FROM_CONSOLE, opened, secretOf } from "./signed-in.ts";

/** A mail server that keeps what it gets. */
function mailServer() {
  const sent: { readonly to: string; readonly text: string }[] = [];
  let arrive = () => {};
  const mailer: Pick<Mailer, "send"> = {
    async send(mail) {
      sent.push(mail);
      arrive();
      return { status: "sent" };
    },
  };
  return {
    linkMailer: mailer,
    sent,
    next: () =>
      new Promise<void>((resolve) => {
        arrive = resolve;
      }),
  };
}

const linkIn = (text = "") => /http\S+#link=\w+/.exec(text)?.[0] ?? "";

async function clocked(options: Parameters<typeof opened>[0] = {}) {
  let now = Date.parse("2026-06-01T09:00:00.000Z");
  const service = await opened({ ...options, clock: () => new Date(now) });
  return { ...service, pass: (seconds: number) => (now += seconds * 1_000) };
}

describe("a link", () => {
  test("signs in once, and of several browsers at once one", async () => {
    const { operators, sendLink } = await opened();
    const { link } = await operators.invite({ name: "Ana", role: "reviewer" }, COMMAND);
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendLink(link ?? "")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await problemOf(await sendLink(link ?? ""))).toMatchObject({ code: "sign_in.invalid_link" });
  });

  test("ends after 15 minutes, with the next one, and with the operator", async () => {
    const { operators, sendLink, pass } = await clocked();
    const late = await operators.invite({ name: "Ana", role: "reader" }, COMMAND);
    pass(LINK_SECONDS + 1);
    expect((await sendLink(late.link ?? "")).status).toBe(401);
    const first = await operators.createLink("Ana", COMMAND);
    const second = await operators.createLink("ANA", COMMAND);
    expect((await sendLink(first.link ?? "")).status).toBe(401);
    expect((await sendLink(second.link ?? "")).status).toBe(200);
    const last = await operators.createLink("Ana", COMMAND);
    await operators.remove("Ana", COMMAND);
    expect((await sendLink(last.link ?? "")).status).toBe(401);
  });

  test("is neither in the database nor in the log, and its secret is in the fragment", async () => {
    const store = await openStore({ dataDir: ":memory:" });
    const { operators, sendLink, logged } = await opened({ store });
    const { link } = await operators.invite({ name: "Ana", role: "reader" }, COMMAND);
    const rows = JSON.stringify(await store.queries.selectFrom("sign_in_links").selectAll().execute());
    const cookie = (await sendLink(link ?? "")).headers.get("set-cookie") ?? "";
    const sessions = JSON.stringify(await store.queries.selectFrom("operator_sessions").selectAll().execute());
    expect(new URL(link ?? "").hash).toBe(`#link=${secretOf(link ?? "")}`);
    expect(rows).not.toContain(secretOf(link ?? ""));
    expect(sessions).not.toContain(/=([\w-]{43});/.exec(cookie)?.[1] ?? "none");
    expect(JSON.stringify(logged())).not.toContain(secretOf(link ?? ""));
  });

  test.each([
    ["without the console header", { origin: "http://casefile.test" }],
    ["from another site", { ...FROM_CONSOLE, "sec-fetch-site": "cross-site" }],
  ])("%s is refused, and stays valid", async (_, headers) => {
    const { operators, ask, sendLink } = await opened();
    const { link } = await operators.invite({ name: "Ana", role: "reader" }, COMMAND);
    const refused = await ask("/console/session/link", { json: { link: secretOf(link ?? "") }, headers });
    expect((await problemOf(refused)).code).toBe("operator.invalid");
    expect((await sendLink(link ?? "")).status).toBe(200);
  });

  test("is guessed a few times an hour only", async () => {
    const { sendLink } = await opened({ keylessPerHour: 3 });
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await sendLink(`x#link=${"a".repeat(40)}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test("is no other value", async () => {
    const { ask } = await opened({ keylessPerHour: 100 });
    for (const json of [{}, { link: null }, { link: ["a"] }, { link: "a".repeat(50_000) }, [], null, "x"]) {
      const response = await ask("/console/session/link", { json, headers: FROM_CONSOLE });
      expect((await problemOf(response)).code).toBe("sign_in.invalid_link");
    }
  });
});

describe("a link by email", () => {
  test("goes to the address of the operator, and no response contains it", async () => {
    const mail = mailServer();
    const { sendLink, byToken, json } = await opened(mail);
    const admin = await byToken();
    const body = { name: "Ana", role: "reader", email: "Ana@Brightpine.TEST" };
    const invited = await json(await admin.ask("/console/admin/operators", { json: body }));
    expect(invited).toMatchObject({ link: null, sent_to: "ana@brightpine.test", mail_error: null });
    expect(mail.sent.map(({ to }) => to)).toEqual(["ana@brightpine.test"]);
    expect((await sendLink(linkIn(mail.sent[0]?.text))).status).toBe(200);
  });

  test("is asked for without a session; an unknown address gets the same response and no email", async () => {
    const mail = mailServer();
    const { operators, ask, sendLink, pass } = await clocked(mail);
    await operators.invite({ name: "Ana", role: "reader" }, COMMAND);
    await operators.invite({ name: "Bo", role: "reader", email: "bo@brightpine.test" }, COMMAND);
    const invitation = linkIn(mail.sent[0]?.text);
    mail.sent.length = 0;
    const request = (email: string, headers = {}) =>
      ask("/console/session/email", { json: { email }, headers: { ...FROM_CONSOLE, ...headers } });
    const unknown = await request("cy@brightpine.test");
    const known = await request("bo@brightpine.test");
    expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()]);
    // Two emails within three minutes would let a stranger fill a mailbox.
    await operators.mailLink("bo@brightpine.test").done;
    expect(mail.sent).toEqual([]);
    // A stranger who asks does not end the link that an admin has made.
    pass(200);
    await operators.mailLink("bo@brightpine.test").done;
    expect(mail.sent).toHaveLength(1);
    expect((await sendLink(invitation)).status).toBe(200);
    mail.sent.length = 0;
    pass(200);
    const arrived = mail.next();
    await request("BO@brightpine.test", { "x-forwarded-host": "evil.example" });
    await arrived;
    expect(linkIn(mail.sent[0]?.text)).toStartWith("http://casefile.test/operator#link=");
    expect((await sendLink(linkIn(mail.sent[0]?.text))).status).toBe(200);
  });

  test("is refused where no mail server is configured", async () => {
    const { ask } = await opened();
    const response = await ask("/console/session/email", { json: { email: "a@b.test" }, headers: FROM_CONSOLE });
    expect((await problemOf(response)).code).toBe("sign_in.unavailable");
  });
});

describe("a session", () => {
  test("never has a secret that the browser had before", async () => {
    const { operators, sendLink, cookieOf, browserOf } = await opened();
    const planted = `casefile_operator=${"A".repeat(43)}`;
    const { link } = await operators.invite({ name: "Ana", role: "reader" }, COMMAND);
    const cookie = cookieOf(await sendLink(link ?? "", { cookie: planted }));
    expect(cookie).not.toBe(planted);
    expect((await browserOf(planted).ask("/console/admin/jobs")).status).toBe(401);
    // Signing in again ends the session before.
    const again = await operators.createLink("Ana", COMMAND);
    const second = cookieOf(await sendLink(again.link ?? "", { cookie }));
    expect((await browserOf(cookie).ask("/console/admin/jobs")).status).toBe(401);
    expect((await browserOf(second).ask("/console/admin/jobs")).status).toBe(200);
  });

  test("ends after 12 hours, and is deleted", async () => {
    let now = Date.parse("2026-06-01T09:00:00.000Z");
    const store = await openStore({ dataDir: ":memory:", clock: () => new Date(now) });
    const { signedIn, operators } = await opened({ store });
    const { ask } = await signedIn("Ana", "reader");
    now += SESSION_SECONDS * 1_000;
    expect((await ask("/console/admin/jobs")).status).toBe(200);
    now += 1_000;
    expect((await ask("/console/admin/jobs")).status).toBe(401);
    await operators.maintenance.queueDue();
    expect(await store.queries.selectFrom("operator_sessions").selectAll().execute()).toEqual([]);
  });

  test("is one of at most 100 of an operator", async () => {
    let now = Date.parse("2026-06-01T09:00:00.000Z");
    const store = await openStore({ dataDir: ":memory:", clock: () => new Date(now) });
    const { operators, token, signedIn } = await opened({ store });
    const client = { address: "192.0.2.1", agent: null, session: "" };
    const other = await signedIn("Ana", "reader");
    const first = await operators.signInByToken(token, client);
    for (let count = 0; count < 100; count += 1) {
      now += 10;
      await operators.signInByToken(token, client);
    }
    expect(await operators.findSession(first)).toBeUndefined();
    expect((await operators.listSessions()).total).toBe(101);
    expect((await other.ask("/console/admin/jobs")).status).toBe(200);
  });

  test("is listed with its client, and ended by an admin", async () => {
    const { signedIn, byToken, json } = await opened();
    const admin = await byToken();
    const reader = await signedIn("Ana", "reader");
    const { sessions, total } = await json(await admin.ask("/console/admin/sessions"));
    expect(total).toBe(2);
    const own = sessions.find(({ operator }: { operator: string }) => operator === "Ana");
    expect(own).toEqual({
      id: expect.stringMatching(/^ses_\w{16}$/),
      ...{ operator: "Ana", role: "reader", way: "link", client: "127.0.0.1", agent: null },
      ...{ created_at: expect.any(String), last_seen_at: expect.any(String), ends_at: expect.any(String) },
    });
    expect((await reader.ask("/console/admin/sessions")).status).toBe(403);
    expect((await admin.ask(`/console/admin/sessions/${own.id}`, { method: "DELETE" })).status).toBe(200);
    expect((await reader.ask("/console/admin/jobs")).status).toBe(401);
    const again = await admin.ask(`/console/admin/sessions/${own.id}`, { method: "DELETE" });
    expect((await problemOf(again)).code).toBe("session.not_found");
  });

  test("of the token ends with it, and those of operators do not", async () => {
    const { app, signedIn, byToken } = await opened();
    const [admin, reader] = [await byToken(), await signedIn("Ana", "reader")];
    await app.operator.replaceOperatorToken();
    expect((await admin.ask("/console/admin/jobs")).status).toBe(401);
    expect((await reader.ask("/console/admin/jobs")).status).toBe(200);
  });

  test("is valid at every node of a database", async () => {
    const store = await openStore({ dataDir: ":memory:" });
    const [one, two] = [await opened({ store }), await opened({ store })];
    const reader = await one.signedIn("Ana", "reader");
    expect((await two.browserOf(reader.cookie).ask("/console/admin/jobs")).status).toBe(200);
    await two.browserOf(reader.cookie).ask("/console/session", { method: "DELETE" });
    expect((await reader.ask("/console/admin/jobs")).status).toBe(401);
  });

  test("keeps no more of a hostile client than a short text", async () => {
    const { operators, sendLink } = await opened();
    const { link } = await operators.invite({ name: "Ana", role: "reader" }, COMMAND);
    await sendLink(link ?? "", { "user-agent": `<script>${"x".repeat(5_000)}` });
    expect((await operators.listSessions()).sessions[0]?.agent?.length).toBe(200);
  });
});
