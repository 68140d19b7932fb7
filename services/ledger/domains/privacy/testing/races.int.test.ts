import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createTestLedger, type TestLedger } from "../../../testing/create-test-ledger.ts";
import { races, runRaces } from "./races.ts";

let ledger: TestLedger;
let other: Sql;
beforeAll(async () => {
  ledger = await createTestLedger();
  other = openPool(asRole(ledger.ownerUrl, "ledger_app"), { max: 8, applicationName: "rival" });
});
afterAll(async () => {
  await other.end();
  await ledger.drop();
});

// Ten thousand of each: `npm run faults -- privacy`.
it.each(races)("of two commands at the same moment one is accepted: %s", async (race) => {
  const rivals = [ledger.ledger, { ...ledger.ledger, sql: other }] as const;
  const { won, broken } = await runRaces({ rivals, race, count: 60, random: Math.random });
  expect(broken).toEqual([]);
  expect(Object.values(won).reduce((sum, wins) => sum + wins, 0)).toBe(60);
});
