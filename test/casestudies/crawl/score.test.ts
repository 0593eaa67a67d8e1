import { describe, expect, test } from "bun:test";
import { ACCEPTED, judgeLink, judgePage, WEIGHTS, WORTH_READING } from "../../../src/casestudies/crawl/judge.ts";
import { readLinkedData } from "../../../src/casestudies/crawl/listing.ts";
import { readPageFacts } from "../../../src/casestudies/crawl/page.ts";
import { SITE } from "./invented-pages.ts";
import { LABELLED, type LabelledPage } from "./labelled-pages.ts";

const LISTING = { url: `${SITE}/customers`, mixed: false, siblings: new Set(["customers"]) };

/** As a crawl does it: an address that is not worth a request is never read. */
function decide({ url, text, place, html }: LabelledPage) {
  const link = judgeLink({ url, text, place }, LISTING);
  const likely = link.score > WEIGHTS.bias;
  if (link.never || link.score < WORTH_READING || (place === "sitemap" && !likely))
    return { taken: false, verdict: link };
  const facts = readPageFacts(html, url);
  const verdict = judgePage(link, facts, readLinkedData(facts.jsonLd, url).types, url, text);
  return { taken: verdict.score >= ACCEPTED, verdict };
}

const decided = LABELLED.map((labelled) => ({ ...labelled, ...decide(labelled) }));
const right = decided.filter(({ taken, isStory }) => taken && isStory).length;
const taken = decided.filter((each) => each.taken).length;
const stories = decided.filter(({ isStory }) => isStory).length;

test(`on ${LABELLED.length} labelled pages precision is ${right}/${taken} and recall ${right}/${stories}`, () => {
  expect(right / taken).toBeGreaterThanOrEqual(0.95);
  expect(right / stories).toBeGreaterThanOrEqual(0.95);
});

describe("each labelled page", () => {
  test.each(decided.map(({ what, isStory, taken, verdict }) => [what, isStory, taken, verdict] as const))(
    "%s",
    (_what, isStory, isTaken, { score, clues }) => {
      expect({ taken: isTaken, why: clues, score }).toEqual({ taken: isStory, why: clues, score });
    },
  );
});
