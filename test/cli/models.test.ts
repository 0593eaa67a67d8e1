import { describe, expect, test } from "bun:test";
import { openFakeApp } from "../services/fake-app.ts";
import { run } from "./fake-host.ts";

describe("casefile model", () => {
  test("lists the models with their states", async () => {
    const { code, out } = await run(["model", "list"]);
    expect(code).toBe(0);
    expect(out).toBe(
      "NAME      STATE  DIMENSIONS  SIZE     LICENCE     DESCRIPTION\nbuilt-in  used   384         23.0 MB  apache-2.0  Mean pooling, from model.onnx.\n",
    );
    const { out: json } = await run(["model", "--json"]);
    expect(JSON.parse(json)).toMatchObject({
      models: [{ name: "built-in", state: "used" }],
      total: 1,
      next_cursor: null,
    });
  });

  test("adds, uses and removes a model, and prints the next step", async () => {
    const app = await openFakeApp();
    const added = await run(["model", "add", "folder", "--name", "mine"], { app });
    expect(added.out).toBe(
      "Added mine: 384 dimensions, 23.0 MB. Mean pooling, from model.onnx.\nTo use it for searches: casefile model use mine\n",
    );
    const used = await run(["model", "use", "mine"], { app });
    expect(used.out).toBe("Embedded 3 case studies; searches now use mine.\n");
    const refused = await run(["model", "remove", "mine"], { app });
    expect([refused.code, refused.err]).toEqual([1, "casefile: This model is in use; use another one first.\n"]);
    expect((await run(["model", "remove", "built-in"], { app })).out).toBe("Removed.\n");
    expect((await run(["model", "use", "none"], { app })).code).toBe(1);
    await app.close();
  });

  test("search reports when only keyword search works", async () => {
    const fake = await openFakeApp();
    const models = { ...fake.models, alarms: () => ["Only keyword search works: Repair it."] };
    const app = { ...fake, models };
    const { code, err } = await run(["search", "bank"], { app });
    expect([code, err]).toEqual([0, "Only keyword search works: Repair it.\n"]);
    await app.close();
  });

  test("evaluates each search mode with the user's judged queries, and names the model", async () => {
    const { code, out } = await run(["model", "eval", "--questions", "mine.jsonl"], { files: { "mine.jsonl": "{}" } });
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "built-in (built-in-0a1b2c3d4e5f): 1 question",
      "Case studies that do not exist: 1, such as gone.",
      "SEARCH    NDCG@10  MRR    RECALL@5  RECALL@10",
      "keyword   0.500    0.250  0.750     1.000",
      "semantic  0.500    0.250  0.750     1.000",
      "hybrid    0.500    0.250  0.750     1.000",
      "",
    ]);
    const several = { files: { "mine.jsonl": "{}\n{}\n" } };
    const lines = (await run(["model", "eval", "--questions", "mine.jsonl"], several)).out.split("\n");
    expect(lines[0]).toBe("built-in (built-in-0a1b2c3d4e5f): 2 questions");
    const json = await run(["model", "eval", "built-in", "--questions", "mine.jsonl", "--json"], several);
    expect(JSON.parse(json.out)).toMatchObject({ model: "built-in", model_id: "built-in-0a1b2c3d4e5f", questions: 2 });
    expect((await run(["model", "eval"])).code).toBe(2);
  });
});
