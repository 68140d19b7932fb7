import { expect, test } from "vitest";

import { readServiceEnv } from "./env.ts";

test("without a public origin the service does not start, and says so", () => {
  const read = (origin?: string) => readServiceEnv({ WEB_DIST: "web/dist", PUBLIC_ORIGIN: origin });
  expect(() => read()).toThrow("PUBLIC_ORIGIN");
  expect(() => read("ftp://pro-talent.example")).toThrow("PUBLIC_ORIGIN");
  const { PUBLIC_ORIGIN } = read("https://pro-talent.example/");
  expect(PUBLIC_ORIGIN).toBe("https://pro-talent.example");
});
