// Runs before the first paint, or who chose against the system's colours would see them flash.
try {
  const chosen = localStorage.getItem("casefile.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing shows the system's.
}
