import { PHASES, type Phase } from "../detection/types.ts";
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

/** Says on one line how far a scan is. */
export function createProgress(host: CliHost, subject: string) {
  const line = createLine(host);
  line.show(`${subject}: looking …`);
  return {
    step(phase: Phase, tools: number) {
      line.show(`${subject}: ${phase} (${PHASES.indexOf(phase) + 1} of ${PHASES.length}), ${tools} tools so far …`);
    },
    end: line.end,
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
