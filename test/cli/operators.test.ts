import { expect, test } from "bun:test";
import { openFakeApp } from "../services/fake-app.ts";
import { run } from "./fake-host.ts";

const client = { address: "192.0.2.7", agent: null, session: "" };

test("operators are invited, changed, listed and removed, and the audit trail has it all", async () => {
  const app = await openFakeApp();
  const invited = await run(["operators", "invite", "Ana Bright", "--role", "reviewer"], { app });
  expect(invited.out).toMatch(
    /^http:\/\/casefile\.test\/operator#link=\w{40}\nGive this link to Ana Bright: it signs in once, within 15 minutes\.\n$/,
  );
  await app.operators.signInByLink(/=(\w{40})/.exec(invited.out)?.[1] ?? "", client);
  expect((await run(["operators", "role", "ana bright", "admin"], { app })).out).toBe("Ana Bright is admin now.\n");
  const { out } = await run(["operators"], { app });
  expect(out).toMatch(/NAME\s+ROLE\s+EMAIL\s+SOURCE\s+SESSIONS\s+LAST SIGN-IN \(UTC\)\n/);
  expect(out).toMatch(/Ana Bright\s+admin\s+invited\s+1\s+20\d\d-/);
  const link: { link: string } = JSON.parse((await run(["operators", "link", "Ana Bright", "--json"], { app })).out);
  expect(link.link).toContain("#link=");
  expect((await run(["operators", "remove", "Ana Bright"], { app })).out).toBe("Removed Ana Bright.\n");
  expect(await run(["operators", "remove", "Ana Bright"], { app })).toMatchObject({
    code: 1,
    err: expect.stringContaining('No operator has the name or id "Ana Bright"'),
  });
  const audit = await run(["audit"], { app });
  expect(audit.out).toMatch(/command line\s+operators remove\s+Ana Bright\s+500\n/);
  expect(audit.out).toMatch(/Ana Bright\s+sign in\s+link\s+200\n/);
  expect(audit.out).toEndWith("6 of 6\n");
  const csv = await run(["audit", "--operator", "Ana Bright", "--format", "csv"], { app });
  expect(csv.out).toMatch(/^at,operator,role,by,action,target,status,client,session\r\n20\S+,Ana Bright,reviewer,/);
});

test.each([
  [["operators", "invite", "Ana"], "--role"],
  [["operators", "invite", "Ana", "--role", "owner"], "reader, reviewer, admin"],
  [["operators", "role", "Ana", "owner"], "reader, reviewer, admin"],
  [["operators", "invite", "a@b.test", "--role", "reader"], "is not a name"],
  [["audit", "--since", "soon"], 'Unknown since "soon"'],
])("%j is refused", async (args, message) => {
  const { code, err } = await run(args, { app: await openFakeApp() });
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
