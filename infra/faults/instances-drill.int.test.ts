import { expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { instancesDrill } from "./instances-drill.ts";

it("instances are restarted and killed under load, and no request fails, nothing is lost or doubled", async () => {
  const directory = await temporaryDirectory();
  const findings = await instancesDrill({
    seed: 5,
    rate: 0.02,
    kills: 1,
    together: true,
    instances: {
      collector: 2,
      ledger: 2,
      "ledger-worker": 1,
      accounts: 0,
      "collector-worker": 0,
      "accounts-worker": 0,
      "studio-worker": 0,
    },
    restarted: (instance) => ["collector-1", "ledger-1", "ledger-worker-1"].includes(instance),
    directory: directory.path,
    report: () => undefined,
  });
  await directory.remove();
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  expect(findings).toHaveLength(14);
}, 300_000);
