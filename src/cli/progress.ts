import type { CliHost } from "./host.ts";
import { plain } from "./table.ts";

/** A status line that is redrawn in place; nothing is drawn unless standard error is a terminal. */
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

/** A status line with a count, redrawn at most ten times a second. */
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
