import { expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { startsDrill } from "./starts-drill.ts";

it("what npm start has started ends with it, at whatever moment it is killed", async () => {
  const directory = await temporaryDirectory();
  const findings = await startsDrill({
    kills: 2,
    seed: 5,
    directory: directory.path,
    report: () => undefined,
  });
  await directory.remove();
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings).toHaveLength(1);
}, 600_000);
