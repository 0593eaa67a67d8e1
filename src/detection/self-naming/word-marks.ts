import { codesOf, isSpace } from "../character-codes.ts";
import { type Excerpt, excerptOf } from "../excerpt.ts";
import type { SignalKind } from "../signals.ts";

/** A word of a page's state, styles or mark-up that only one tool writes, although it need not contain the tool's name. */
export interface WordMark {
  readonly name: string;
  /** Of a tool that the catalogue does not have. */
  readonly category: string;
  readonly strength: "strong" | "weak";
  readonly excerpt: Excerpt;
}

/**
 * Category, name, and words: `dehydratedState` is a name in scripts and in JSON, `--mantine-*` a custom property of a style,
 * `<ion-app` an element and `x-show=` an attribute. One that ends with `*` is the beginning of such words, up to a hyphen, a
 * colon or an underscore. Sources: what each tool documents or prints. Those after `?` are hints.
 */
const MARKS = `
wordpress-plugin|tagDiv Cloud Library|tdb_globals
javascript-library|React|$RC $RS ?__REACT_DEVTOOLS_GLOBAL_HOOK__
javascript-library|Preact|__PREACT_CLI_DATA__
web-framework|Next.js|<next-route-announcer __NEXT_P __SSG_MANIFEST __MIDDLEWARE_MATCHERS __NEXT_PRELOADREADY
javascript-library|i18next|initialI18nStore
javascript-library|next-translate|__namespaces
javascript-library|superjson|_superjson _superjsonProps
javascript-library|tRPC|trpcState
javascript-library|Nuxt Color Mode|__NUXT_COLOR_MODE__
web-framework|Gatsby|___webpackCompilationHash
web-framework|React Router|__staticRouterHydrationData
web-framework|Astro|<astro-slot <astro-static-slot --astro-code-*
documentation|Starlight|<starlight-* StarlightThemeProvider
javascript-library|Sapper|__SAPPER__
web-framework|Angular|ng-reflect-*= ng-app-id= ngh=
javascript-library|AngularJS|ng-repeat= ng-click= ng-show= ng-hide= ng-model= ng-bind= ng-bind-html= ng-include= ng-class= ng-href= ng-src= ng-if= ng-init= ng-submit= ng-change= ng-repeat-start= ng-view= ui-sref=
javascript-library|Angular Material|<mat-* --mat-sys-* --mat-app-* --mat-option-* --mat-table-* --mat-toolbar-*
javascript-library|AngularJS Material|<md-content <md-toolbar <md-sidenav
javascript-library|NgRx|NGRX_STATE
javascript-library|ng-bootstrap|<ngb-*
javascript-library|PrimeNG|<p-confirmdialog <p-dropdown <p-sidebar <p-galleria <p-menubar <p-megamenu <p-calendar <p-dialog <p-overlaypanel <p-progressspinner
javascript-library|Clarity Design System|<clr-*
javascript-library|NG-ZORRO|<nz-layout <nz-content <nz-carousel <nz-spin <nz-table <nz-form-item <nz-select
javascript-library|Taiga UI|<tui-root
javascript-library|Nebular|<nb-layout <nb-sidebar
web-framework|Ionic Framework|<ion-header <ion-content <ion-toolbar <ion-router-outlet <ion-tabs <ion-card <ion-footer --ion-*
javascript-library|Vue.js|v-if= v-for= v-bind:*= v-on:*= v-model= v-show= v-html= v-else= v-else-if= v-slot:*=
javascript-library|Vue Router|<router-link
javascript-library|Vuex|__VUEX_STATE__
documentation|VitePress|__VP_HASH_MAP__ __VP_SITE_DATA__ --vp-*
documentation|Docusaurus|--docusaurus-* --ifm-*
javascript-library|DocSearch|--docsearch-*
documentation|Nextra|--nextra-*
web-framework|Inertia.js|inertia=
web-framework|Livewire|livewireScriptConfig
web-framework|Qwik|q:key= q:id= q:head= q:obj=
javascript-library|Lit|litElementVersions litHtmlVersions reactiveElementVersions
web-framework|Marko|$MC
web-framework|Aurelia|au-target-id=
javascript-library|Alpine.js|x-show= x-on:*= x-transition= x-transition:*= x-bind:*= x-init= x-intersect= x-collapse= x-teleport= x-modelable= x-text=
javascript-library|petite-vue|v-scope=
ats|Polymer|<dom-module --iron-* --paper-*
javascript-library|Unpoly|up-follow= up-target= up-layer= up-submit= up-instant= up-preload= up-validate= up-main=
javascript-library|Hotwire Turbo|<turbo-cable-stream-source <turbo-stream
javascript-library|React Static|__routeInfo
web-framework|UmiJS|g_initialProps g_umi ?routerBase
javascript-library|ice.js|__ICE_APP_CONTEXT__ __ICE_PAGE_PROPS__ __ICE_APP_DATA__
javascript-library|Modern.js|?_SSR_DATA
javascript-library|Redux|__REDUX_STATE__ __INITIAL_REDUX_STATE__ __REDUX_STORE__ __redux_state__ __NEXT_REDUX_STORE__ REDUX_STATE initialReduxState reduxState initialReduxStore ?__PRELOADED_STATE__ __REDUX_DEVTOOLS_EXTENSION__
javascript-library|Redux Toolkit|refetchOnMountOrArgChange
api-platform|Apollo GraphQL|ApolloSSRDataTransport apolloState initialApolloState __APOLLO_STATE__ __APOLLO_CLIENT__ ROOT_QUERY
javascript-library|urql|urqlState __URQL_DATA__
javascript-library|MobX|__MOBX_STATE__ initialMobxState mobxStores mobxState
javascript-library|Zustand|initialZustandState zustandState
javascript-library|Recoil|recoilState initialRecoilState
javascript-library|Effector|__EFFECTOR_NEXTJS_INITIAL_STATE__
javascript-library|Fluxible|optimizePromiseCallback
javascript-library|Lingui|linguiCatalog
javascript-library|Stitches|--sxs
javascript-library|UnoCSS|--un-*
javascript-library|Panda CSS|--made-with-panda
web-framework|Tailwind CSS|--tw-*
web-framework|daisyUI|--btn-focus-scale --animation-btn --fallback-b1 --rounded-btn
javascript-library|Theme UI|--theme-ui-*
web-framework|Chakra UI|--chakra-*
web-framework|Mantine|--mantine-*
javascript-library|HeroUI|--nextui-* --heroui-*
javascript-library|Radix UI|--radix-*
javascript-library|cmdk|cmdk-root= cmdk-input= cmdk-list= cmdk-item=
javascript-library|Reach UI|--reach-*
web-framework|Ant Design|--ant-color-* --ant-font-* --ant-border-*
javascript-library|Ant Design Mobile|--adm-*
javascript-library|Spectrum Web Components|<sp-theme <sp-button
javascript-library|Material Web|<md-filled-button <md-outlined-button <md-text-button <md-outlined-text-field <md-filled-text-field <md-icon-button <md-ripple <md-elevation <md-focus-ring
javascript-library|Material Components Web|--mdc-theme-*
web-framework|Material UI|--mui-*
javascript-library|Joy UI|--joy-*
web-framework|Shoelace|<sl-dialog <sl-icon <sl-input <sl-drawer <sl-carousel <sl-details <sl-select <sl-tooltip <sl-dropdown <sl-card <sl-tab-group <sl-icon-button <sl-rating --sl-color-primary-600
web-framework|Shoelace|<wa-icon <wa-dialog <wa-card <wa-carousel <wa-dropdown <wa-input <wa-page --wa-color-*
web-framework|Fluent UI|<fluent-* --colorNeutralForeground1
web-framework|Vaadin|<vaadin-* --lumo-*
javascript-library|UI5 Web Components|<ui5-*
javascript-library|OpenComponents|<oc-component
javascript-library|React Suite|--rs-gray-50 --rs-primary-500
javascript-library|Semi Design|--semi-color-*
javascript-library|TDesign|--td-brand-color
web-framework|Vant|--van-*
web-framework|Element|--el-color-* --el-text-color-* --el-border-*
web-framework|Quasar|--q-primary --q-secondary --q-color-*
web-framework|Vuetify|--v-theme-* --v-primary-base
javascript-library|Taiga UI|--tui-*
web-framework|Telerik and Kendo UI|--kendo-*
javascript-library|AG Grid|--ag-*
web-framework|DevExpress|--dx-color-primary
web-framework|Bulma|--bulma-*
javascript-library|Pico CSS|--pico-*
javascript-library|MDBootstrap|--mdb-*
javascript-library|Tabler|--tblr-*
javascript-library|CoreUI|--cui-*
javascript-library|PatternFly|--pf-v5-* --pf-v6-* --pf-global--*
web-framework|GOV.UK Frontend|--govuk-*
web-framework|Bootstrap|--bs-* ?--breakpoint-xs
hosting|AWS Amplify|--amplify-*
web-framework|Carbon Design System|--cds-*
web-framework|Salesforce Lightning Design System|--slds-*
cms|Salesforce Experience Cloud|--dxp-*
javascript-library|Swiper|--swiper-* <swiper-container <swiper-slide
javascript-library|Plyr|--plyr-*
javascript-library|PhotoSwipe|--pswp-*
javascript-library|Fancybox|--fancybox-*
javascript-library|FullCalendar|--fc-border-color --fc-event-bg-color --fc-today-bg-color
javascript-library|CKEditor|--ck-*
javascript-library|International Telephone Input|--iti-*
consent-management|CookieConsent|--cc-btn-primary-bg
javascript-library|Shiki|--shiki-*
javascript-library|React-Toastify|--toastify-*
fonts|Font Awesome|--fa-style-family-classic --fa-font-solid --fa-font-brands --fa-font-regular --fa-style-family
javascript-library|JupyterLab|--jp-ui-font-color0 --jp-layout-color0
javascript-library|Apache ECharts|_echarts_instance_=
javascript-library|Media Chrome|<media-controller <media-control-bar <media-play-button
javascript-library|Vidstack|<media-outlet
video|Mux|<mux-video <mux-audio
javascript-library|Lite YouTube Embed|<lite-youtube
javascript-library|lite-vimeo-embed|<lite-vimeo
cdn|Imgix|ix-src= ix-path= ix-host=
cms|Builder.io|builder-id=
cms|WordPress|--wp--preset--* --wp--style--* --wp-admin-theme-color
cms|Elementor|--e-global-color-* --e-global-typography-*
cms|Kadence|--global-palette1
cms|Astra|--ast-global-color-0
cms|Blocksy|--theme-palette-color-1
cms|WoodMart|--wd-primary-color
cms|Avada|--awb-*
cms|Bricks|--bricks-*
cms|Neve|--nv-primary-accent
wordpress-theme|Soledad|--pcaccent-cl --pchead-font
events|The Events Calendar|--tec-color-*
cms|Stackable|--stk-block-*
cms|WP Rocket|--wpr-bg-*
cdn|Smush|--smush-placeholder-width
consent-management|Complianz|--cmplz_*
forms|Gravity Forms|--gf-color-primary --gf-ctrl-*
forms|WPForms|--wpforms-*
forms|Fluent Forms|--fluentform-primary
wordpress-plugin|Tasty Recipes|--tasty-recipes-*
wordpress-plugin|Create by Mediavine|--mv-create-*
wordpress-plugin|tagDiv Composer|--td_theme_color
cms|Newspack|--newspack-*
cms|Ghost|--ghost-accent-color
cms|Framer|--framer-*
cms|Wix|--wix-* --wst-*
cms|Squarespace|--sqs-site-gutter --sqs-site-max-width
e-commerce|Shopify|--shopify-accelerated-checkout-*
cms|Strapi|provider_metadata
cms|Prismic|first_publication_date slice_type linked_documents
feature-flags|LaunchDarkly|$flagsState ldClientSideId ldClientSideID launchDarklyClientSideID launchDarklyClientSideId LAUNCH_DARKLY_CLIENT_ID LAUNCH_DARKLY_CLIENT_SIDE_ID
feature-flags|Split|splitio splitIoKey splitIoApiKey splitioKey SPLIT_IO_API_KEY SPLIT_IO_KEY SPLITIO_KEY
feature-flags|Statsig|statsigInitialValues
error-tracking|Sentry|_sentryDebugIds _sentryModuleMetadata _sentryDebugIdIdentifier __sentryRewritesTunnelPath__ sentryOnLoad _sentryTraceData _sentryBaggage
monitoring|Elastic|elasticApm ELASTIC_APM_SERVER_URL
monitoring|Dynatrace|dT_ dtrum
error-tracking|Raygun|rg4js
error-tracking|Rollbar|_rollbarConfig ROLLBAR_ACCESS_TOKEN
session-replay|Fullstory|fullStoryOrgId fullstoryOrgId _fs_namespace
javascript-library|Noibu|NOIBUJS noibuSDKReady
monitoring|Azure Application Insights|APPINSIGHTS_INSTRUMENTATIONKEY appInsightsInstrumentationKey APPINSIGHTS_CONNECTION_STRING
monitoring|Coralogix|CoralogixRum
monitoring|Blue Triangle|_bttUtil
session-replay|Decibel|?_da_
developer-tools|Webpack|webpackManifest
javascript-library|qiankun|__POWERED_BY_QIANKUN__
personalisation|Rebuy|<rebuy-*
subscription-billing|Skio|<skio-*
subscription-billing|Ordergroove|<og-offer
payments|Catch|<catch-callout
e-commerce|SparkLayer|<spark-pdp
e-commerce|Kaching Bundles|<kaching-*
personalisation|LimeSpot|<limespot-*
payments|Klarna|KlarnaOnsiteService
e-commerce|Loop Returns|LoopOnstore
e-commerce|parcelLab|parcelLabTrackAndTrace
search|Boost AI Search & Filter|boostPFSThemeConfig boostPFSConfig boostPFSAppConfig
search|Searchspring|IntelliSuggest
search|Luigi's Box|LBInitAutocomplete
e-commerce|Fit Analytics|_fitAnalytics
payments|Zip|<quadpay-widget-v3 <quadpay-widget <zip-payment-widget
payments|Scalapay|<scalapay-widget
payments|Tamara|<tamara-widget tamaraWidgetConfig
payments|Katapult|_katapult_config
payments|Sezzle|sezzleConfig
payments|Stripe|<stripe-buy-button <stripe-pricing-table
scheduling|DesignMyNight Collins|dmn-booking-form=
scheduling|Resy|resyWidget
scheduling|SevenRooms|SevenroomsWidget
forms|Sleeknote|SleeknoteSiteData
marketing-automation|Recart|__recart
email-marketing|Sendlane|_Sendlane
marketing-automation|Iterable|?_iaq
marketing-automation|Ontraport|mrtracking
sales-intelligence|Snitcher|SnitchObject
attribution|WhatConverts|$wc_load
customer-support|Gladly|gladlyConfig
customer-support|Chatbase|chatbaseConfig
customer-support|Missive|MissiveChatConfig
customer-support|iAdvize|iAdvizeInterface
customer-support|Inbenta|InbentaChatbotSDK
ats|Paradox|oliviaChatBaseUrl oliviaChatData
events|Tito|<tito-widget <tito-button
events|pretix|<pretix-widget <pretix-button
payments|Donorbox|<dbox-widget
payments|Givebutter|<givebutter-*
crm|Outseta|?o_options
customer-data|Littledata|LittledataLayer LittledataScriptVersion
affiliate|FirstPromoter|$FPROM
affiliate|Rewardful|_rwq
affiliate|SaaSquatch|<squatch-embed <squatch-popup
forms|Heyflow|<heyflow-wrapper
e-commerce|PageFly|__pagefly_setting__
payments|Barion|barion_pixel_id
forms|OptiMonk|OptiMonkRegistry
e-commerce|Swym|SwymCallbacks swymLandingURL
javascript-library|Add to Calendar Button|<add-to-calendar-button
`;

interface Mark {
  readonly name: string;
  readonly category: string;
  readonly strength: WordMark["strength"];
}

/** Marks by the word; the key of a beginning ends with `*`. */
interface Marks {
  readonly byWord: ReadonlyMap<string, Mark>;
  /** One byte for each {@link wordBit} of a word or a beginning. */
  readonly bits: Uint8Array;
  /** One byte for each pair of characters with which one begins: most words are only skipped. */
  readonly starts: Uint8Array;
}
const pairOf = (first: number, second: number) => (first << 7) | second;
const PAIRS = 1 << 14;
const WORD_BITS = 14;
const wordBit = (hash: number) => hash >>> (32 - WORD_BITS);
/** Of a word, from the hash of the word without its last character, first 0. */
const wordHash = (hash: number, code: number) => Math.imul(hash ^ code, 0x9e3779b1);

type Place = "code" | "style" | "element" | "attribute";
let marks: Readonly<Record<Place, Marks>> | undefined;

const placeOf = (word: string): Place =>
  word.startsWith("--") ? "style" : word.startsWith("<") ? "element" : /=\*?$/.test(word) ? "attribute" : "code";

/** Every line of the table. */
export const wordRows = () =>
  MARKS.trim()
    .split("\n")
    .map((line) => {
      const [category = "", name = "", words = ""] = line.split("|");
      return { category, name, words: words.split(" ") };
    });

function readMarks(): Readonly<Record<Place, Marks>> {
  const none = () => ({
    byWord: new Map<string, Mark>(),
    bits: new Uint8Array(1 << WORD_BITS),
    starts: new Uint8Array(PAIRS),
  });
  const all = { code: none(), style: none(), element: none(), attribute: none() };
  for (const { category, name, words } of wordRows()) {
    let strength: Mark["strength"] = "strong";
    for (const written of words) {
      if (written.startsWith("?")) strength = "weak";
      const mark = written.replace("?", "");
      const { byWord, bits, starts } = all[placeOf(mark)];
      const word = mark.replace(/^<|=/g, "");
      starts[pairOf(word.charCodeAt(0), word.charCodeAt(1))] = 1;
      byWord.set(word, { name, category, strength });
      let hash = 0;
      for (const character of word.replace("*", "")) hash = wordHash(hash, character.charCodeAt(0));
      bits[wordBit(hash)] = 1;
    }
  }
  return all;
}

/** Letters, digits, `_` and `$`. */
const OF_NAME = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$]/.test(String.fromCharCode(code)) ? 1 : 0));
/** Of a custom property: letters, digits, `_` and `-`. */
const OF_PROPERTY = Uint8Array.from({ length: 128 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0));
/** Of an element or an attribute: also `:` and `.`. */
const OF_TERM = Uint8Array.from({ length: 128 }, (_, code) => (/[\w:.-]/.test(String.fromCharCode(code)) ? 1 : 0));
const HYPHEN = 45;
const COLON = 58;
const UNDERSCORE = 95;
const MAX_WORD = 80;

/** Kinds of signals that are searched. */
export const WORD_KINDS = [
  "html.inline",
  "html.data",
  "html.style",
  "html.custom",
] as const satisfies readonly SignalKind[];

/** Tools by the words of a text, each once. */
export function wordMarksIn(kind: SignalKind, text: string): readonly WordMark[] {
  marks ??= readMarks();
  const found = new Map<string, WordMark>();
  const codes = codesOf(text);
  const { length } = text;
  const add = (mark: Mark | undefined, from: number, to: number) => {
    if (mark === undefined) return;
    const before = found.get(mark.name);
    if (before === undefined || (before.strength === "weak" && mark.strength === "strong"))
      found.set(mark.name, { ...mark, excerpt: excerptOf(text, from - 20, to + 20) });
  };
  /** Reads the word that begins at an index; the index after it. */
  const read = ({ byWord, bits, starts }: Marks, start: number, isOfWord: Uint8Array, isCaseless: boolean): number => {
    let hash = 0;
    let at = start;
    const fold = (code: number) => (isCaseless && code >= 65 && code <= 90 ? code | 32 : code);
    const second = start + 1 < length ? codes[start + 1]! : 0;
    if (second >= 128 || starts[pairOf(fold(codes[start]!), fold(second))] === 0) {
      while (at < length && codes[at]! < 128 && isOfWord[codes[at]!] === 1) at += 1;
      return at;
    }
    const most = Math.min(length, start + MAX_WORD);
    for (; at < most; at++) {
      let code = codes[at]!;
      if (code >= 128 || isOfWord[code] === 0) break;
      if (isCaseless && code >= 65 && code <= 90) code |= 32;
      hash = wordHash(hash, code);
      if ((code === HYPHEN || code === UNDERSCORE || code === COLON) && bits[wordBit(hash)] === 1)
        add(byWord.get(`${wordAt(start, at + 1, isCaseless)}*`), start, at + 1);
    }
    if (at > start && bits[wordBit(hash)] === 1) add(byWord.get(wordAt(start, at, isCaseless)), start, at);
    while (at < length && codes[at]! < 128 && isOfWord[codes[at]!] === 1) at += 1;
    return at;
  };
  const wordAt = (from: number, to: number, isCaseless: boolean) =>
    isCaseless ? text.slice(from, to).toLowerCase() : text.slice(from, to);
  const properties = (style: Marks, from: number, to: number) => {
    for (let at = text.indexOf("--", from); at >= 0 && at < to; ) {
      const before = at === 0 ? 0 : codes[at - 1]!;
      const isBegun = before < 128 && OF_PROPERTY[before] === 0 && before !== EXCLAMATION;
      at = text.indexOf("--", isBegun ? read(style, at, OF_PROPERTY, false) : at + 2);
    }
  };

  if (kind === "html.style") properties(marks.style, 0, length);
  else if (kind === "html.custom") tags(marks);
  else
    for (let at = 0; at < length; ) {
      const code = codes[at]!;
      at = code < 128 && OF_NAME[code] === 1 ? read(marks.code, at, OF_NAME, false) : at + 1;
    }
  return [...found.values()];

  /** The names of elements and of their attributes, and custom properties in `style`. */
  function tags({ element, attribute, style }: Readonly<Record<Place, Marks>>): void {
    for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
      at += 1;
      const first = codes[at]! | 32;
      if (at >= length || first < 97 || first > 122) continue;
      at = read(element, at, OF_TERM, true);
      while (at < length && codes[at] !== CLOSING && codes[at] !== OPENING) {
        if (isSpace(codes[at]!) || codes[at] === SLASH) {
          at += 1;
          continue;
        }
        const start = at;
        at = read(attribute, at, OF_TERM, true);
        const isStyle = at - start === 5 && text.slice(start, at).toLowerCase() === "style";
        while (at < length && codes[at] !== EQUALS && codes[at] !== CLOSING && !isSpace(codes[at]!)) at += 1;
        if (codes[at] !== EQUALS) continue;
        at += 1;
        const quote = codes[at] === QUOTE ? '"' : codes[at] === APOSTROPHE ? "'" : undefined;
        if (quote === undefined) {
          while (at < length && codes[at] !== CLOSING && !isSpace(codes[at]!)) at += 1;
          continue;
        }
        const end = text.indexOf(quote, at + 1);
        if (end < 0) return;
        if (isStyle) properties(style, at + 1, end);
        at = end + 1;
      }
    }
  }
}
const EXCLAMATION = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const OPENING = 60;
const EQUALS = 61;
const CLOSING = 62;
