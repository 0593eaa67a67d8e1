import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openCatalogue } from "../../../src/detection/fingerprints/open-catalogue.ts";
import { CALL_MARKS, libraryOfCall } from "../../../src/detection/self-naming/call-marks.ts";
import { classMarksIn } from "../../../src/detection/self-naming/class-marks.ts";
import { usesIn } from "../../../src/detection/self-naming/code-marks.ts";
import {
  drupalSettingsIn,
  EXTENSION_TYPES,
  extensionsIn,
  pathsIn,
} from "../../../src/detection/self-naming/extensions.ts";
import { KEY_SHAPES, keysIn } from "../../../src/detection/self-naming/keys.ts";
import { scanNames } from "../../../src/detection/self-naming/name-scan.ts";
import { createNameIndex } from "../../../src/detection/self-naming/names.ts";
import { packageIn } from "../../../src/detection/self-naming/packages.ts";

/** Each search in one pass finds what the expressions or searches find that it replaces. */

const RUNS = { numRuns: 400 };
const joined = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((all) => all.join(""));
const catalogue = await openCatalogue([], () => {});
const names = createNameIndex([...catalogue.tools.values()]);

describe("extensions", () => {
  const PARTS = (
    "wp-content app content files Plugins plugins PLUGINS mu-plugins themes vip contrib modules profiles sites com_ mod_ " +
    "harbourtown-of-abcdef components media typo3conf ext system at_core zen harbour ropeworks-2 index.php .php a - _ x9 ſites é"
  ).split(" ");

  const SEGMENTS = PARTS.flatMap((part) => [
    `${part}/`,
    `${part}/`,
    `${part}\\/`,
    `${part}%2F`,
    part,
    `"${part}/`,
  ]).concat("/wp-content/harbourtown-of-abcdef/mu-", "plugins/");

  test("near a needle are those that the expression finds in the whole text", () => {
    fc.assert(
      fc.property(joined(SEGMENTS), (text) =>
        expect([...pathsIn(text)].map(({ type, match }) => `${type} ${match.index} ${match[0]}`)).toEqual(
          EXTENSION_TYPES.filter(({ needle }) => text.includes(needle)).flatMap(({ type, path }) =>
            [...text.matchAll(path)].map((match) => `${type} ${match.index} ${match[0]}`),
          ),
        ),
      ),
      { numRuns: 3_000 },
    );
  });

  test("of every type are found", () => {
    for (const [address, type] of [
      ["/wp-content/plugins/harbour-map/a.js", "wordpress-plugin"],
      ["/wp-content/languages/plugins/harbour-map/a.js", "wordpress-plugin"],
      ["\\/wp-content\\/mu-plugins\\/harbour-map\\/", "wordpress-plugin"],
      ["wp-content%2Fplugins%2Fharbour-map.php", "wordpress-plugin"],
      ["/content/themes/vip/harbour/", "wordpress-theme"],
      ["/modules/contrib/harbour/", "drupal-module"],
      ["/profiles/town/modules/contrib/harbour/", "drupal-module"],
      ["/sites/all/modules/harbour/", "drupal-module"],
      ["/sites/all/themes/zen/", "drupal-theme"],
      ["/themes/contrib/harbour/", "drupal-theme"],
      ["/components/com_harbour/", "joomla-extension"],
      ["/modules/mod_harbour/", "joomla-extension"],
      ["/plugins/system/harbour/", "joomla-extension"],
      ["/typo3conf/ext/harbour/", "typo3-extension"],
      ["/sites/default/files/honeypot/honeypot.css", "drupal-module"],
      ["\\/wp-json\\/iawp\\/search", "wordpress-plugin"],
    ] as const)
      for (const text of [address, `${"x ".repeat(3_000)}"${address}"`])
        expect(extensionsIn(text).map((each) => each.type)).toEqual([type]);
  });
});

test("the uses in code are those that the expressions match", () => {
  const FORMS = [
    ["method", /\)\s{0,12}\.([A-Za-z][\w]{2,24})\(/g],
    ["constructor", /\bnew\s{1,3}(?:window\.)?([A-Z]\w{2,20})\(/g],
    ["variable", /\b(?:var|let|const|function)\s{1,3}([A-Za-z_]\w{2,40})\s{0,3}[=(]/g],
  ] as const;
  const parts =
    "$ ( ) . var let const function new window. Harbour harbour_map ab a1 _x0 Q = => ; é anew 0 \u00a0".split(" ");
  const FRAGMENTS = [
    ...[" ", " ", "(", ")", ").", ")  .", `)${" ".repeat(12)}.`, `)${" ".repeat(13)}.`, "\n", "x1y(", "X2z(", "new   "],
    ...["a".repeat(24), "B".repeat(21), "var x1", "function  ", " = ", "   =", "new window.", "harbour(", "Harbour("],
  ];
  fc.assert(
    fc.property(joined([...parts, ...FRAGMENTS]), (text) => {
      const uses = usesIn(text);
      for (const [form, pattern] of FORMS)
        expect(uses.filter((use) => use.form === form).map(({ name, from, to }) => [name, from, to])).toEqual(
          [...text.matchAll(pattern)].map((match) => [match[1] ?? "", match.index, match.index + match[0].length]),
        );
    }),
    { numRuns: 2_000 },
  );
});

test("the paths in code of which a library has a mark are those that an expression matches", () => {
  const PATH = /(?<![\w.$])(?:window\.)?([\w$][\w.$]*)(?:(\()|\s{0,3}(=)(?!=))/g;
  const parts = [..."AOS.init( Hyphenator.run( Hyphenators.run( WebFontConfig paceOptions $.jStorage.set(".split(" ")];
  const around = ["window.", "jQuery.", "shop.", " ", " ", "=", "==", "(", ")", ";", "a", "é", "new "];
  const found = (paths: readonly (readonly [path: string, from: number])[]) =>
    paths.filter(([path]) => libraryOfCall(path) !== undefined);
  fc.assert(
    fc.property(joined([...parts, ...parts, ...around]), (text) => {
      const uses = usesIn(text).filter(({ form, name }) => form === "path" && name.length <= 40);
      const matches = [...text.matchAll(PATH)].map((match): readonly [string, number] => {
        const path = `${match[1]}${match[2] ?? match[3]}`;
        return [path, match.index + (match[0].startsWith("window.") && !match[1]!.startsWith("window.") ? 7 : 0)];
      });
      expect(found(uses.map(({ name, from }) => [name, from]))).toEqual(
        found(matches.filter(([path]) => path.length <= 40)),
      );
    }),
    { numRuns: 2_000 },
  );
  for (const mark of CALL_MARKS.keys())
    expect(usesIn(` ${mark.replace(/\.$/, ".x(")}`).some(({ form }) => form === "path")).toBe(true);
});

test("the keys in a text are those that a search for each shape finds", () => {
  const naive = (text: string) => {
    const found = new Map<string, string>();
    for (const { tool, needle, shape, notAfter } of KEY_SHAPES) {
      if (found.has(tool)) continue;
      let tries = 0;
      for (let at = text.indexOf(needle); at >= 0 && tries < 200; at = text.indexOf(needle, at + 1), tries++) {
        const isHost = needle.includes(".") && needle !== "pk.eyJ";
        if (!isHost && at > 0 && !/["'\u0060=/&?:,]/.test(text[at - 1]!)) continue;
        if (notAfter?.test(text.slice(Math.max(0, at - 40), at))) continue;
        shape.lastIndex = at;
        const match = shape.exec(text);
        if (match) found.set(tool, `${tool} ${at} ${match[0].length}`);
        if (match) break;
      }
    }
    return [...found.values()];
  };
  const keys =
    "UA-1234567-1 G-ABCDE12345 GTM-ABCDE1 AW-123456789 DC-1234567 ca-pub-1234567890123 ingest.sentry.io/1234 " +
    `sentry.io/12345 pk_live_${"a1".repeat(9)} pk_test_${"a1".repeat(9)} key_live_${"b2".repeat(11)} phc_${"c3".repeat(16)} ` +
    `pk.eyJ${"d".repeat(20)}.${"e".repeat(10)} 6Lc${"f".repeat(37)} 0x4AAAA${"g".repeat(16)} rzp_live_${"h".repeat(12)} ` +
    `NRJS-${"a0".repeat(9)} x-dsn.algolia.net cdn.optimizely.com/js/1234567 pub${"ab".repeat(16)} sdk-client-side 3_${"j".repeat(64)}`;
  for (const one of keys.split(" ")) expect(keysIn(`"${one}"`)).toHaveLength(1);
  const parts = [
    ...keys.split(" "),
    '"',
    '"',
    "'",
    " ",
    "/",
    "=",
    "optimize_id:",
    'require","',
    "é",
    "pub",
    "G-",
    "3_",
  ];
  fc.assert(
    fc.property(joined(parts), (text) =>
      expect(keysIn(text).map(({ tool, at, length }) => `${tool} ${at} ${length}`)).toEqual(naive(text)),
    ),
    RUNS,
  );
});

test("the classes that are not cut out are none of a tool", () => {
  const all = (text: string) =>
    text.split(/\s+/, 20_000).map((written) => (written.startsWith("#") ? written.slice(1) : written));
  const parts =
    "swiper-wrapper #swiper-slide col-md-6 navbar-nav dropdown-toggle carousel-indicators fa fa-home ub_call_to_action " +
    "wp-theme-harbour theme-harbour tx-harbour-pi1 widget_harbour_widget tribe-theme-divi data-v-app yui3-x y - _ # -a a- é";
  fc.assert(
    fc.property(joined([...parts.split(" "), " ", " ", " ", "\n", "\u00a0", "#"]), (text) =>
      expect(classMarksIn(text, names)).toEqual(classMarksIn(text, names, all)),
    ),
    RUNS,
  );
  expect(classMarksIn("swiper-wrapper", names)).toHaveLength(1);
});

test("each tool that has a name of its own is found by it", () => {
  for (const tool of catalogue.tools.values()) {
    const name = tool.name.replace(/[^A-Za-z0-9]/g, "");
    if (/[^\x20-\x7e]/.test(tool.name) || name.length > 30 || names.distinct(name.toLowerCase()) !== tool) continue;
    const found: string[] = [];
    scanNames(`x.${name}.y`, names, (each) => found.push(each.tool.id) > 0);
    expect([tool.name, ...found]).toContain(tool.id);
  }
});

test("a package is recognised on each network", () => {
  for (const address of [
    "https://cdn.jsdelivr.net/npm/harbour@1.2.3/a.js",
    "https://cdn.jsdelivr.net/gh/town/harbour@1.2.3/a.js",
    "https://unpkg.com/harbour@1.2.3",
    "http://esm.sh/harbour@1.2.3",
    "https://cdn.skypack.dev/harbour@1.2.3",
    "https://ga.jspm.io/npm:harbour@1.2.3/a.js",
    "https://cdnjs.cloudflare.com/ajax/libs/harbour/1.2.3/a.js",
    "https://ajax.googleapis.com/ajax/libs/harbour/1.2.3/a.js",
    "https://ajax.aspnetcdn.com/ajax/harbour/1.2.3/a.js",
    "https://lib.baomitu.com/harbour/1.2.3/a.js",
    "https://cdn.staticfile.org/harbour/1.2.3/a.js",
    "https://cdn.bootcdn.net/ajax/libs/harbour/1.2.3/a.js",
    "https://bootcdn.net/ajax/libs/harbour/1.2.3/a.js",
    "https://yastatic.net/harbour/1.2.3/a.js",
    "https://maxcdn.bootstrapcdn.com/harbour/1.2.3/a.js",
    "https://stackpath.bootstrapcdn.com/harbour/1.2.3/a.js",
  ])
    expect(packageIn(address)).toEqual({ name: "harbour", version: "1.2.3", isPackage: true });
});

test("a folder of files that Drupal lists names its module", () => {
  const settings = String.raw`{"ajaxPageState":{"css":{"public:\/\/honeypot\/honeypot.css":1,"public:\/\/harbour\/a.css":1}}}`;
  expect(drupalSettingsIn(settings)).toEqual([{ slug: "honeypot", name: "Honeypot" }]);
});
