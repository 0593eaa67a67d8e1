/** Systems whose extensions run on no other: a module of Drupal is no plug-in of WordPress with the same name. */
export const EXTENDED_PLATFORMS: readonly string[] = ["wordpress", "drupal", "joomla", "typo3"];

/** The system of a category of extensions or themes: `wordpress` of `wordpress-plugin`. */
export function platformOf(category: string): string | undefined {
  const [first = ""] = category.split("-", 1);
  return EXTENDED_PLATFORMS.includes(first) ? first : undefined;
}

/** Categories of what the directories of these systems hold; the rules that read a directory have the same ids. */
export const EXTENSION_CATEGORIES = [
  "wordpress-plugin",
  "wordpress-theme",
  "drupal-module",
  "drupal-theme",
  "joomla-extension",
  "typo3-extension",
] as const;
export type ExtensionCategory = (typeof EXTENSION_CATEGORIES)[number];

/** `TOOL-ID/RULE-ID` of the rules that read the directory of an extension. */
export const OF_DIRECTORY: RegExp = new RegExp(`/(?:${EXTENSION_CATEGORIES.join("|")})$`);

/** Whether tools of a category are extensions or themes of a system: `drupal-module`, not `cms`. */
export const isExtensionCategory = (category: string): boolean => /-(?:theme|plugin|module|extension)$/.test(category);
