import { expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { startsDrill } from "./starts-drill.ts";

/** One kill, while the demo is being made: run-start.int.test.ts ends starts of small services. */
it("what npm start has started ends with it when it is killed", async () => {
  const directory = await temporaryDirectory();
  const findings = await startsDrill({
    kills: 1,
    seed: 5,
    directory: directory.path,
    report: () => undefined,
  });
  await directory.remove();
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings).toHaveLength(1);
}, 600_000);
