import { afterEach, describe, expect, jest, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { type Opened, open, problemOf } from "../http/opened.ts";
import { fakeVerbs, SECRET } from "../services/fake-app.ts";

afterEach(() => {
  jest.useRealTimers();
});

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly phase: string; readonly tools_detected: number; readonly done: boolean };
}

/** What an EventSource would hand to `onmessage` (HTML standard, section 9.2.6). */
function messagesOf(text: string): Message[] {
  return text
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => line !== "" && !line.startsWith(":")))
    .filter((lines) => lines.some((line) => line.startsWith("data:")))
    .map((lines) => {
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
      return { id: field("id"), event: field("event"), data: JSON.parse(field("data")) };
    });
}

const stream = ({ ask }: Opened, key: string, domain: string, signal?: AbortSignal) =>
  ask(`/v1/enrich-stream/${domain}`, { key, headers: { accept: "text/event-stream" }, ...(signal ? { signal } : {}) });

/** The next piece of a stream, as text. */
async function nextOf(reader: { read(): Promise<{ value?: Uint8Array | undefined }> }): Promise<string> {
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}

const FIRST =
  'id: 1\ndata: {"phase":"identity","tools_detected":1,"tools":[{"tool":"Postbox","category":"Email"}],"by_category":{"Email":["Postbox"]},"done":false}\n\n';

describe("events", () => {
  test("are numbered, are data without an event name, and end with done", async () => {
    const service = await open();
    const answer = await stream(service, await service.key(), "brightpine.test");
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    const text = await answer.text();
    expect(text).toStartWith(FIRST);
    expect(text).not.toContain("event:");
    const messages = messagesOf(text);
    expect(messages.map(({ id, data }) => [id, data.phase, data.tools_detected, data.done])).toEqual([
      ["1", "identity", 1, false],
      ["2", "website", 3, false],
      ["3", "complete", 3, true],
    ]);
    expect(Object.keys(messages[2]?.data ?? {})).toEqual(["phase", "tools_detected", "tools", "by_category", "done"]);
  });

  test("of a cached result are one, sent at once", async () => {
    const service = await open();
    const messages = messagesOf(await (await stream(service, await service.key(), "stored.test")).text());
    expect(messages.map(({ id, data }) => [id, data.phase, data.done])).toEqual([["1", "complete", true]]);
  });

  test("are sent as they happen, not at the end", async () => {
    const service = await open();
    const reader = (await stream(service, await service.key(), "stalling.test")).body?.getReader();
    expect(await nextOf(reader!)).toBe(FIRST);
    await reader!.cancel();
  });

  test("a client without an Accept header is served too", async () => {
    const { ask, key } = await open();
    const own = await key();
    for (const accept of ["*/*", "text/*", ""]) {
      expect((await ask("/v1/enrich-stream/stored.test", { key: own, headers: { accept } })).status).toBe(200);
    }
    const answer = await ask("/v1/enrich-stream/stored.test", { key: own, headers: { accept: "application/json" } });
    expect((await problemOf(answer)).code).toBe("request.not_acceptable");
  });

  test("a comment every five seconds keeps an idle stream open", async () => {
    const service = await open();
    const key = await service.key();
    jest.useFakeTimers();
    const reader = (await stream(service, key, "stalling.test")).body?.getReader();
    expect(await nextOf(reader!)).toBe(FIRST);
    jest.advanceTimersByTime(5_000);
    expect(await nextOf(reader!)).toBe(": \n\n");
    jest.advanceTimersByTime(5_000);
    expect(await nextOf(reader!)).toBe(": \n\n");
    await reader!.cancel();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe("refusals", () => {
  test.each([
    ["missing.test", 404],
    ["silent.test", 503],
    ["broken.test", 500],
    ["10.0.0.1", 422],
  ])("%s is answered %d before a stream begins", async (domain, status) => {
    const service = await open();
    const answer = await stream(service, await service.key(), domain);
    expect(answer.status).toBe(status);
    await problemOf(answer);
  });

  test("beyond the limit of open streams is 503 until one ends", async () => {
    const service = await open({ settings: { maxStreams: 2 } });
    const key = await service.key();
    const one = await stream(service, key, "stalling.test");
    await stream(service, key, "stalling.test");
    const refused = await stream(service, key, "stalling.test");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await problemOf(refused)).code).toBe("service.overloaded");
    await one.body?.cancel();
    expect((await stream(service, key, "stored.test")).status).toBe(200);
  });

  test("a refused stream and an ended one do not count", async () => {
    const service = await open({ settings: { maxStreams: 1 } });
    const key = await service.key();
    for (const domain of ["missing.test", "broken.test", "brightpine.test", "brightpine.test"]) {
      await (await stream(service, key, domain)).text();
    }
    expect((await stream(service, key, "stored.test")).status).toBe(200);
  });
});

describe("a stream that is ended", () => {
  test("by the client stops the scan", async () => {
    const service = await open();
    const answer = await stream(service, await service.key(), "stalling.test");
    const signal = service.calls[0]?.options.signal;
    expect(signal?.aborted).toBe(false);
    await answer.body?.cancel();
    expect(signal?.aborted).toBe(true);
    expect(service.logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test("by a failed scan has no done event, and the reason is logged", async () => {
    const service = await open();
    const answer = await stream(service, await service.key(), "breaking.test");
    expect(await answer.text()).toBe(FIRST);
    expect(service.logged().find(({ msg }) => msg === "a stream failed")).toMatchObject({
      request_id: answer.headers.get("x-request-id"),
      err: { message: SECRET },
    });
  });

  test("by a shutdown is not logged as a bug", async () => {
    const { verbs } = fakeVerbs();
    const service = await open({
      verbs: {
        ...verbs,
        enrichSteps: async () =>
          (async function* () {
            yield { phase: "identity" as const, detections: [] };
            throw new Failure("service.draining", "The service is stopping.");
          })(),
      },
    });
    const text = await (await stream(service, await service.key(), "brightpine.test")).text();
    expect(messagesOf(text).map(({ data }) => data.done)).toEqual([false]);
    expect(service.logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test("by a client that leaves before the first event frees its slot", async () => {
    const service = await open({ settings: { maxStreams: 1 } });
    const key = await service.key();
    const client = new AbortController();
    const answer = stream(service, key, "hanging.test", client.signal);
    await Bun.sleep(0);
    client.abort();
    expect((await answer).status).toBe(499);
    expect((await stream(service, key, "stored.test")).status).toBe(200);
  });
});
