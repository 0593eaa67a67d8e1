/** A line that a program reads: settings, markup, shell, logs. */
const CODE_LINE =
  /^\s{0,40}(?:[$#>]\s?(?:kubectl|docker|helm|curl|npm|sudo|cd|git)\b|[\w.-]{1,60}:\s{0,8}(?:[|>&]?-?|[\w./:-]{1,80})$|[{}[\]();,]{1,10}$|.{0,300}[{;]$|<\/?[a-z]|\d{4}-\d\d-\d\d[ T]\d\d:|\/\/|\w+\(.{0,200}\)$)/;
const MAX_LINES = 20_000;
/** Settings written without a fence come in runs. A single line with a colon is a person's ("Industry: Retail"). */
const RUN = 4;

/** Markdown without its code: fences, `<pre>`, and runs of lines that look like settings. Lines keep their order. */
export function dropCode(markdown: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  let inPre = false;
  let run: string[] = [];
  const endRun = () => {
    if (run.length < RUN) kept.push(...run);
    run = [];
  };
  for (const line of markdown.split("\n", MAX_LINES)) {
    const mark = /^[\s>]{0,20}(`{3,10}|~{3,10})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (inPre) {
      inPre = !line.includes("</pre>");
      continue;
    }
    if (mark !== undefined) {
      endRun();
      fence = mark;
      kept.push("");
    } else if (line.includes("<pre") && /<pre[\s>]/.test(line)) {
      endRun();
      inPre = !line.includes("</pre>");
      kept.push("");
    } else if (line.trim() !== "" && CODE_LINE.test(line.slice(0, 400))) run.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  return kept.join("\n");
}
