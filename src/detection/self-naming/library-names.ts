import { LIBRARIES } from "./library-files.ts";
import { compactName } from "./names.ts";

/** File names that sites also use for private files: these count only with a version or when minified. */
export const GENERIC_FILES: ReadonlySet<string> = new Set([
  "animate",
  "chart",
  "chosen",
  "choices",
  "foundation",
  "history",
  "ie7",
  "ie8",
  "ie9",
  "hls",
  "lazyload",
  "less",
  "parallax",
  "pushy",
  "spin",
  "svelte",
  "swipe",
  "toastr",
  "velocity",
  "prototype",
  "angular",
  "anime",
  "camera",
  "masonry",
  "stomp",
  "vegas",
  "odometer",
  "bootstrap",
  "d3",
  "moment",
  "mustache",
  "normalize",
  "prism",
  "react",
  "respond",
  "slick",
  "three",
  "vue",
  "wow",
  "waypoints",
  "ace",
  "breakpoints",
  "driver",
  "glider",
  "hint",
  "hover",
  "pdf",
  "raven",
  "sly",
  "snap",
  "sortable",
  "spectrum",
  "turn",
  "two",
  "unveil",
  "video",
  "highlight",
  "intersectionobserver",
]);

const MIN_LIBRARY = 5;

/** A library by the name of its file, also where that says for what it is a plug-in: `jquery.parsley`, `cookie.jquery`. */
export function libraryNamed(file: string): string | undefined {
  const plain = file.replace(/\.(?:css|js)$/, "");
  const [, bare = ""] = /^jquery[._-](.+)$/.exec(plain) ?? /^(.+)[._-]jquery$/.exec(plain) ?? [];
  const known = LIBRARIES.get(file) ?? LIBRARIES.get(plain) ?? LIBRARIES.get(plain.replace(/^jquery-/, "jquery."));
  const named = known ?? (bare.length >= MIN_LIBRARY && !GENERIC_FILES.has(bare) ? LIBRARIES.get(bare) : undefined);
  if (named !== undefined) return named;
  for (const ending of [OF_COPY, OF_LANGUAGE]) {
    const original = plain.replace(ending, "");
    if (original !== plain && original.length >= MIN_LIBRARY && !GENERIC_FILES.has(original))
      return libraryNamed(original);
  }
  return undefined;
}
/** A copy that somebody changed: `jquery.reveal7`, `fitvids_new`, `jquery.bxslider-custom`. */
const OF_COPY = /(?:(?<=[a-z]{3})\d{1,2}|[._-](?:new|old|custom|modified|mod|fixed|patched|orig|original|copy))$/;
/** The texts of a library in a language: `jquery.countdown-de`, `globalize.culture.de-at`, `bootstrap-datepicker.fr`. */
const OF_LANGUAGE =
  /[._-](?:(?:culture|lang|locales?|i18n)[._-])?(?:ar|bg|ca|cs|da|de|el|en|es|et|fi|fr|he|hr|hu|it|ja|ko|lt|lv|nb|nl|pl|pt|ro|ru|sk|sl|sr|sv|tr|uk|vi|zh)(?:[_-][a-z]{2})?$/;

/** The name of the file of which a changed or translated one is a copy: `smooth-scroll` of `smooth-scroll-custom`. */
export const originalName = (file: string): string => file.replace(OF_COPY, "").replace(OF_LANGUAGE, "");

let libraryNames: ReadonlyMap<string, string> | undefined;
/** A library by its own name. */
export function libraryCalled(name: string): string | undefined {
  libraryNames ??= new Map([...LIBRARIES.values()].map((each) => [compactName(each), each]));
  return libraryNames.get(compactName(name));
}
