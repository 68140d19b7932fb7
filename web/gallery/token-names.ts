/** The colours of styles/tokens.css that the gallery shows. */
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
