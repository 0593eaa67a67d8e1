import { describe, expect, test } from "bun:test";
import { createClient } from "../../client/src/index.ts";
import { filled } from "../http/filled.ts";
import { jsonOf } from "../http/opened.ts";
import { run } from "./fake-host.ts";

/** A service in this process, and a command line that calls it. */
async function served({ apiKey, monthlyLimit = 1_000 }: { apiKey?: string; monthlyLimit?: number } = {}) {
  const service = await filled({ monthlyLimit });
  const own = apiKey ?? (await service.key("cli@brightpine.test"));
  const servers: string[] = [];
  const connect = (server: string) => {
    servers.push(server);
    const fetch = (url: string, init: RequestInit) => service.handler(new Request(url, init), "127.0.0.1");
    return createClient({ baseUrl: server, apiKey: own, fetch, wait: async () => {} });
  };
  return {
    ...service,
    servers,
    connect,
    ask: (argv: string[], input?: string) =>
      run([...argv, "--server", "http://casefile.test:7171/"], {
        host: { connect },
        ...(input === undefined ? {} : { files: { "-": input } }),
      }),
  };
}

describe("a remote service", () => {
  test("returns the same as a local data directory, and does not touch the local one", async () => {
    const { ask, servers } = await served();
    const { code, out, err, opened } = await ask(["enrich", "brightpine.test"]);
    expect(out).toBe((await run(["enrich", "brightpine.test"])).out);
    expect([code, err, opened]).toEqual([0, "", []]);
    expect(servers).toEqual(["http://casefile.test:7171"]);
    const json = ["enrich", "brightpine.test", "--json", "--include", "evidence"];
    expect(JSON.parse((await ask(json)).out)).toEqual(JSON.parse((await run(json)).out));
  });

  test("searches and lists", async () => {
    const { ask, get } = await served();
    const found = await ask(["search", "bank", "--limit", "2", "--json"]);
    const asked = { query: "bank", limit: 2, mode: "hybrid" };
    expect(JSON.parse(found.out)).toEqual(await jsonOf(await get("/v1/casestudies/semantic", { json: asked })));
    expect((await ask(["search", "bank", "--limit", "1"])).out).toMatch(/^1\. .+ answers .+\n/);
    expect((await ask(["search", "bank", "--company", "tidwell"])).err).toBe(
      'casefile: No company has the slug "tidwell": did you mean tidewell?\n',
    );
    const listed = await ask(["companies", "tidwell", "--json"]);
    expect(JSON.parse(listed.out)).toEqual(await jsonOf(await get("/v1/companies?q=tidwell")));
    expect((await ask(["companies", "list", "--limit", "2"])).out).toContain("2 of 3; next page: --cursor ");
  });

  test("enriches a list", async () => {
    const { ask } = await served();
    const { code, out } = await ask(["enrich", "-"], "brightpine.test\nmissing.test\n");
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).input)
        .sort(),
    ).toEqual(["brightpine.test", "missing.test"]);
    expect(code).toBe(1);
  });

  test("a list stops when the monthly quota is used up", async () => {
    const { ask, calls } = await served({ monthlyLimit: 2 });
    const { code, out, err } = await ask(["enrich", "-", "--at-once", "1"], "a.test\nb.test\nc.test\nd.test\n");
    expect(out.trimEnd().split("\n")).toHaveLength(2);
    expect([code, calls.length]).toEqual([1, 2]);
    expect(err).toMatch(/^casefile: .*month/);
  });

  test("that rejects the key prints how to get one", async () => {
    const { code, err } = await (await served({ apiKey: "nonsense" })).ask(["companies"]);
    expect(err).toStartWith(
      "casefile: http://casefile.test:7171 does not accept the API key. Set CASEFILE_API_KEY to a key ",
    );
    expect(code).toBe(1);
  });

  test("that requires a key, without one in the environment, says which variable is not set", async () => {
    const { connect } = await served({ apiKey: "nonsense" });
    const { code, err } = await run(["companies", "--server", "http://casefile.test:7171"], {
      host: { connect, hasApiKey: false },
    });
    expect(err).toStartWith(
      "casefile: CASEFILE_API_KEY is not set, and http://casefile.test:7171 requires an API key. Set CASEFILE_API_KEY to a key ",
    );
    expect(code).toBe(1);
  });

  test("that is unreachable is reported with a remedy", async () => {
    const fetch = async () => {
      throw new TypeError("connect ECONNREFUSED");
    };
    const connect = (baseUrl: string) => createClient({ baseUrl, fetch });
    const { code, err } = await run(["search", "bank", "--server", "http://127.0.0.1:1"], { host: { connect } });
    expect(err).toBe(
      "casefile: Cannot connect to http://127.0.0.1:1. Start the service with `casefile serve`, or omit --server to use the data directory.\n",
    );
    expect(code).toBe(1);
  });

  test("its refusals exit with 1, and with 2 for invalid input", async () => {
    const { ask } = await served();
    expect(await ask(["enrich", "missing.test"])).toMatchObject({ code: 1, out: "" });
    expect(await ask(["enrich", "no domain"])).toMatchObject({ code: 2, out: "" });
  });

  test.each([["casefile.test"], ["ftp://casefile.test"], ["http://a:b@casefile.test"], ["http://casefile.test?x=1"]])(
    "%s is not a service address",
    async (server) => {
      const { code, err } = await run(["companies", "--server", server]);
      expect([code, err.includes("Give the URL of a service")]).toEqual([2, true]);
    },
  );

  test("commands that need a local data directory are refused with --server", async () => {
    const { ask } = await served();
    expect((await ask(["enrich", "a.test", "--replay"])).code).toBe(2);
    expect((await ask(["enrich", "--from", "a.html"])).code).toBe(2);
  });
});
