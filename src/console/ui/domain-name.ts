/** Roughly a domain or a URL; the service validates it. */
export const DOMAIN = /^(?:https?:\/\/)?[^\s/@]{1,250}\.[^\s/@]{2,63}(?:[/?#].*)?$/i;

/** The host that a domain or URL names. */
export const hostOf = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/[/?#].*$/, "")
    .toLowerCase();
