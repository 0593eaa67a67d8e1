import { afterEach, describe, expect, test } from "bun:test";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { Failure } from "../../src/core/errors.ts";
import { type Mailer, openMailer } from "../../src/net/mailer.ts";
import { openAuthority } from "../box/authority.ts";
import { closeAll, never, serveRaw } from "./loopback.ts";

const authority = openAuthority();
const trusted = authority.issue({ names: ["localhost"] });
const untrusted = openAuthority().issue({ names: ["localhost"] });
const MAIL = {
  id: "sub_1.7",
  to: "ada@acme.example",
  subject: "Your case studies",
  text: "They can be found now.\n\n.\nA line with one dot stood above.",
};

let server: SMTPServer | undefined;
let mailer: Mailer | undefined;

afterEach(async () => {
  mailer?.close();
  closeAll();
  await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()));
  mailer = server = undefined;
});

interface Post {
  readonly port: number;
  /** Accepted messages. */
  readonly taken: string[];
  readonly envelopes: unknown[];
}

/** A real mail server on loopback. */
async function serve(options: SMTPServerOptions = {}): Promise<Post> {
  const taken: string[] = [];
  const envelopes: unknown[] = [];
  server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    ...trusted,
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      stream.on("end", () => {
        taken.push(text);
        const { mailFrom, rcptTo } = session.envelope;
        envelopes.push([mailFrom ? mailFrom.address : null, ...rcptTo.map(({ address }) => address)]);
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await new Promise<void>((resolve) => listening.once("listening", resolve));
  return { port: (listening.address() as AddressInfo).port, taken, envelopes };
}

function open(
  port: number,
  more: { login?: string; query?: string; scheme?: string; timeoutMs?: number } = {},
): Mailer {
  const { login = "", query = "", scheme = "smtp", timeoutMs = 20_000 } = more;
  mailer = openMailer({
    url: `${scheme}://${login && `${login}@`}localhost:${port}${query}`,
    from: "Casefile <casefile@acme.example>",
    extraCa: authority.root,
    timeoutMs,
  });
  return mailer;
}

const refusing = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

test("an accepted email is sent complete and identified by its id", async () => {
  const { port, taken, envelopes } = await serve();
  expect(await open(port).send(MAIL, never)).toEqual({ status: "sent" });
  expect(envelopes).toEqual([["casefile@acme.example", "ada@acme.example"]]);
  const [head = "", body = ""] = taken[0]?.split(/\r\n\r\n(.*)/s) ?? [];
  expect(head.split("\r\n")).toContain("From: Casefile <casefile@acme.example>");
  expect(head.split("\r\n")).toContain("To: ada@acme.example");
  expect(head.split("\r\n")).toContain("Subject: Your case studies");
  expect(head.split("\r\n")).toContain("Auto-Submitted: auto-generated");
  expect(head.split("\r\n")).toContain("Message-ID: <sub_5f1.7@acme.example>");
  expect(body.trimEnd()).toBe(MAIL.text.replaceAll("\n", "\r\n"));
});

test("a subject in any script arrives unchanged", async () => {
  const { port, taken } = await serve();
  await open(port).send({ ...MAIL, subject: "Übersicht 東京 ✓" }, never);
  const encoded = /^Subject: (.*(?:\r\n\s.*)*)/m.exec(taken[0] ?? "")?.[1] ?? "";
  const bytes = [...encoded.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, form, text = ""]) =>
    form?.toUpperCase() === "B"
      ? Buffer.from(text, "base64")
      : Buffer.from(
          text
            .replaceAll("_", " ")
            .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          "latin1",
        ),
  );
  expect(Buffer.concat(bytes).toString()).toContain("Übersicht");
  expect(Buffer.concat(bytes).toString()).toContain("東京 ✓");
});

describe("refusals", () => {
  test.each([
    ["a recipient that does not exist", 550, "refused"],
    ["a full mailbox", 452, "later"],
    ["a session out of order", 503, "later"],
    ["a login that is asked for", 530, "later"],
  ] as const)("%s at RCPT: %d is %s", async (_name, code, status) => {
    const { port, taken } = await serve({
      onRcptTo: (_address, _session, done) => done(refusing(code, "No such box")),
    });
    const result = await open(port).send(MAIL, never);
    expect(result.status).toBe(status);
    expect(taken).toEqual([]);
  });

  test.each([
    [451, "later"],
    [554, "refused"],
  ] as const)("a %d to the message itself is %s, with the server's words", async (code, status) => {
    const { port } = await serve({
      onData(stream, _session, done) {
        stream.resume();
        stream.on("end", () => done(refusing(code, "Not this one")));
      },
    });
    expect(await open(port).send(MAIL, never)).toEqual({
      status,
      reason: `The mail server answered: ${code} Not this one`,
    });
  });

  test("an email that is too large for the server is refused", async () => {
    const { port } = await serve({
      size: 1_000,
      onData(stream, _session, done) {
        stream.resume();
        stream.on("end", () => done(stream.sizeExceeded ? refusing(552, "Too large") : null));
      },
    });
    expect((await open(port).send({ ...MAIL, text: "word ".repeat(1_000) }, never)).status).toBe("refused");
  });

  test.each([
    "ada@acme.example\r\nBcc: eve@acme.example",
    "ada@acme.example, eve@acme.example",
    "Ada <ada@acme.example>",
    "ada@acme.example>\r\nDATA",
    "ada",
    "",
  ])("%j is not a recipient", async (to) => {
    const { port, taken } = await serve();
    expect((await open(port).send({ ...MAIL, to }, never)).status).toBe("refused");
    expect(taken).toEqual([]);
  });
});

test("a line break in a subject or an id adds no header", async () => {
  const { port, taken } = await serve();
  const evil = "x\r\nBcc: eve@acme.example\r\n\r\nbody";
  expect(await open(port).send({ ...MAIL, id: evil, subject: evil }, never)).toEqual({ status: "sent" });
  const head = taken[0]?.split("\r\n\r\n")[0] ?? "";
  expect(head).not.toMatch(/^Bcc/im);
  expect(head).toMatch(/^Subject: x Bcc: eve@acme.example body$/m);
});

describe("connections", () => {
  test("a missing server is a reason to retry", async () => {
    const { port } = await serve();
    await new Promise<void>((resolve) => server?.close(resolve));
    server = undefined;
    expect(await open(port).send(MAIL, never)).toEqual({
      status: "later",
      reason: "The mail server cannot be reached: the connection failed (ECONNREFUSED).",
    });
  });

  test("a connection that breaks after the email and before the reply leaves it unclear", async () => {
    const { port } = await serve({
      onData(stream, session) {
        stream.resume();
        stream.on("end", () => {
          for (const connection of server?.connections ?? []) {
            if (connection.id === session.id) connection._socket?.destroy();
          }
        });
      },
    });
    expect((await open(port).send(MAIL, never)).status).toBe("unclear");
  });

  test("a timeout after the email leaves it unclear, one before it does not", async () => {
    const { port } = await serve({ onData: (stream) => void stream.resume() });
    expect((await open(port, { timeoutMs: 1_500 }).send(MAIL, never)).status).toBe("unclear");
    mailer?.close();
    const mute = await serveRaw(() => {});
    expect(await open(mute.port, { timeoutMs: 100 }).send(MAIL, never)).toEqual({
      status: "later",
      reason: "The mail server did not answer in time.",
    });
  });

  test("a server that closes the connection at once is a reason to retry", async () => {
    const rude = await serve({ onConnect: (_session, done) => done(refusing(554, "Go away")) });
    expect((await open(rude.port).send(MAIL, never)).status).toBe("later");
  });

  test("an abort and a closed mailer end sending before anything is transmitted", async () => {
    const { port } = await serve();
    expect((await open(port).send(MAIL, AbortSignal.abort())).status).toBe("later");
    mailer?.close();
    expect((await (mailer as Mailer).send(MAIL, never)).status).toBe("later");
  });
});

describe("logins and encryption", () => {
  const login = {
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === "ada" && password === "p@ss:w%rd/ü"
        ? done(null, { user: username })
        : done(refusing(535, `No entry for ${username} with ${password}`)),
  } satisfies SMTPServerOptions;
  const RIGHT = `ada:${encodeURIComponent("p@ss:w%rd/ü")}`;

  test("the user and password of the URL log in", async () => {
    const { port, taken } = await serve(login);
    expect(await open(port, { login: RIGHT }).send(MAIL, never)).toEqual({ status: "sent" });
    expect(taken).toHaveLength(1);
  });

  test("a wrong password is reported without it, and the email waits for a correct one", async () => {
    const { port } = await serve(login);
    const result = await open(port, { login: "ada:hunter2hunter2" }).send(MAIL, never);
    expect(result).toEqual({
      status: "later",
      reason: "The mail server did not accept the user and password of smtp.url (535).",
    });
  });

  test("a reply that repeats the password is masked", async () => {
    const { port } = await serve({
      ...login,
      onRcptTo: (_address, _session, done) => done(refusing(550, "no ada here, p@ss:w%rd/ü is odd")),
    });
    expect(await open(port, { login: RIGHT }).send(MAIL, never)).toEqual({
      status: "refused",
      reason: "The mail server answered: 550 no *** here, *** is odd",
    });
  });

  test("nothing is sent in plain text where encryption is required", async () => {
    const { port, taken } = await serve({ disabledCommands: ["STARTTLS"] });
    expect(await open(port, { query: "?insecure=0" }).send(MAIL, never)).toEqual({
      status: "later",
      reason: "No trusted encrypted connection to the mail server is possible.",
    });
    expect(await open(port, { query: "?insecure=1" }).send(MAIL, never)).toEqual({ status: "sent" });
    expect(taken).toHaveLength(1);
  });

  test("an untrusted certificate counts as no encryption", async () => {
    const { port, taken } = await serve(untrusted);
    expect(await open(port, { query: "?insecure=0" }).send(MAIL, never)).toEqual({
      status: "later",
      reason: "No trusted encrypted connection to the mail server is possible.",
    });
    expect(taken).toEqual([]);
    expect(await open(port, { query: "?insecure=1" }).send(MAIL, never)).toEqual({ status: "sent" });
  });

  test.each([
    ["STARTTLS", "smtp", {}],
    ["TLS from the first byte", "smtps", { secure: true }],
  ] as const)("a trusted certificate carries an email over %s", async (_name, scheme, options) => {
    let secure = false;
    const { port, taken } = await serve({
      ...options,
      onMailFrom(_address, session, done) {
        secure = session.secure;
        done();
      },
    });
    expect(await open(port, { scheme, query: "?insecure=0" }).send(MAIL, never)).toEqual({ status: "sent" });
    expect([secure, taken.length]).toEqual([true, 1]);
  });
});

test.each([
  ["https://mail.acme.example", "a@acme.example"],
  ["smtp://mail.acme.example?tls.rejectUnauthorized=false", "a@acme.example"],
  ["smtp://ada:hunter2@", "a@acme.example"],
  ["smtp://ada:%zz@mail.acme.example", "a@acme.example"],
  ["smtp://mail.acme.example", "nobody"],
  ["smtp://mail.acme.example", "a@acme.example\r\nBcc: b@acme.example"],
  ["smtp://mail.acme.example", ""],
])("%j from %j is refused when the mailer is opened", (url, from) => {
  const opening = () => openMailer({ url, from, extraCa: null, timeoutMs: 1_000 });
  expect(opening).toThrow(Failure);
  expect(opening).not.toThrow("hunter2");
});
