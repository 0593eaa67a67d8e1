/** Names, roles and phrases by which the surroundings of a story are known. */
export const NEVER_TEXT = new Set("button datalist dialog form input meter nav progress select".split(" "));
export const ROLES =
  /^(alert|alertdialog|banner|contentinfo|dialog|menu|menubar|navigation|search|searchbox|status|tablist|toolbar|tooltip|button)$/;
export const NAMES = new Set(
  (
    "ad ads advert advertisement banner-cookie breadcrumb breadcrumbs comments consent cookie cookies dialog disqus feedback footer gdpr " +
    "hamburger hubspot-form masthead megamenu menu modal nav navbar navigation newsletter offcanvas onetrust pager pagination paginator popup " +
    "promo related recommendation recommendations recommended share sharing sharedaddy signup sitemap skip skiplink social socials subscribe subscription " +
    "toc tooltip topbar announcement cc didomi cookiebot usercentrics"
  ).split(" "),
);
export const HIDDEN_NAMES =
  /(?:^|\s)(sr-only|visually-hidden|visuallyhidden|screen-reader-text|hidden|is-hidden|d-none)(?:\s|$)/;
/** What stands beside one of these says how a page is laid out: `has-sidebar`, `no-nav`. */
export const ABOUT_LAYOUT =
  /\b(has|no|with|without|is|not|main|page|content)-(nav|menu|toc|footer|cookie|sidebar|header|banner|social)/;

export const RELATED =
  /^(related|similar|more (?:customer|case|success|stories|from|like|articles|posts|resources|to explore|great)|other (?:customer|case|success|stories|articles|posts|projects)|you (?:may|might) (?:also|be)|read (?:next|more)|up next|keep (?:reading|exploring)|explore (?:more|other|related)|recommended|discover more|see (?:more|other|all)|continue reading|latest (?:news|posts|articles|stories|from)|recent (?:posts|news|articles|stories)|what to read|suggested (?:reading|posts|articles|for you)|leave a (?:reply|comment)|join the discussion|\d+ (?:comments|replies|responses)$|further reading|next (?:story|article|post|case)|share (?:this|on)|tags?:?$|follow us|weitere |mehr (?:erfolg|geschichten|kunden|zum|über|fall)|ähnliche|verwandte|das könnte|auch interessant|autres |à lire|sur le même|articles (?:liés|similaires|connexes)|plus d|también te|otros |otras |más (?:casos|historias|artículos)|relacionad|altri |altre |outras |outros |gerelateerd|meer (?:klant|cases|verhalen)|相关|更多|推荐|相關|関連|その他の|おすすめ|관련)/i;
export const CALL =
  /^(ready to\b|get started|start (?:your|for|a|building|today|now|free)|try (?:it|us|for|\w{1,20} (?:for )?(?:free|today|now))|talk to|speak (?:to|with)|contact (?:us|sales|our)|book (?:a|your)|request (?:a|your)|schedule (?:a|your)|see \w{1,30} in action|want to (?:learn|know|see|find)|interested in|learn more|join (?:us|our|the|thousands|over)|subscribe|sign up|stay (?:up|in|informed|tuned)|get (?:the|our|a|in touch|your|updates|free)|download (?:the|this|our|now)|let'?s (?:talk|get|build)|have (?:a|any) questions?|was this (?:page|helpful)|feedback|bereit|jetzt |kontakt|sprechen sie|haben sie fragen|mehr erfahren|newsletter|contactez|prêt|demandez|contacta|solicita|¿(?:listo|quieres|necesitas))/i;
export const CONSENT =
  /accept|consent|agree|preferences|privacy|allow|zustimm|akzeptier|einwillig|datenschutz|accepte|autoris|acept|同意|接受/i;
/** What readers wrote below a story; it may be longer than the story. */
export const COMMENTS = /(?:^|[\s_-])(?:comments|comment-?(?:list|area|section|thread)|respond|disqus)(?:$|[\s_-])/i;
export const CALLING =
  /^(?:get (?:started|a demo|in touch)|start (?:now|free|for free|your free trial|a free trial|building|today)|try (?:it |for )?(?:free|now)|(?:book|request|schedule|watch|see|get) (?:a |the |your )?(?:\w{1,12} )?(?:demo|call|meeting|trial)|sign up(?: (?:free|now|for free))?|contact (?:us|sales)|talk to (?:us|sales|an expert)|subscribe|download (?:now|pdf|the pdf|case study)|demo (?:buchen|anfordern)|jetzt (?:testen|starten|anfragen)|kontakt(?:ieren sie uns)?|kostenlos testen|demander une démo|essai gratuit|solicitar (?:una )?demo|立即(?:体验|试用|咨询)|免费试用)\b/i;
