/** The colours of styles/tokens.css in the gallery. */
export const tokenNames = [
  "canvas",
  "surface",
  "sunk",
  "ink",
  "muted",
  "opened",
  "danger",
  "control",
  "focus",
  "hairline",
] as const;
