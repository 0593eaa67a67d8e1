import { expect, test } from "bun:test";
import type { Check } from "../../src/health/doctor.ts";
import { run } from "./fake-host.ts";

const CHECKS: readonly Check[] = [
  { id: "room", title: "Room on its disk", status: "ok", detail: "9,000 MiB are free.", remedy: null },
  { id: "dns", title: "DNS", status: "warning", detail: "No answer.", remedy: "Name servers that answer." },
  { id: "source-x", title: "X", status: "skipped", detail: "Switched off by sources.x.", remedy: null },
];
const BROKEN: Check = {
  id: "database",
  title: "Database",
  status: "failed",
  detail: "It is damaged:\u001b[2J page 3.",
  remedy: "Restore a backup.",
};

test("each check is a line with its remedy, and a healthy installation exits with 0", async () => {
  const { code, out } = await run(["doctor"], { checks: CHECKS });
  expect(code).toBe(0);
  expect(out).toBe(
    "ok  Room on its disk: 9,000 MiB are free.\n" +
      "!!  DNS: No answer.\n    Name servers that answer.\n" +
      "--  X: Switched off by sources.x.\n" +
      "\n3 checks, 0 failed, 1 with a warning.\n",
  );
});

test("a failed check exits with 1, and control characters in its output are escaped", async () => {
  const { code, out, err } = await run(["doctor", "--offline"], { checks: [...CHECKS, BROKEN] });
  expect(code).toBe(1);
  expect(out).toContain("XX  Database: It is damaged: [2J page 3.\n    Restore a backup.\n");
  expect(err).toContain("Follow the remedy of each failed check");
});

test("--json prints one document", async () => {
  const { out } = await run(["doctor", "--json"], { checks: CHECKS });
  expect(JSON.parse(out)).toEqual({ checks: CHECKS, failed: 0, warnings: 1 });
});
