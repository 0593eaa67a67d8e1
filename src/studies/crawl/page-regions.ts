/** Which part of a page an element is. */
import type { Tag } from "./markup.ts";

const MENU_ROLE = /^(?:navigation|banner|contentinfo|search|dialog|menu|menubar)$/;
const MENU_CLASS =
  /(?:^|\s)(?:nav|navbar|navigation|(?:main|site|top|primary|mobile|mega)-?(?:nav|menu|header)|menu|footer|(?:site|page|main)-?footer|breadcrumbs?|cookie[\w-]{0,30}|skip-link)(?:\s|$)/i;

/** The element and its first class: those after it, and numbers, often tell one card from the next. */
export function shapeOf(name: string, attributes: Tag["attributes"]): string {
  const [first = ""] = (attributes.get("class") ?? "").slice(0, 120).trim().split(/\s/, 1);
  return `${name}.${first.replace(/\d+/g, "#")}`;
}

/** Whether the element belongs to the site's frame: its menus, its header, its footer, what lies over the page. */
export function isMenu(name: string, attributes: Tag["attributes"], insideMain: boolean): boolean {
  if (name === "nav") return true;
  if ((name === "header" || name === "footer") && !insideMain) return true;
  if (name === "body" || name === "html" || name === "main") return false;
  return MENU_ROLE.test(attributes.get("role") ?? "") || MENU_CLASS.test((attributes.get("class") ?? "").slice(0, 500));
}
