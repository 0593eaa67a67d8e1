import { PHASES, type Phase } from "../../vocabulary/scan.ts";
import type { CliHost } from "./host.ts";
import { plain } from "./table.ts";

/** One line on the terminal that says how far a scan is; nothing when nobody looks. */
export function createProgress(host: CliHost, subject: string) {
  let drawn = false;
  const draw = (text: string) => {
    host.err(`\r\u001b[2K${plain(text).slice(0, Math.max(20, host.columns - 1))}`);
    drawn = true;
  };
  if (host.interactive) draw(`${subject}: looking …`);
  return {
    step(phase: Phase, tools: number) {
      if (!host.interactive) return;
      draw(`${subject}: ${phase} (${PHASES.indexOf(phase) + 1} of ${PHASES.length}), ${tools} tools so far …`);
    },
    end() {
      if (drawn) host.err("\r\u001b[2K");
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
