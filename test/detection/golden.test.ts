import { expect, test } from "bun:test";
import { openBoxed } from "./boxed.ts";
import { COMPANIES, goldenFile, goldenOf } from "./golden.ts";

test.each([...COMPANIES])(
  "the recording of %s gives the expected result; otherwise run `npx bun test/detection/golden.ts` and review the difference",
  async (company) => {
    const boxed = await openBoxed({});
    const kept: unknown = await goldenFile(company).json();
    const reported = await goldenOf(company, boxed).finally(() => boxed.close());
    expect(reported).toEqual(Object(kept));
    expect(boxed.box.hits).toEqual([]);
  },
);
