/** Systems whose extensions run on no other: a module of Drupal is no plug-in of WordPress with the same name. */
export const EXTENDED_PLATFORMS: readonly string[] = ["wordpress", "drupal", "joomla", "typo3"];

/** The system of a category of extensions or themes: `wordpress` of `wordpress-plugin`. */
export function platformOf(category: string): string | undefined {
  const [first = ""] = category.split("-", 1);
  return EXTENDED_PLATFORMS.includes(first) ? first : undefined;
}

/** Whether tools of a category are extensions or themes of a system: `drupal-module`, not `cms`. */
export const isExtensionCategory = (category: string): boolean => /-(?:theme|plugin|module|extension)$/.test(category);
