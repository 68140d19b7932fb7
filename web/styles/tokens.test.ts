import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

type Rgb = readonly [number, number, number];
type Theme = "light" | "dark";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

/** OKLCH to linear sRGB (Björn Ottosson, https://bottosson.github.io/posts/oklab/). */
function linearRgb(lightness: number, chroma: number, hueDegrees: number): Rgb {
  const hue = (hueDegrees * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function token(name: string, theme: Theme): Rgb {
  const colour = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`;
  const found = new RegExp(String.raw`--${name}: light-dark\(${colour}, ${colour}\)`).exec(css);
  if (found === null) throw new Error(`no token: ${name}`);
  const [l, c, h] = found.slice(theme === "light" ? 1 : 4).map(Number);
  return linearRgb(l ?? Number.NaN, c ?? Number.NaN, h ?? Number.NaN);
}

/** Relative luminance and contrast of WCAG 2.2. */
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = ["canvas", "surface", "sunk"] as const;
const pairs = (names: readonly string[]) =>
  (["light", "dark"] as const).flatMap((theme) =>
    names.flatMap((name) => backgrounds.map((background) => ({ theme, name, background }))),
  );

describe("colours", () => {
  test.each(pairs(["ink", "muted", "danger"]))(
    "$name on $background in $theme: text, 7:1",
    (pair) => {
      expect(
        contrast(token(pair.name, pair.theme), token(pair.background, pair.theme)),
      ).toBeGreaterThan(7);
    },
  );

  test.each(pairs(["opened"]))("$name on $background in $theme: text, 4.5:1", (pair) => {
    expect(
      contrast(token(pair.name, pair.theme), token(pair.background, pair.theme)),
    ).toBeGreaterThan(4.5);
  });

  test.each(pairs(["control", "focus"]))("$name on $background in $theme: control, 3:1", (pair) => {
    expect(
      contrast(token(pair.name, pair.theme), token(pair.background, pair.theme)),
    ).toBeGreaterThan(3);
  });

  test.each(["light", "dark"] as const)("the solid button can be read in %s", (theme) => {
    expect(contrast(token("canvas", theme), token("ink", theme))).toBeGreaterThan(7);
  });

  test.each([...backgrounds, "ink", "muted", "opened", "danger", "control", "focus", "hairline"])(
    "%s lies inside of sRGB in both themes",
    (name) => {
      for (const theme of ["light", "dark"] as const) {
        for (const channel of token(name, theme)) {
          expect(channel).toBeGreaterThan(-0.001);
          expect(channel).toBeLessThan(1.001);
        }
      }
    },
  );
});
