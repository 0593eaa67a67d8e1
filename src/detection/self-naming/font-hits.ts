import { excerptOf } from "../excerpt.ts";
import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Signal } from "../signals.ts";
import { fontFacesIn, fontFileIn } from "./font-faces.ts";
import { NOTHING } from "./mechanism.ts";
import type { NameIndex } from "./names.ts";
import { rule } from "./naming-rules.ts";
import type { ToolNamed } from "./tool-naming.ts";

const FACE = "the styles of the page load the font from a file";

/** Fonts whose files a style of the page names. */
export function faceHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): RuleHit[] {
  return fontFacesIn(value).map(({ name, category, excerpt }) => ({
    tool: toolNamed(name, category),
    rule: rule("font-face", kind, "strong", FACE),
    excerpt,
    version: null,
  }));
}

const FONT_FILE = "the page loads the font from a file of the site";

/** The font that an address of a file names. */
export function fontFileHits({ kind, value }: Signal, _: NameIndex, toolNamed: ToolNamed): readonly RuleHit[] {
  const name = fontFileIn(value);
  return name === undefined
    ? NOTHING
    : [
        {
          tool: toolNamed(name, "fonts"),
          rule: rule("font-face", kind, "strong", FONT_FILE),
          excerpt: excerptOf(value),
          version: null,
        },
      ];
}
