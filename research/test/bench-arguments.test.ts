import { expect, test } from "bun:test";
import { benchArguments, USAGE } from "../benchmarks/arguments.ts";

test.each<[string, string, string]>([
  [
    "stack --questions 50",
    '--questions must be a whole number of 100 or more, not "50".',
    "stack [--companies N] [--questions N] [--folder DIR] (each N is 100 or more)",
  ],
  ["stack --studies 500", "The bench stack has no --studies.", "stack [--companies N] [--questions N] [--folder DIR]"],
  ["ingest", "The bench ingest needs --corpus.", "ingest --corpus DIR|FILE.warc.gz"],
  ["scans --corpus a --sources none", '--sources must be light or all, not "none".', "scans --corpus DIR"],
  ["search --only lucent", "--only must be one or several of ", "search [--studies N]"],
  ["nodes 8", 'The bench nodes takes no "8".', "nodes [--seconds N]"],
])("bench -- %s is told what is wrong and what is right", (line, problem, usage) => {
  const ask = () => benchArguments(line.split(" "));
  expect(ask).toThrow(problem);
  expect(ask).toThrow(`usage: npm run bench -- ${usage}`);
});

test.each(["", "stock", "stack --question 500"])("bench -- %s shows the usage of all", (line) => {
  expect(() => benchArguments(line.split(" ").filter(Boolean))).toThrow(USAGE);
});

test("what a bench takes has its defaults", () => {
  const { name, values } = benchArguments(["stack", "--questions", "100"]);
  expect([name, values.questions, values.companies, values.folder]).toEqual(["stack", "100", "1000000", "."]);
});
