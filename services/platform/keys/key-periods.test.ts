import { describe, expect, it } from "vitest";

import { openableDaysMax, readKeyPeriods } from "./key-periods.ts";

const given = (epoch: number, overlap: number, backup: number) =>
  readKeyPeriods(
    {
      LEDGER_EPOCH_DAYS: String(epoch),
      LEDGER_OVERLAP_DAYS: String(overlap),
      LEDGER_KEY_BACKUP_DAYS: String(backup),
    },
    "LEDGER",
  );

describe("the periods of keys", () => {
  it("keep the promise without any setting", () => {
    const { epochDays, overlapDays, keyBackupDays } = readKeyPeriods({}, "LEDGER");
    expect(epochDays + overlapDays + keyBackupDays).toBeLessThanOrEqual(openableDaysMax);
  });

  it("are accepted up to sixty days together, and refused beyond", () => {
    expect(given(20, 30, 10)).toEqual({ epochDays: 20, overlapDays: 30, keyBackupDays: 10 });
    expect(() => given(20, 30, 11)).toThrow(/is 61\. At most 60 keeps the promise/u);
    expect(() => given(14, 31, 30)).toThrow("LEDGER_OVERLAP_DAYS");
  });

  it.each([0, -1, 1.5, Number.NaN])("are whole days, not %j", (days) => {
    expect(() => given(days, 31, 14)).toThrow("LEDGER_EPOCH_DAYS");
  });
});
