import type { Page, PageFields, Pages } from "../company.ts";

/** Harbourline's icon: a PNG of 48 pixels. */
const ICON = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAYAAABXAvmHAAABYUlEQVR42mNgwAFk9GLigXg9EN8H4v8DhO9D3RDPQCwAKvYfYEfj84w/IcfPH4QOR8fzh7LjsXsCmmz+DzHsj+yB+0PQA/eRS5v/QxTHM0CLqaHqgfVDNfkgktEQdjwYk+UBbGAgzBj1wKgHRj0w6oFh5IHeaWtJwoPOA9QAox4Y0R4Y8nlgtBgd9cCoB0Y9MOqBkdMnHvXAYPVASFLL/8Kamf8tPAroppcqHnALrfp/5foDjLYRrfVSxQMgB3z4+AVrqbJyw0Ga6SXJA8dOXfuvZZ2GIQ6KclwOgAFK9FLNAyDw6Mmr/0n5fWA+KJ3OXrwdxTIQH5Z+QepA6mGAXL1U9QAuAApFUGii6wGFOij0KdFLNQ+A0iMuB4DSMa30EusBoobX0XtRoJKDWAdQopeY4XWiJzhA6RQU5aAym1TLKNFLaIJjaE8xDflJvmExzTrkJ7qHxVKDYbHYYygutwEAQkhnLGGGaYgAAAAASUVORK5CYII=",
  "base64",
);

/** Harbourline's site: Next.js on Vercel, the same files at the apex and at www, whose home page is the real one. */
export function harbourlinePages(domain: string): Pages {
  const www = `https://www.${domain}`;
  const files: Pages = {
    "/robots.txt": plain(`User-agent: *\nDisallow: /api/\nSitemap: ${www}/sitemap.xml\n`),
    "/sitemap.xml": {
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${www}/</loc></url><url><loc>${www}/careers</loc></url><url><loc>${www}/legal/subprocessors</loc></url></urlset>`,
      headers: { "content-type": "application/xml" },
    },
    "/ads.txt": plain("google.com, pub-4471902883610275, DIRECT, f08c47fec0942fa0\n"),
    "/.well-known/security.txt": plain(
      `Contact: https://hackerone.com/harbourline\nContact: mailto:security@${domain}\nExpires: 2027-06-30T00:00:00Z\nCanonical: ${www}/.well-known/security.txt\n`,
    ),
    "/.well-known/apple-app-site-association": {
      json: { applinks: { apps: [], details: [{ appID: "K7M2X9QD4V.test.harbourline.app", paths: ["/berths/*"] }] } },
    },
    "/site.webmanifest": {
      json: { name: "Harbourline", short_name: "Harbourline", start_url: "/", display: "standalone" },
      headers: { "content-type": "application/manifest+json" },
    },
    "/favicon.ico": { body: ICON, headers: { "content-type": "image/png" } },
    "/_next/static/chunks/main-app-4f9c21d07be3.js": {
      body: bundle,
      headers: { "content-type": "application/javascript" },
    },
    "/careers": site(
      `<h1>Work with us</h1><p>Two open places.</p><a href="https://boards.greenhouse.io/harbourline">Open positions</a>`,
    ),
    "/privacy": site(
      `<h1>Privacy</h1><p>We measure visits with Google Analytics and Hotjar, and keep your choices with OneTrust. Cookies: _ga, _hjSessionUser, hubspotutk, ajs_anonymous_id.</p>`,
    ),
    "/security": site(
      `<h1>Security</h1><p>Staff sign in through Okta; reports go through HackerOne; audits run in Vanta.</p>`,
    ),
    "/legal/subprocessors": site(subprocessors),
  };
  const twice = Object.entries(files).flatMap(([path, page]): [string, Page][] => [
    [path, page],
    [`www${path}`, page],
  ]);
  return {
    ...Object.fromEntries(twice),
    "/": {
      redirect: `${www}/`,
      status: 308,
      headers: { server: "Vercel", "x-vercel-id": "lhr1::q7k2m-1761990000000-9f2c" },
    },
    "www/": home(domain),
    "mta-sts/.well-known/mta-sts.txt": plain(
      "version: STSv1\nmode: enforce\nmx: aspmx.l.google.com\nmx: *.aspmx.l.google.com\nmax_age: 604800\n",
    ),
    "status/": `<title>Harbourline status</title><meta name="generator" content="Atlassian Statuspage">`,
    "help/": `<title>Harbourline help</title><script src="https://static.zdassets.com/hc/assets/en-gb.js"></script>`,
    "blog/": `<title>Harbourline blog</title><meta name="generator" content="Ghost 5.87">`,
    "docs/": `<title>Harbourline docs</title><meta name="generator" content="GitBook (2f81c)">`,
    "api/": { json: { error: "Sign in first." }, status: 401, headers: { server: "awselb/2.0" } },
    "app/": product,
  };
}

/** The product itself carries other tools than the site that sells it. */
const product: PageFields = {
  body: `<!doctype html><html lang="en"><head><title>Harbourline: sign in</title>
<script src="https://cdn.pendo.io/agent/static/0190c4e7-2f81-4d9a-704e-635c7f0182d4/pendo.js" async></script>
<script src="https://js.chargebee.com/v2/chargebee.js" data-cb-site="harbourline-test"></script>
<script id="ze-snippet" src="https://static.zdassets.com/ekr/snippet.js?key=0190c4e7-2f81-4d9a-704e-635c7f0182d5"></script>
<script src="https://browser.sentry-cdn.com/8.47.0/bundle.min.js" crossorigin="anonymous"></script>
</head><body><p>Harbourline is an invented company.</p></body></html>`,
  headers: {
    server: "cloudflare",
    "cf-ray": "8f2c81d9ab04e635-LHR",
    "set-cookie": "__cf_bm=invented; Path=/; HttpOnly",
  },
};

const plain = (body: string): PageFields => ({ body, headers: { "content-type": "text/plain; charset=utf-8" } });

const site = (body: string): PageFields => ({
  body: `<!doctype html><html lang="en"><head><title>Harbourline</title></head><body>${body}<p>Harbourline is an invented company.</p></body></html>`,
  headers: { server: "Vercel" },
});

const subprocessors = `<h1>Sub-processors</h1><table>
<tr><th>Name</th><th>Purpose</th><th>Place</th></tr>
<tr><td>Amazon Web Services</td><td>Hosting</td><td>Ireland</td></tr>
<tr><td>Snowflake</td><td>Data warehouse</td><td>Germany</td></tr>
<tr><td>Twilio SendGrid</td><td>Transactional e-mail</td><td>United States</td></tr>
<tr><td>Zendesk</td><td>Customer support</td><td>Ireland</td></tr>
<tr><td>Intercom</td><td>In-app messages</td><td>Ireland</td></tr>
<tr><td>Stripe</td><td>Payments</td><td>Ireland</td></tr>
<tr><td>Chargebee</td><td>Subscription billing</td><td>Germany</td></tr>
<tr><td>Datadog</td><td>Monitoring</td><td>Germany</td></tr>
<tr><td>OpenAI</td><td>Answers in the assistant</td><td>United States</td></tr>
</table>`;

const bundle = `"use strict";(self.webpackChunk_N_E=self.webpackChunk_N_E||[]).push([[4521],{7731:(e,t,n)=>{
Sentry.init({dsn:"https://0a1b2c3d4e5f60718293a4b5c6d7e8f9@o482913.ingest.de.sentry.io/4507118820491264",tracesSampleRate:.1});
let r=LDClient.initialize("64f1c09b7d2e5a0012c4d8e7",{kind:"user",anonymous:!0},{streamUrl:"https://clientstream.launchdarkly.com"});
DD_RUM.init({clientToken:"pub71c0fe84d2a93b67e50c148f9d72ab03",site:"datadoghq.eu",service:"www"});
fetch("https://K7M2X9QD4V-dsn.algolia.net/1/indexes/berths/query");
window.Stripe&&window.Stripe("pk_live_51InventedHarbourlineKey");
}}]);`;

const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' https://www.googletagmanager.com https://js.hs-scripts.com https://cdn.segment.com https://static.hotjar.com https://widget.intercom.io https://js.stripe.com https://cdn.cookielaw.org https://snap.licdn.com",
  "connect-src 'self' https://api.segment.io https://*.launchdarkly.com https://browser-intake-datadoghq.eu https://*.ingest.de.sentry.io https://api.amplitude.com wss://*.intercom.io",
  "img-src 'self' data: https://images.ctfassets.net https://px.ads.linkedin.com",
  "frame-src https://js.stripe.com https://calendly.com https://fast.wistia.net",
  "report-uri https://o482913.ingest.de.sentry.io/api/4507118820491264/security/?sentry_key=0a1b2c3d4e5f60718293a4b5c6d7e8f9",
].join("; ");

const home = (domain: string): PageFields => ({
  headers: {
    server: "Vercel",
    "x-vercel-id": "lhr1::iad1::7k2mq-1761990000000-4d81c0",
    "x-vercel-cache": "HIT",
    "x-nextjs-prerender": "1",
    "x-powered-by": "Next.js",
    "strict-transport-security": "max-age=63072000",
    "content-security-policy": policy,
    "set-cookie": ["__hstc=invented; Path=/; Secure", "ajs_anonymous_id=invented; Path=/", "ld_variant=a; Path=/"],
  },
  body: `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><title>Harbourline: berths, booked</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="Berth booking for marinas, by an invented company.">
<meta name="google-site-verification" content="Qm7tXk2Vd9LwS4bRz8NcY1hJpE6uGf3aTo5iKe0WqBs">
<link rel="preconnect" href="https://cdn.segment.com"><link rel="dns-prefetch" href="https://fonts.gstatic.com">
<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter:wght@400;600&amp;display=swap">
<link rel="stylesheet" href="/_next/static/css/7d41c0fe84a29b36.css"><link rel="manifest" href="/site.webmanifest"><link rel="icon" href="/favicon.ico">
<script src="https://cdn.cookielaw.org/scripttemplates/otSDKStub.js" data-domain-script="0190c4e7-2f81-7d9a-b04e-635c7f0182d4"></script>
<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-K7H2RB9');</script>
<script async src="https://www.googletagmanager.com/gtag/js?id=G-7QK2M4V9XD"></script>
<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','G-7QK2M4V9XD');</script>
<script>!function(){var analytics=window.analytics=window.analytics||[];analytics.load=function(k){var t=document.createElement("script");t.async=!0;t.src="https://cdn.segment.com/analytics.js/v1/"+k+"/analytics.min.js";document.head.appendChild(t)};analytics.load("Zk7Vd2LwS9bRz4NcQm7tXk2Vd9LwS4bR");analytics.page()}();</script>
<script>(function(h,o,t,j,a,r){h.hj=h.hj||function(){(h.hj.q=h.hj.q||[]).push(arguments)};h._hjSettings={hjid:3914277,hjsv:6};a=o.getElementsByTagName('head')[0];r=o.createElement('script');r.async=1;r.src=t+h._hjSettings.hjid+j+h._hjSettings.hjsv;a.appendChild(r)})(window,document,'https://static.hotjar.com/c/hotjar-','.js?sv=');</script>
<script>window.intercomSettings={api_base:"https://api-iam.eu.intercom.io",app_id:"k3v9x2qd"};(function(){var w=window;var ic=w.Intercom;var s=document.createElement('script');s.src='https://widget.intercom.io/widget/k3v9x2qd';document.head.appendChild(s)})();</script>
<script src="https://js.stripe.com/v3/" async></script>
<script src="https://cdn.amplitude.com/libs/analytics-browser-2.11.1-min.js.gz" async></script>
<script src="https://www.datadoghq-browser-agent.com/eu1/v5/datadog-rum.js" async></script>
<script src="https://js.qualified.com/qualified.js?token=Zk7Vd2LwS9bRz4Nc" async></script>
<script src="https://widget.quaywatch.example/v2/tides.js" async></script>
<script src="/_next/static/chunks/main-app-4f9c21d07be3.js" async></script>
</head><body><div id="__next">
<h1>Berths, booked.</h1>
<p>Harbourline is an invented company. It exists only in the examples and tests of Casefile, and sells nothing.</p>
<img src="https://images.ctfassets.net/k7m2x9qd4v1t/4f9a27c1/quay.jpg" alt="A quay">
<iframe src="https://fast.wistia.net/embed/iframe/k7m2x9qd4v" title="Tour"></iframe>
<form action="https://forms.hsforms.com/submissions/v3/public/submit/formsnext/multipart/24281044/0190c4e7"><input name="email"></form>
<a href="https://calendly.com/harbourline/demo">Book a demonstration</a>
<a href="https://github.com/harbourline">GitHub</a> <a href="https://www.linkedin.com/company/harbourline">LinkedIn</a>
<a href="https://status.${domain}/">Status</a> <a href="https://help.${domain}/">Help</a>
<a href="/careers">Careers</a> <a href="/privacy">Privacy</a> <a href="/security">Security</a> <a href="/legal/subprocessors">Sub-processors</a>
</div>
<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/","query":{},"buildId":"k7M2xQ9dV4tR1nB8yHpSe"}</script>
<script type="text/javascript" id="hs-script-loader" async defer src="//js.hs-scripts.com/24281044.js"></script>
</body></html>`,
});
