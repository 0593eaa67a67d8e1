import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** An SMTP server on loopback that accepts every email. */
export interface MailBox {
  /** For the setting `smtp.url`. */
  readonly url: string;
  readonly received: readonly { readonly to: string; readonly subject: string }[];
  close(): Promise<void>;
}

export async function openMailBox(): Promise<MailBox> {
  const received: { to: string; subject: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      stream.on("end", () => {
        const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(text)?.[1]?.replace(/\r\n\s*/g, " ") ?? "";
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), subject });
        done();
      });
    },
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await new Promise<void>((resolve) => listening.once("listening", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
