import type { CliHost } from "./host.ts";
import { plain } from "./table.ts";

/** One line on the terminal that is drawn over; nothing when nobody looks. */
export function createLine(host: CliHost) {
  let drawn = false;
  return {
    show(text: string) {
      if (!host.interactive) return;
      host.err(`\r\u001b[2K${plain(text).slice(0, Math.max(20, host.columns - 1))}`);
      drawn = true;
    },
    end() {
      if (drawn) host.err("\r\u001b[2K");
      drawn = false;
    },
  };
}

/** One line that counts, drawn at most ten times a second. */
export function createCounter(host: CliHost, what: string) {
  let drawn = 0;
  return {
    count(done: number) {
      const now = performance.now();
      if (!host.interactive || now - drawn < 100) return;
      drawn = now;
      host.err(`\r\u001b[2K${done.toLocaleString("en")} ${what} …`);
    },
    end() {
      if (drawn > 0) host.err("\r\u001b[2K");
    },
  };
}
