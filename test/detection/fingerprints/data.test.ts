import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Failure } from "../../../src/core/errors.ts";
import { loadCatalogue } from "../../../src/detection/fingerprints/catalogue.ts";
import { toArray } from "../../../src/detection/fingerprints/conditions.ts";
import { exampleFaults } from "../../../src/detection/fingerprints/examples.ts";
import { readCatalogueFiles } from "../../../src/detection/fingerprints/pack.ts";
import { AREAS, type Fingerprint } from "../../../src/detection/fingerprints/types.ts";
import { SELF_NAMING_CATEGORIES } from "../../../src/detection/self-naming/tool-naming.ts";
import { SIGNAL_GROUPS, type SignalGroup, type SignalKind } from "../../../src/detection/signals.ts";
import { processorMs } from "../../processor-time.ts";

const source = readCatalogueFiles(join(import.meta.dir, "../../../data"));

function loaded() {
  try {
    return loadCatalogue(source);
  } catch (error) {
    // The message has only the first error; an editor of the data needs them all.
    if (error instanceof Failure) expect(error.details.problems).toEqual([]);
    throw error;
  }
}

/** The tools that a single value proves by itself, by kind of signal, field and value: `html.script host example.com`. */
function claims(): ReadonlyMap<string, ReadonlySet<Fingerprint>> {
  const owners = new Map<string, Set<Fingerprint>>();
  for (const tool of loaded().tools.values())
    for (const { match, see, strength } of tool.rules) {
      const [[field = "", values] = []] = Object.entries(match);
      if (strength === "weak" || Object.keys(match).length !== 1 || field === "regex" || field === "name") continue;
      for (const value of toArray(values).map((text) => String(text).toLowerCase()))
        for (const kind of toArray(see).flatMap((group) => SIGNAL_GROUPS[group as SignalGroup] ?? [group])) {
          const claim = `${kind} ${field} ${value}`;
          owners.set(claim, (owners.get(claim) ?? new Set()).add(tool));
        }
    }
  return owners;
}

/** Whose hosts are everybody's. */
const HOSTING = new Set(["cdn", "cloud", "hosting"]);

/** Two tools, one of each set, of which neither has the other among its relations. */
function pairs(some: ReadonlySet<Fingerprint>, others: Iterable<Fingerprint>, ofOtherVendors = false): string[] {
  const relates = (tool: Fingerprint, other: Fingerprint) =>
    (["implies", "excludes", "requires", "product_of"] as const).some((relation) =>
      toArray(tool[relation]).includes(other.id),
    ) ||
    (ofOtherVendors && tool.vendor === other.vendor);
  const found = [...some].flatMap((tool) =>
    [...others]
      .filter(
        (other) => other !== tool && !HOSTING.has(other.category) && !relates(tool, other) && !relates(other, tool),
      )
      .map((other) => [tool.id, other.id].sort().join(" and ")),
  );
  return [...new Set(found)];
}

/** Platforms whose files and pages are part of what runs on them. */
const EVERYWHERE = new Set(["asp-net", "php", "wordpress"]);

/** Two tools of which one sign proves both: an edition or a part of a product, a library that a product brings. */
const BOTH: ReadonlySet<string> = new Set([
  "daum and kakao-adfit",
  "hotwire-turbo and ruby-on-rails",
  "seznam-ssp and sklik",
  "ad-inserter and wordpress-plugin.ad-inserter-pro",
  "amp-auto-ads and amp-html",
  "apache-solr and typo3-extension.apache-solr-for-typo3",
  "iter-web-cms and protecmedia-mas",
  "adobe-commerce and requirejs",
  "advagg and loadcss",
  "apache and perl",
  "apache and php",
  "apache-tomcat and jboss",
  "apple-smart-app-banner and nextcloud",
  "apple-smart-app-banner and owncloud",
  "arc-xp and react",
  "astra and wordpress-plugin.astra-pro",
  "avada and wordpress-plugin.avada-core",
  "bedrock and pressbooks",
  "blocksy and wordpress-plugin.blocksy-companion",
  "blocksy and wordpress-plugin.blocksy-companion-pro",
  "brizy and wordpress-plugin.brizy-pro",
  "cartflows and wordpress-plugin.cartflows-pro",
  "chaty and wordpress-plugin.chaty-pro",
  "drupal and highwire",
  "drupal-theme.localgov-base and localgov-drupal",
  "drupal-theme.localgov-theme and localgov-drupal",
  "event-tickets and wordpress-plugin.event-tickets-plus",
  "exactmetrics and wordpress-plugin.exactmetrics-premium",
  "generateblocks and wordpress-plugin.generateblocks-pro",
  "generatepress and wordpress-plugin.gp-premium",
  "godaddy-ssl and godaddy-website-builder",
  "google-fonts and material-icons",
  "google-fonts and webfontloader",
  "gwt and whatfix",
  "ibm-websphere and websphere-commerce",
  "javascript-library.vega-embed and vega",
  "jetpack and jquery",
  "joomla and jquery",
  "jupiter-x and wordpress-plugin.jupiterx-core",
  "kadence and wordpress-plugin.kadence-blocks-pro",
  "metaslider and wordpress-plugin.metaslider-pro",
  "newspack and wordpress-plugin.newspack-blocks",
  "newspaper-theme and tagdiv-composer",
  "newspaper-theme and wordpress-plugin.tagdiv-cloud-library",
  "next-js and webpack",
  "nginx and phusion-passenger",
  "oceanwp and wordpress-plugin.ocean-extra",
  "phusion-passenger and ruby-on-rails",
  "prebid and xandr",
  "pressbooks and wordpress-theme.pressbooks-book",
  "proudcity and wordpress-theme.wp-proud",
  "salient and wordpress-plugin.salient-core",
  "search-filter and wordpress-plugin.search-filter-pro",
  "searchwp and wordpress-plugin.searchwp-live-ajax-search",
  "seedprod and wordpress-plugin.seedprod-coming-soon-pro-5",
  "shariff and wordpress-plugin.shariff-wrapper",
  "solid-security and wordpress-plugin.solid-security-pro",
  "square-online and weebly",
  "the-events-calendar and wordpress-plugin.the-events-calendar-pro",
  "twemoji and wordpress",
  "vanilla-lazyload and w3-total-cache",
  "vanilla-lazyload and wp-rocket",
  "wordpress and wordpress-theme.brightpine",
  "wordpress-plugin.wp-go-maps-pro and wp-go-maps",
  "wordpress-plugin.ws-form-pro and ws-form",
  "wordpress-plugin.yith-woocommerce-ajax-search and yith-woocommerce",
  "wordpress-plugin.yith-woocommerce-compare and yith-woocommerce",
  "wordpress-plugin.yith-woocommerce-quick-view and yith-woocommerce",
  "wordpress-plugin.yith-woocommerce-wishlist and yith-woocommerce",
]);

describe("the built-in catalogue", () => {
  test("loads without errors", () => {
    expect(loaded().tools.size).toBe(Object.keys(source.records).length);
  });

  test("passes the hit and miss example of every rule, in seconds", () => {
    const began = processorMs();
    expect([...loaded().tools.values()].flatMap((tool) => exampleFaults(tool))).toEqual([]);
    // Two seconds on a quiet machine; processor time doubles on a crowded one.
    expect(processorMs() - began).toBeLessThan(8_000);
  });

  test("has at least 250 tools, some in each of the nine areas", () => {
    const { tools, categories } = loaded();
    expect(tools.size).toBeGreaterThanOrEqual(250);
    const covered = new Set([...tools.values()].map(({ category }) => categories.get(category)?.area));
    expect(AREAS.filter((area) => !covered.has(area))).toEqual([]);
  });

  test("uses every category, except those of self-naming tools", () => {
    const { tools, categories } = loaded();
    const used = new Set([...[...tools.values()].map(({ category }) => category), ...SELF_NAMING_CATEGORIES]);
    expect([...categories.keys()].filter((id) => !used.has(id))).toEqual([]);
  });

  test("has a unique label for each category", () => {
    const labels = [...loaded().categories.values()].map(({ label }) => label);
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  });

  test("has no two tools that a reader could confuse", () => {
    const names = [...loaded().tools.values()].map(({ name }) => name.toLowerCase().replace(/[^a-z0-9]/g, ""));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("has no host, name or text that proves two tools which are not related", () => {
    const owners = claims();
    const shared = [...owners].flatMap(([claim, rows]) => pairs(rows, rows).map((pair) => `${claim}: ${pair}`));
    expect(shared).toEqual([]);
  });

  test("has no host below that of another tool, except of hosting and of one vendor", () => {
    const owners = claims();
    const below = [...owners].flatMap(([claim, rows]) => {
      const [kind = "", field = "", value = ""] = claim.split(" ");
      if (field !== "host") return [];
      return value.split(".").flatMap((_, from, labels) => {
        const parents = from === 0 ? undefined : owners.get(`${kind} host ${labels.slice(from).join(".")}`);
        return pairs(rows, parents ?? [], true).map((pair) => `${value}: ${pair}`);
      });
    });
    expect([...new Set(below)]).toEqual([]);
  });

  test("has no hit that strongly names a second tool, but one that is there too", () => {
    const { tools, match } = loaded();
    const found = new Set<string>();
    for (const tool of tools.values()) {
      if (HOSTING.has(tool.category)) continue;
      for (const { see, hit, strength, means } of tool.rules) {
        if (strength === "weak") continue;
        for (const kind of toArray(see).flatMap((group) => SIGNAL_GROUPS[group as SignalGroup] ?? [group]))
          for (const other of match({ kind: kind as SignalKind, value: hit, location: "https://harbourline.example/" }))
            if (other.rule.strength !== "weak" && other.rule.means === means && !EVERYWHERE.has(other.tool.id))
              for (const pair of pairs(new Set([tool]), [other.tool])) found.add(pair);
      }
    }
    expect([...found].filter((pair) => !BOTH.has(pair)).sort()).toEqual([]);
  });

  test("contains nothing about the machine on which it was written", () => {
    const local = /(?<![a-z0-9.])\/(?:home|root|tmp|Users|var\/folders)\/[a-z0-9]|\bfile:\/\/|\b127\.0\.0\.1\b/i;
    const reported = [...loaded().tools.values()].flatMap(({ id, rules }) =>
      rules.flatMap((rule) => [rule.hit, rule.miss].filter((text) => local.test(text)).map((text) => `${id}: ${text}`)),
    );
    expect(reported).toEqual([]);
  });
});
