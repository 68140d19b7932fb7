/** `system` follows the device (specification §3). */
export type Theme = "light" | "dark" | "system";
export type ResolvedTheme = "light" | "dark";

export const themes = ["light", "dark", "system"] as const satisfies readonly Theme[];
export const themeStorageKey = "theme-storage";

export function resolveTheme(theme: Theme, deviceIsDark: boolean): ResolvedTheme {
  if (theme !== "system") return theme;
  return deviceIsDark ? "dark" : "light";
}

/** Parses the stored theme; `system` if it is not valid. */
export function parseTheme(text: string | null): Theme {
  if (text === null) return "system";
  try {
    const parsed: unknown = JSON.parse(text);
    const stored: unknown =
      typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "theme") : undefined;
    return themes.find((theme) => theme === stored) ?? "system";
  } catch {
    // Another value is stored.
    return "system";
  }
}

export function readTheme(): Theme {
  try {
    return parseTheme(localStorage.getItem(themeStorageKey));
  } catch {
    // Storage is blocked.
    return "system";
  }
}
