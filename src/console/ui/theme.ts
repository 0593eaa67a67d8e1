import { observable } from "./observable.ts";

export type Theme = "system" | "light" | "dark";

const NAME = "casefile.theme";

const stored = (): Theme => {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
};

export const theme = observable<Theme>(stored());

/** Kept on this device: a preference, and nothing that tells of the person. */
export function chooseTheme(next: Theme): void {
  const { dataset } = document.documentElement;
  if (next === "system") delete dataset.theme;
  else dataset.theme = next;
  try {
    if (next === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, next);
  } catch {
    // Then it holds for this page.
  }
  theme.set(next);
}
