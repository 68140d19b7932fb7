/**
 * The product's paper and ink in sRGB: mail programs do not know the colour functions that
 * web/styles/tokens.css is written in. The values are computed from there.
 */
export const light = {
  canvas: "#fcfaf6",
  sunk: "#f2f0e9",
  ink: "#181e2a",
  muted: "#4a505c",
  hairline: "#dcd9d0",
} as const;

export const dark = {
  canvas: "#10141b",
  sunk: "#0b0e15",
  ink: "#efede7",
  muted: "#b1b6bf",
  hairline: "#31353f",
} as const;

export const serif = "'Frank Ruhl Libre',Georgia,'Times New Roman',serif";
export const sans = "Heebo,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
