import { expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { erasureDrill } from "./erasure-drill.ts";

it("sixty days after an erasure no copy opens, and until then the same search opens them", async () => {
  const directory = await temporaryDirectory();
  const findings = await erasureDrill({ directory: directory.path, report: () => undefined });
  await directory.remove();
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings).toHaveLength(7);
}, 300_000);
