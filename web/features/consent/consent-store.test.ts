import { expect, test } from "vitest";

import { type ConsentChoice, currentTerms } from "./consent-choice.ts";
import { loadChoice, saveChoice } from "./consent-storage.ts";
import { ConsentStore } from "./consent-store.ts";

const terms = {
  ...currentTerms(undefined),
  noticeVersion: "v1",
  now: () => Date.UTC(2026, 0, 15),
};
const granted: ConsentChoice = {
  preferences: { essential: true, analytics: true, doNotTrack: false },
  noticeVersion: "v1",
};

function browserWith(choice?: ConsentChoice) {
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  if (choice !== undefined) saveChoice(storage, choice);
  const consent = new ConsentStore(terms, () => storage);
  const statuses: string[] = [];
  consent.subscribe(() => statuses.push(consent.status));
  return { entries, storage, consent, statuses };
}

test("the stored choice is known at once", () => {
  const known = browserWith(granted).consent;
  expect([known.status, known.state().asking]).toEqual(["granted", false]);
  const fresh = browserWith().consent;
  expect([fresh.status, fresh.state().asking]).toEqual(["undecided", true]);
});

test("where storage is blocked the visitor is asked, and a choice applies to the page", async () => {
  const consent = new ConsentStore(terms, () => {
    throw new Error("blocked");
  });
  expect([consent.status, consent.state().asking]).toEqual(["undecided", true]);
  await consent.send({ type: "accept.all" });
  expect([consent.status, consent.state().asking]).toEqual(["granted", false]);
});

test("a decision is stored and reported once", async () => {
  const { consent, storage, statuses } = browserWith();
  await consent.send({ type: "accept.all" });
  await consent.send({ type: "accept.all" });
  expect(statuses).toEqual(["granted"]);
  expect(loadChoice(storage)).toEqual({ ...granted, decidedAt: "2026-01-15T00:00:00.000Z" });
});

test("a reset removes the stored choice", async () => {
  const { consent, entries, statuses } = browserWith(granted);
  await consent.send({ type: "settings.requested" });
  await consent.send({ type: "reset" });
  expect(entries.size).toBe(0);
  expect(statuses).toEqual(["granted", "undecided"]);
});

test("a choice that was made in another tab applies here, and is not stored again", async () => {
  const { consent, storage, entries, statuses } = browserWith();
  saveChoice(storage, granted);
  entries.set("cookiePreferences", `${entries.get("cookiePreferences") ?? ""} `);
  const stored = [...entries];
  await consent.refresh();
  expect(consent.state().asking).toBe(false);
  expect(statuses).toEqual(["granted"]);
  expect([...entries]).toEqual(stored);
});

test("a receipt is stored with the choice, and never makes one", async () => {
  const known = browserWith(granted);
  await known.consent.send({ type: "receipt.arrived", receiptId: "r-1" });
  expect(loadChoice(known.storage)?.receiptId).toBe("r-1");
  const fresh = browserWith();
  await fresh.consent.send({ type: "receipt.arrived", receiptId: "r-1" });
  expect(fresh.entries.size).toBe(0);
});
