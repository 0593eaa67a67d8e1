import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Signal } from "../signals.ts";
import { classMarksIn } from "./class-marks.ts";
import { namedHandles, namedMarks } from "./marks.ts";
import { bestOf } from "./mechanism.ts";
import type { NameIndex } from "./names.ts";
import { rule } from "./naming-rules.ts";
import { isOfTheSite } from "./own-site.ts";
import type { ToolNamed } from "./tool-naming.ts";
import { wordMarksIn } from "./word-marks.ts";

const ATTRIBUTE = "a data attribute that only its script reads is named after it";
const MARK = "a class or an id is named after it";
const VOCABULARY = "several different classes and ids begin with its name";
const HANDLE = "WordPress prints the name under which it registered a file";
const CLASS = "classes, ids and attributes of the mark-up that only this tool prints";

/** Tools that the classes, ids and data attributes of the mark-up are named after, or that alone print them. */
export function markHits({ kind, value, location }: Signal, names: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  const marks = namedMarks(value, names)
    .filter(({ tool }) => !tool.category.endsWith("-theme"))
    .map(({ tool, kind: place, excerpt }) => ({
      tool,
      rule:
        place === "attribute"
          ? rule("attribute", kind, "strong", ATTRIBUTE)
          : place === "vocabulary"
            ? rule("vocabulary", kind, "strong", VOCABULARY)
            : rule("mark", kind, "weak", MARK),
      excerpt,
      version: null,
    }));
  const handles = namedHandles(value, names).map(({ name, category, strength, handle }) => ({
    tool: toolNamed(name, category),
    rule: rule("handle", kind, strength, HANDLE),
    excerpt: excerptOf(handle),
    version: null,
  }));
  const found = classMarksIn(value, names).filter(
    ({ name, category }) =>
      category !== "wordpress-theme" || !isOfTheSite(name.toLowerCase().replace(/\W+/g, "-"), location),
  );
  const classes = found.map(({ name, category, strength, token }) => ({
    tool: toolNamed(name, category),
    rule: rule("class-mark", kind, strength, CLASS),
    excerpt: excerptOf(token),
    version: null,
  }));
  // Each page is evidence once for each tool, by the best of its marks.
  return [...bestOf([...handles, ...classes]), ...marks];
}

const WORD = "names that only this tool gives to its state, custom properties, elements or attributes";

/** Tools that give names of their own to state, custom properties, elements and attributes. */
export function wordHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  return wordMarksIn(kind, value).map(({ name, category, strength, excerpt }) => ({
    tool: toolNamed(name, category),
    rule: rule("word-mark", kind, strength, WORD),
    excerpt,
    version: null,
  }));
}
