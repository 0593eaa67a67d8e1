/** Pages of invented vendors, built as site builders build them. */

export const SECTIONS_WITHOUT_MAIN = `<!DOCTYPE html><html lang="en"><head><title>How Pinecrest cut dispatch time | Routely</title>
<meta property="og:title" content="How Pinecrest cut dispatch time"><meta property="og:site_name" content="Routely"></head><body>
<div class="navbar"><a href="/"><img src="/logo.svg" alt="Routely"></a><div class="nav-menu"><a href="/product">Product</a><a href="/customers">Customers</a></div></div>
<section class="hero"><div><a href="/customers" class="back">All customers</a><img src="/pinecrest.svg" alt="Pinecrest logo"><h1>How Pinecrest cut dispatch time</h1><p>A haulier with 340 trucks replaced its whiteboards with one live plan.</p></div></section>
<section class="stats"><div class="grid"><div class="item"><div class="number">60%</div><div class="label">faster dispatch</div></div>
<div class="item"><div class="number">3.2x</div><div class="label">more deliveries per planner</div></div><div class="item"><div class="number">€1.4M</div><div class="label">saved in the first year</div></div></div></section>
<section><div class="grid"><div class="sidebar"><div><div class="text-label">Industry</div><div>Transport &amp; Logistics</div></div><div><div class="text-label">Products used</div><div>Live Plan</div><div>Driver App</div></div></div>
<div class="rich-text"><h2>The challenge</h2><p>Pinecrest moves chilled food for 120 supermarkets. Every morning four planners spent three hours on the phone before the first truck left the yard.</p>
<h2>The results</h2><p>Dispatch now takes 70 minutes instead of three hours. The share of empty kilometres went from 18% to 11%.</p></div></div></section>
<section class="testimonial"><div class="text">“It gave us a calm that we had not had in years. I would not go back.”</div><div><img src="/mira.jpg" alt="Mira Holt"><p>Mira Holt</p><p>Head of Dispatch, Pinecrest</p></div></section>
<section class="cta"><h2>Ready to see your own routes?</h2><p>Book 30 minutes with one of our planners.</p><a href="/demo" class="button">Book a demo</a></section>
<section><h2>More customer stories</h2><div><a href="/customers/alder"><h3>Alder saves 40% on last-mile costs</h3><p>Jan 9, 2026</p></a></div></section>
<div class="footer"><a href="/a">Live Plan</a><div>© 2026 Routely GmbH. All rights reserved.</div></div>
<div class="consent"><div>By clicking “Accept”, you agree to the storing of cookies. Cookies help us.</div><a>Accept</a></div></body></html>`;

export const SECTIONS_WITHOUT_MAIN_TEXT = `A haulier with 340 trucks replaced its whiteboards with one live plan.

60% faster dispatch

3.2x more deliveries per planner

€1.4M saved in the first year

## The challenge

Pinecrest moves chilled food for 120 supermarkets. Every morning four planners spent three hours on the phone before the first truck left the yard.

## The results

Dispatch now takes 70 minutes instead of three hours. The share of empty kilometres went from 18% to 11%.

> “It gave us a calm that we had not had in years. I would not go back.”
>
> — Mira Holt, Head of Dispatch, Pinecrest`;

export const GERMAN_BLOG_THEME = `<!DOCTYPE html><html lang="de-DE"><head><title>Bergmann Optik - Kassenwerk</title></head><body class="single has-sidebar">
<header><ul class="nav-menu"><li><a href="/">Start</a></li><li><a href="/produkt">Produkt</a></li></ul></header>
<div class="single-post"><div><h1>Bergmann Optik verkürzt den Kassenabschluss</h1><ul class="post-info"><li itemprop="datePublished"><a href="/2024/03/05/"><span><time>5. März 2024</time></span></a></li><li><span>Keine Kommentare</span></li></ul></div>
<div><div class="text"><p>Der Augenoptiker betreibt 38 Filialen in Hessen. Jeden Abend blieb das Personal länger, weil der Abschluss von Hand gemacht wurde.</p></div>
<div class="counter"><div class="title">weniger Fehler</div><div class="number-wrapper"><span class="prefix"></span><span>72</span><span class="suffix">%</span></div></div></div>
<div><h2>Ergebnis</h2><p>Heute schließt jede Filiale in zehn Minuten ab. Die Buchhaltung bekommt die Zahlen am selben Abend.</p>
<blockquote><p>Wir haben unsere Abende zurück.</p><div class="q-footer"><cite>Jonas Bergmann, Geschäftsführer</cite></div></blockquote></div>
<table><tbody><tr><td><strong>Branche</strong></td><td>Augenoptik</td></tr><tr><td>Standort</td><td>Kassel</td></tr></tbody></table>
<div><h3>Weitere Erfolgsgeschichten</h3><article><h3><a href="/x">Bäckerei Lenz spart 30 %</a></h3><span>12. Januar 2026</span><a href="/x">Weiterlesen »</a></article></div></div>
<div class="footer-area"><p>Copyright © 2024 Kassenwerk</p><p><a href="/impressum">Impressum</a></p></div></body></html>`;

export const GERMAN_BLOG_THEME_TEXT = `Der Augenoptiker betreibt 38 Filialen in Hessen. Jeden Abend blieb das Personal länger, weil der Abschluss von Hand gemacht wurde.

weniger Fehler: 72%

## Ergebnis

Heute schließt jede Filiale in zehn Minuten ab. Die Buchhaltung bekommt die Zahlen am selben Abend.

> Wir haben unsere Abende zurück.
>
> — Jonas Bergmann, Geschäftsführer`;

export const UTILITY_CLASSES = `<!doctype html><html><head><title>Acorn Bank | Ledgerly</title></head><body><div id="root"><header><nav><a href="/">Ledgerly</a></nav></header>
<main><section><p class="text-xs">Case study</p><h1>Acorn Bank closes its books in one day</h1></section>
<section><dl class="grid"><div class="flex"><dt>shorter close</dt><dd>87%</dd></div><div><dt>1,200+</dt><dd>hours saved each month</dd></div></dl></section>
<section class="prose"><p>Acorn Bank is a building society with 2 million members, and it had closed its books by hand since 1974.</p>
<p><strong>The turning point.</strong> An error in a spreadsheet hid for <strong>two</strong> quarters.</p><ol><li>Collect</li><li>Match<ul><li>by hand</li></ul></li></ol><pre><code>SELECT *
  FROM books</code></pre>
<table><thead><tr><th>Step</th><th>Before</th><th>After</th></tr></thead><tbody><tr><td>Close</td><td>9 days</td><td>1 day</td></tr></tbody></table></section>
<section><figure><blockquote><p>It is the first time that I have had a holiday in January.</p></blockquote><figcaption><span class="name">Ruth Osei</span><span class="role">CFO, Acorn Bank</span></figcaption></figure></section>
<section class="dark"><h2>Close faster</h2><p>Join 400 finance teams.</p><a href="/signup">Get started</a></section></main></div></body></html>`;

export const UTILITY_CLASSES_TEXT = `shorter close: 87%

1,200+ hours saved each month

Acorn Bank is a building society with 2 million members, and it had closed its books by hand since 1974.

**The turning point.** An error in a spreadsheet hid for two quarters.

1. Collect
2. Match
  - by hand

\`\`\`
SELECT *
  FROM books
\`\`\`

| Step | Before | After |
| --- | --- | --- |
| Close | 9 days | 1 day |

> It is the first time that I have had a holiday in January.
>
> — Ruth Osei, CFO, Acorn Bank`;

export const CHINESE = `<!doctype html><html lang="en"><head><title>海港物流缩短结算时间 - 云枢科技</title></head><body><div class="header"><ul><li><a href="/">首页</a></li><li><a href="/cases">客户案例</a></li></ul></div>
<div class="case-detail"><h1>海港物流缩短结算时间</h1><div class="info">发布时间：2024年3月5日 作者：小编</div><div class="content"><p>海港物流成立于1998年，在全国拥有42个仓库，每天处理超过三十万件包裹。</p><p>使用云枢之后，结算周期从12天缩短到3天。</p></div>
<div><h3>相关案例</h3><a href="/c/1">北山乳业 2025-11-01</a></div></div><div class="footer">版权所有 © 2026 云枢科技</div></body></html>`;
