import { readFileSync, writeFileSync } from "node:fs";

import { beforeAll, expect, it } from "vitest";

import { breaksBetween, ReleaseContracts } from "./compare-releases.ts";
import { readContracts } from "./read-contracts.ts";

const file = new URL("recorded.json", import.meta.url);
let current: ReleaseContracts;

beforeAll(async () => {
  current = await readContracts();
  // Only `npm run test:previous-release -- --record`, when a release is made.
  if (process.env["RECORD_RELEASE"] === "1") {
    writeFileSync(file, `${JSON.stringify(current, undefined, 2)}\n`);
  }
});

it("this tree runs beside the previous release: it only adds to rows, events and jobs", () => {
  const previous = ReleaseContracts.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(Object.keys(previous.columns).length).toBeGreaterThan(300);
  expect(Object.keys(previous.events).length).toBeGreaterThan(80);
  expect(Object.keys(previous.jobs)).toContain("ledger.deliver-message");
  expect(breaksBetween(previous, current)).toEqual([]);
});

it("a column that is dropped, and an event that is changed, are reported", () => {
  const previous = ReleaseContracts.parse(JSON.parse(readFileSync(file, "utf8")));
  const { "ledger.consent_gate.granted": _gone, ...columns } = current.columns;
  const changed = {
    ...current.events,
    "consent/ConsentGranted": { version: 1, contract: "other" },
  };
  expect(breaksBetween(previous, { ...current, columns, events: changed })).toEqual([
    "ledger.consent_gate.granted is gone: the previous release reads or writes it",
    "consent/ConsentGranted was changed without a new version and an upcast",
  ]);
});
