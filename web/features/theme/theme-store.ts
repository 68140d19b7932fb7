import { readTheme, resolveTheme, type Theme, themeStorageKey } from "./theme.ts";

const listeners = new Set<() => void>();
let current: Theme | undefined;

const device = (): MediaQueryList => matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  const theme = currentTheme();
  document.documentElement.dataset["theme"] = resolveTheme(theme, device().matches);
}

/** The theme chosen in this browser. */
export function currentTheme(): Theme {
  current ??= readTheme();
  return current;
}

/** Applies a theme at once and keeps it, alone, in local storage. */
export function chooseTheme(theme: Theme): void {
  current = theme;
  apply();
  try {
    localStorage.setItem(themeStorageKey, JSON.stringify({ theme }));
  } catch {
    // Storage is blocked: the theme lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function subscribeToTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readAgain(): void {
  current = undefined;
  apply();
  for (const listener of listeners) listener();
}

/** Follows the device, which matters only while the theme is `system`, and what was chosen elsewhere. */
export function followDevice(): void {
  device().addEventListener("change", apply);
  window.addEventListener("storage", ({ key }) => {
    if (key === null || key === themeStorageKey) readAgain();
  });
  // Out of the browser's cache: another page may have changed the theme since.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) readAgain();
  });
}
