import { expect, test } from "bun:test";
import { createClientLimits } from "../../src/accounts/client-limits.ts";
import { Failure } from "../../src/core/errors.ts";

const MINUTE = 60_000;

function limits(options: { perHour?: number; maxClients?: number } = {}) {
  let now = Date.UTC(2026, 4, 4);
  const { take } = createClientLimits({ perHour: 3, clock: () => new Date(now), ...options });
  return {
    pass: (ms: number) => {
      now += ms;
    },
    /** Zero when the call is allowed, otherwise the seconds to wait. */
    call(address = "192.0.2.1"): number {
      try {
        take(address);
        return 0;
      } catch (error) {
        if (error instanceof Failure && error.code === "rate.exceeded") return error.details.retryAfterSeconds ?? -1;
        throw error;
      }
    },
  };
}

test("above the limit a client waits until its oldest call is an hour old", () => {
  const { call, pass } = limits();
  expect(call()).toBe(0);
  pass(10 * MINUTE);
  expect([call(), call()]).toEqual([0, 0]);
  expect(call()).toBe(50 * 60);
  pass(50 * MINUTE - 1);
  expect(call()).toBe(1);
  pass(1);
  expect(call()).toBe(0);
  expect(call()).toBe(10 * 60);
});

test("no window of one hour contains more calls than the limit", () => {
  const { call, pass } = limits({ perHour: 20 });
  const granted: number[] = [];
  for (let minute = 0; minute < 300; minute++) {
    for (let again = 0; again < 3; again++) if (call() === 0) granted.push(minute);
    pass(MINUTE);
  }
  for (let start = 0; start < 240; start++) {
    expect(granted.filter((minute) => minute >= start && minute < start + 60).length).toBeLessThanOrEqual(20);
  }
});

test.each([
  ["another IPv4 address is another client", "192.0.2.1", "192.0.2.2", false],
  ["an IPv4 address written as IPv6 is the same client", "192.0.2.1", "::ffff:192.0.2.1", true],
  ["addresses of one /64 are one client", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true],
  ["addresses of two /64s are two clients", "2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["what is no address is a client too", "unknown", "unknown", true],
])("%s", (_, one, two, same) => {
  const { call } = limits({ perHour: 1 });
  expect(call(one)).toBe(0);
  expect(call(two) > 0).toBe(same);
});

test("above the capacity the least recently seen client is evicted", () => {
  const { call } = limits({ perHour: 1, maxClients: 2 });
  call("192.0.2.1");
  call("192.0.2.2");
  expect(call("192.0.2.1")).toBeGreaterThan(0);
  call("192.0.2.3");
  expect(call("192.0.2.1")).toBeGreaterThan(0);
  expect(call("192.0.2.2")).toBe(0);
});
