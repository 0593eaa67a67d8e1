import { expect, test } from "bun:test";
import { openBoxed } from "./boxed.ts";
import { COMPANIES, goldenFile, goldenOf } from "./golden.ts";

test.each([...COMPANIES])(
  "the recording of %s is judged as it was; else run `bun test/services/golden.ts` and read the difference",
  async (company) => {
    const boxed = await openBoxed({});
    const kept: unknown = await goldenFile(company).json();
    const reported = await goldenOf(company, boxed).finally(() => boxed.close());
    expect(reported).toEqual(Object(kept));
    expect(boxed.box.hits).toEqual([]);
  },
);
