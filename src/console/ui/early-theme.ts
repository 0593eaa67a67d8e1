// Runs before the first paint, so that the chosen theme does not flash.
try {
  const chosen = localStorage.getItem("casefile.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is blocked: use the system's theme.
}
