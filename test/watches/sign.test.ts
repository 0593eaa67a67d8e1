import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { makeSecret, signedHeaders } from "../../src/watches/webhooks.ts";

const MESSAGE = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
};
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

test("the test vector of Standard Webhooks has the expected signature", () => {
  expect(signedHeaders([SECRET], MESSAGE)).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("a timestamp is in whole seconds", () => {
  const at = new Date(MESSAGE.at.getTime() + 999);
  expect(signedHeaders([SECRET], { ...MESSAGE, at })).toEqual(signedHeaders([SECRET], MESSAGE));
});

test("two secrets add two signatures, separated by a space", () => {
  const next = makeSecret();
  const [first, second, third] = signedHeaders([next, SECRET], MESSAGE)["webhook-signature"]?.split(" ") ?? [];
  const key = Buffer.from(next.slice("whsec_".length), "base64");
  const own = createHmac("sha256", key).update(`${MESSAGE.id}.1614265330.${MESSAGE.body}`).digest("base64");
  expect([first, second, third]).toEqual([`v1,${own}`, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", undefined]);
});

test("a secret is 32 random bytes in base64", () => {
  const secrets = Array.from({ length: 50 }, makeSecret);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
  expect(new Set(secrets).size).toBe(50);
});
