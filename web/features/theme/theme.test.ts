import { expect, test } from "vitest";

import { parseTheme, resolveTheme } from "./theme.ts";

test("the system theme follows the device, a chosen one does not", () => {
  expect(resolveTheme("system", true)).toBe("dark");
  expect(resolveTheme("system", false)).toBe("light");
  expect(resolveTheme("light", true)).toBe("light");
  expect(resolveTheme("dark", false)).toBe("dark");
});

test.each([
  [null, "system"],
  ['{"theme":"dark"}', "dark"],
  ['{"theme":"sepia"}', "system"],
  ["dark", "system"],
  ["null", "system"],
])("stored %s is the theme %s", (text, theme) => {
  expect(parseTheme(text)).toBe(theme);
});
