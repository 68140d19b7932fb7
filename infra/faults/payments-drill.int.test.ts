import { expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { paymentsDrill } from "./payments-drill.ts";

it("killed workers, lost answers and disturbed webhooks leave the provider's book and the ledger equal", async () => {
  const directory = await temporaryDirectory();
  const size = { holders: 5, days: 32, kills: 1, seed: 7 };
  const findings = await paymentsDrill({
    ...size,
    directory: directory.path,
    report: () => undefined,
  });
  await directory.remove();
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings).toHaveLength(5);
}, 300_000);
