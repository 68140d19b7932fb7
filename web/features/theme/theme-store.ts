import { readTheme, resolveTheme, type Theme, themeStorageKey } from "./theme.ts";

const listeners = new Set<() => void>();
let current: Theme | undefined;

const device = (): MediaQueryList => matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  const theme = currentTheme();
  document.documentElement.dataset["theme"] = resolveTheme(theme, device().matches);
}

export function currentTheme(): Theme {
  current ??= readTheme();
  return current;
}

/** Applies and stores a theme. */
export function chooseTheme(theme: Theme): void {
  current = theme;
  apply();
  try {
    localStorage.setItem(themeStorageKey, JSON.stringify({ theme }));
  } catch {
    // Storage is blocked: the theme applies until the page closes.
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

/** Follows the device while the theme is `system`, and changes in other tabs. */
export function followDevice(): void {
  device().addEventListener("change", apply);
  window.addEventListener("storage", ({ key }) => {
    if (key === null || key === themeStorageKey) readAgain();
  });
  // Restored from the browser's cache: the theme may have changed since.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) readAgain();
  });
}
