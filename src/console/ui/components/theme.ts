import { observable } from "../observable.ts";

export type Theme = "system" | "light" | "dark";

const STORAGE_KEY = "casefile.theme";

const stored = (): Theme => {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
};

export const theme = observable<Theme>(stored());

/** Remembers the theme on this device. */
export function setTheme(next: Theme): void {
  const { dataset } = document.documentElement;
  if (next === "system") delete dataset.theme;
  else dataset.theme = next;
  try {
    if (next === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Storage is blocked: the theme applies to this page only.
  }
  theme.set(next);
}
