import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Tokenizer } from "htmlparser2";
import { type MarkupHandler, readMarkup } from "../../src/html/tokenizer.ts";
import { processorMs } from "../processor-time.ts";

type Event = readonly (string | number | boolean)[];

function eventsOf(source: string, xml: boolean): Event[] {
  const events: Event[] = [];
  const handler: MarkupHandler = {
    open({ name, attributes, start, end }) {
      events.push(["open", name, start, end]);
      for (let at = 0; at < attributes.count; at++)
        events.push([attributes.nameAt(at), attributes.rawValueAt(at), attributes.startAt(at), attributes.endAt(at)]);
    },
    close: (name, start) => events.push(["close", name, start]),
    text: (text) => events.push(["text", text]),
    rawText: (text) => events.push(["text", text]),
    comment: (start, end) => events.push(["comment", start, end]),
  };
  readMarkup(source, handler, xml);
  return events;
}

/** The same events by the tokenizer of htmlparser2. */
function expectedEvents(source: string, xml: boolean): Event[] {
  const events: Event[] = [];
  let attributes: Event[] = [];
  let tag: Event = [];
  let name: Event = [];
  let value = "";
  let isEnding = false;
  const opened = (end: number) => events.push([...tag, end + 1], ...attributes);
  const tokenizer = new Tokenizer(
    { decodeEntities: false, xmlMode: xml },
    {
      onopentagname(start, end) {
        tag = ["open", source.slice(start, end).toLowerCase(), start - 1];
        attributes = [];
      },
      onattribname(start, end) {
        name = [source.slice(start, end).toLowerCase(), start];
        value = "";
      },
      onattribdata(start, end) {
        value = source.slice(start, end);
      },
      onattribend(_quote, end) {
        const [written = "", start = 0] = name;
        attributes.push([written, value, start, end]);
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => events.push(["close", source.slice(start, end).toLowerCase(), start - 2]),
      ontext(start, end) {
        // It gives the name, or the last character, of some tags that are cut off.
        const isOfTag = start < 0 || (source[start - 1] === "<" && /[a-z]/i.test(source[start] ?? ""));
        if (!isEnding || !isOfTag) events.push(["text", source.slice(start, end)]);
      },
      oncdata: (start, end, offset) => events.push(["text", source.slice(start, end - offset)]),
      // The start is that of the content.
      oncomment: (start, end) =>
        events.push(["comment", source.lastIndexOf("<", start - 1), Math.min(end + 1, source.length)]),
      onattribentity() {},
      ondeclaration() {},
      onend() {},
      onprocessinginstruction() {},
      ontextentity() {},
    },
  );
  tokenizer.write(source);
  isEnding = true;
  tokenizer.end();
  return events;
}

const PIECES = [
  ..."<>/!?-=[]\"' \n\taBéİ☃",
  ...[
    "</",
    "/>",
    "<!--",
    "-->",
    "--!>",
    "--",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!doctype html>",
    "<!DOC",
    "x=1",
    "class=",
  ],
  ...[
    "<p>",
    "</p>",
    "<div ",
    "<a href=",
    "<br/>",
    "<s",
    "<script>",
    "<SCRIPT src=a>",
    "</script",
    "</Script >",
    "<style>",
  ],
  ...["</style>", "<title>", "</title>", "<textarea>", "</textarea>", "<plaintext>", "<xmp>", "</xmp>", "<iframe/>"],
  ...["</iframe>", "<noembed>", "</noembed>", "<noframes>", "</noframes>"],
];

describe.each([false, true])("with XML %p", (xml) => {
  test("any markup gives the events of htmlparser2", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }), (pieces) => {
        const source = pieces.join("");
        expect(eventsOf(source, xml)).toEqual(expectedEvents(source, xml));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    "<",
    "</",
    "<a ",
    "<!",
    "<!--",
    "--!>",
    "<![CDATA[",
    "<?",
    'a="',
    "<a b='c' ",
    "<script>",
    "</script ",
    "<p>x</p>",
  ])("reads %j in linear time", (piece) => {
    for (const start of ["", "<", "<!--", "<a b=", '<a b="', "<script>", "<title>", "<![CDATA[", "<?"]) {
      const source = start + piece.repeat(100_000);
      const before = processorMs();
      readMarkup(source, { open() {}, text() {}, rawText() {}, comment() {} }, xml);
      expect(processorMs() - before).toBeLessThan(1_000);
    }
  });
});

test.each(["a<b", "a<b c", "a<b c='d", "a<b /", "a</b", "a<scr", "a<script"])(
  "the tag that is cut off in %j is no text",
  (source) => {
    expect(eventsOf(source, false)).toEqual([["text", "a"]]);
  },
);

test.each([
  "<!-- x -->",
  "<!-->",
  "<!foo>",
  "<?php x ?>",
  "</ x>",
  "<!-- cut off",
  "<!cut off",
  "<?cut off",
  "<![CDATA[cut off",
])("the offsets of the comment %j are those of its first and last character", (comment) => {
  expect(eventsOf(comment, false)).toEqual([["comment", 0, comment.length]]);
  expect(eventsOf(`ab${comment}`, false)).toEqual([
    ["text", "ab"],
    ["comment", 2, 2 + comment.length],
  ]);
});
