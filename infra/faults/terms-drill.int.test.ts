import { noticesWaitingMost } from "@pro-talent/ledger/domains/legal-changes/notify";
import { expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { termsDrill } from "./terms-drill.ts";

it("a change of the terms reaches more subscribers than may wait, each once", async () => {
  const directory = await temporaryDirectory();
  const findings = await termsDrill({
    directory: directory.path,
    recipients: noticesWaitingMost + 20,
    report: () => undefined,
  });
  await directory.remove();
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings).toHaveLength(5);
}, 600_000);
