/** An invented set in the format that such sets have. */
export const MINI_SET = {
  "technologies/g.json": {
    Gauge: {
      cats: [10],
      description: "Counts things.",
      icon: "Gauge.svg",
      website: "https://gauge.test",
      scriptSrc: ["cdn\\.gauge\\.test/loader", "gauge[.-]([\\d.]*\\d)(?:\\.min)?\\.js\\;version:\\1"],
      headers: { "X-Gauge": "", Server: "^Gauge/([\\d.]+)\\;version:\\1", "X-Powered-By": "Gauge (?!Lite)" },
      cookies: { gauge_id: "", gauge_mode: "^dark$" },
      meta: { generator: ["^Gauge ([\\d.]+)\\;version:\\1"] },
      js: { "gauge.version": "^(.+)$\\;version:\\1", gg: "", GaugeQueue: "\\;confidence:50" },
      dns: { MX: ["mx\\.gauge\\.test"], TXT: ["gauge-verification="], PTR: ["gauge"] },
      html: ['<div class="gauge-root"', "^<!-- gauge", "<[^>]+"],
      url: "\\.gauge\\.test",
      implies: ["Meter", "Dial\\;confidence:40", "Nobody"],
      excludes: "Dial",
    },
  },
  "technologies/m.json": {
    Meter: { cats: [10, 11], website: "https://meter.test", scriptSrc: "/meter-core\\.js", requires: "Gauge" },
    Dial: {
      cats: [11],
      website: "https://dial.test",
      dom: ["script[src*='dial.test/v1']", "a[href^='https://dial.test/site']", "div.dial > span", "#dial"],
    },
    Widget: { cats: [10], website: "https://widget.test", headers: { "x-widget-edition": "" }, implies: "Meter" },
    Ghost: { cats: [10], website: "https://ghost.test", css: ".ghost", text: "ghost" },
    Nowhere: { cats: [99], scriptSrc: "nowhere\\.test/x" },
    Evil: { cats: [12], website: "https://evil.test", scriptSrc: ["(a+)+$", "evil(?:x+x+)+y", "e(.{0,900}){99}"] },
  },
  "categories.json": {
    10: { name: "Analytics", priority: 9 },
    11: { name: "Dials & Knobs", priority: 5 },
    12: { name: "Shady marketing" },
  },
} as const;
