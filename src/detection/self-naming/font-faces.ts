import { type Excerpt, excerptOf } from "../excerpt.ts";
import { readableSlug } from "./extension-names.ts";

/** A font that the site's styles load from a file. */
export interface FontFace {
  readonly name: string;
  /** Of a tool that the catalogue does not have. */
  readonly category: string;
  readonly excerpt: Excerpt;
}

/**
 * Category, name, and how the `font-family` of its `@font-face` is written, in lower case. Sets of icons,
 * the fonts of libraries, and typefaces that sites host themselves.
 */
const FACES = `
fonts|IcoMoon|icomoon
fonts|Fontello|fontello
fonts|Feather|feather|feather-icons|feathericons
fonts|Font Awesome|fontawesome|font awesome|font awesome 5 free|font awesome 5 brands|font awesome 5 pro|font awesome 6 free|font awesome 6 brands|font awesome 6 pro|font awesome 7 free|font awesome 7 brands
fonts|Material Icons|material icons|material icons outlined|material icons round|material symbols outlined|material symbols rounded|material symbols sharp
fonts|Material Design Icons|material design icons
javascript-library|Material Design Iconic Font|material-design-iconic-font
fonts|Glyphicons|glyphicons halflings
fonts|Linearicons|linearicons-free|linearicons
fonts|Themify Icons|themify
fonts|Ionicons|ionicons
fonts|Bootstrap Icons|bootstrap-icons
fonts|Simple Line Icons|simple-line-icons
fonts|Dashicons|dashicons
fonts|Genericons|genericons
fonts|Flaticon|flaticon
fonts|Line Awesome|line awesome free|line awesome brands
fonts|Elegant Icons|eleganticons
fonts|Pe-icon-7-stroke|pe-icon-7-stroke
fonts|Typicons|typicons
javascript-library|Octicons|octicons
fonts|Foundation Icons|foundation-icons
fonts|Remix Icon|remixicon
fonts|Boxicons|boxicons
fonts|Phosphor Icons|phosphor|phosphor-bold|phosphor-fill
javascript-library|Tabler Icons|tabler-icons
fonts|Weather Icons|weathericons
javascript-library|PrimeIcons|primeicons
javascript-library|IcoFont|icofont
fonts|Socicon|socicon
javascript-library|Slick|slick
javascript-library|Swiper|swiper-icons
javascript-library|Video.js|videojs
javascript-library|KaTeX|katex_ams|katex_main|katex_math
e-commerce|WooCommerce|woocommerce
cms|Elementor|eicons
cms|Divi|etmodules
fonts|Roboto|roboto
fonts|Roboto Condensed|roboto condensed
fonts|Roboto Slab|roboto slab
fonts|Open Sans|open sans|opensans
fonts|Lato|lato
fonts|Montserrat|montserrat
fonts|Poppins|poppins
fonts|Source Sans Pro|source sans pro|source sans 3|sourcesanspro
fonts|Source Serif Pro|source serif pro|source serif 4
fonts|Source Code Pro|source code pro
fonts|Inter|inter|inter var
fonts|Raleway|raleway
fonts|Nunito|nunito
fonts|Nunito Sans|nunito sans
fonts|Noto Sans|noto sans
fonts|Noto Serif|noto serif
fonts|Oswald|oswald
fonts|Merriweather|merriweather
fonts|Playfair Display|playfair display
fonts|PT Sans|pt sans
fonts|PT Serif|pt serif
fonts|Ubuntu Font|ubuntu
fonts|Work Sans|work sans
fonts|Fira Sans|fira sans
fonts|IBM Plex Sans|ibm plex sans
fonts|DM Sans|dm sans
fonts|Rubik|rubik
fonts|Barlow|barlow
fonts|Libre Franklin|libre franklin
fonts|Libre Baskerville|libre baskerville
fonts|Lora|lora
fonts|Jost|jost
fonts|Manrope|manrope
fonts|Plus Jakarta Sans|plus jakarta sans
`;

/** Every line of the table. */
export const faceRows = () =>
  FACES.trim()
    .split("\n")
    .map((line) => {
      const [category = "", name = "", ...families] = line.split("|");
      return { category, name, families };
    });

let faces: ReadonlyMap<string, { readonly name: string; readonly category: string }> | undefined;
const readFaces = () =>
  new Map(faceRows().flatMap(({ category, name, families }) => families.map((family) => [family, { category, name }])));

const FACE = /@font-face\s{0,8}\{([^{}]{1,4000})\}/gi;
const FAMILY = /font-family\s{0,4}:\s{0,4}["']?([\w .-]{2,60}?)["']?\s{0,4}(?:;|$|!)/i;
/** Files of a service that is a tool itself, as its style sheet loads them. */
const OF_SERVICE = /fonts\.gstatic\.com|use\.typekit\.net|p\.typekit\.net|fonts\.bunny\.net/i;
const MAX_FACES = 500;

/** The fonts for which a style has a file, each once. */
export function fontFacesIn(style: string): readonly FontFace[] {
  if (!/@font-face/i.test(style)) return NOTHING;
  faces ??= readFaces();
  const found = new Map<string, FontFace>();
  for (const { 0: face, 1: inside = "", index } of style.matchAll(FACE).take(MAX_FACES)) {
    if (!/\burl\s{0,2}\(/i.test(inside) || OF_SERVICE.test(inside)) continue;
    const family = FAMILY.exec(inside.trim())?.[1]?.trim().toLowerCase();
    const font = family === undefined ? undefined : faces.get(family);
    if (font && !found.has(font.name))
      found.set(font.name, { ...font, excerpt: excerptOf(style, index, index + Math.min(face.length, 120)) });
  }
  return [...found.values()];
}
const NOTHING: readonly FontFace[] = [];

/** The files that google-webfonts-helper makes for a site of its own: `open-sans-v34-latin-ext_latin-regular.woff2`. */
const FONT_FILE =
  /\/([a-z][a-z0-9]{1,24}(?:-[a-z0-9]{1,24}){0,4})-v\d{1,3}-(?:latin|cyrillic|greek|vietnamese|arabic|hebrew|devanagari|thai|japanese|korean)[a-z_-]{0,80}?-(?:regular|italic|\d{3}(?:italic)?)\.(?:woff2?|ttf|eot|svg)(?:[?#]|$)/;

/** The font whose file an address names. */
export function fontFileIn(address: string): string | undefined {
  const [, family] = address.includes("-v") ? (FONT_FILE.exec(address.toLowerCase()) ?? []) : [];
  if (family === undefined) return undefined;
  faces ??= readFaces();
  return faces.get(family.replaceAll("-", " "))?.name ?? readableSlug(family);
}
