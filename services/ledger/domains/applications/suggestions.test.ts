import { ApplicationDetails, type StageKind } from "@pro-talent/schemas/applications/application";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { expect, it } from "vitest";

import type { LinkOpens } from "./opens.ts";
import { suggestionsFor } from "./suggestions.ts";

const at = (text: string) => instantFromMs(Date.parse(text));
const now = at("2026-03-15T08:00:00Z");
const zone = "Asia/Jerusalem";

type Change = {
  kind: StageKind;
  since?: string;
  links?: string[];
  details?: object;
  remindAt?: string;
  archivedAt?: string;
};

const application = ({ kind, since = "2026-03-01", links = [], ...more }: Change) => ({
  applicationId: kind,
  kind,
  details: ApplicationDetails.parse({ company: "Acme", ...more.details }),
  sent: { linkIds: links, cv: null },
  stageSince: at(`${since}T09:00:00Z`),
  archivedAt: more.archivedAt === undefined ? null : at(more.archivedAt),
  remindAt: more.remindAt === undefined ? null : at(more.remindAt),
});

const codesFor = (change: Change, lastOpened?: string) => {
  const opens = new Map<string, LinkOpens>();
  if (lastOpened !== undefined) opens.set("link", { opens: 2, lastAt: at(lastOpened) });
  return suggestionsFor([application(change)], { opens, now, zone }).map(
    ({ code, days, opens: count }) => ({ code, days, opens: count }),
  );
};

it("ten days after an application without news, a question is suggested", () => {
  expect(codesFor({ kind: "applied", since: "2026-03-05" })).toEqual([
    { code: "silent-not-opened", days: 10, opens: 0 },
  ]);
  expect(codesFor({ kind: "applied", since: "2026-03-06" })).toEqual([]);
  const details = { appliedOn: "2026-03-01" };
  expect(codesFor({ kind: "applied", since: "2026-03-06", details })).toEqual([
    { code: "silent-not-opened", days: 14, opens: 0 },
  ]);
});

it("another one is suggested when a link was opened since, and at once when that was just now", () => {
  const change: Change = { kind: "applied", links: ["link"] };
  expect(codesFor(change, "2026-03-10T10:00:00Z")).toEqual([
    { code: "opened-no-answer", days: 14, opens: 2 },
  ]);
  expect(codesFor(change, "2026-03-14T22:30:00Z")).toEqual([
    { code: "opened-now", days: 0, opens: 2 },
  ]);
  expect(codesFor({ ...change, since: "2026-03-12" }, "2026-03-13T22:30:00Z")).toEqual([
    { code: "opened-now", days: 1, opens: 2 },
  ]);
  expect(codesFor(change, "2026-02-10T10:00:00Z")).toEqual([
    { code: "silent-not-opened", days: 14, opens: 0 },
  ]);
});

it("five days after an interview a question is suggested", () => {
  expect(codesFor({ kind: "interviewing", since: "2026-03-10" })).toEqual([
    { code: "after-interview", days: 5, opens: 0 },
  ]);
  expect(codesFor({ kind: "interviewing", since: "2026-03-11" })).toEqual([]);
});

it("a deadline is named three days before, until its day, and only when nothing was sent", () => {
  const saved = (deadline: string) => codesFor({ kind: "saved", details: { deadline } });
  expect(saved("2026-03-18")).toEqual([{ code: "deadline-near", days: 3, opens: 0 }]);
  expect(saved("2026-03-15")).toEqual([{ code: "deadline-near", days: 0, opens: 0 }]);
  expect([...saved("2026-03-19"), ...saved("2026-03-14")]).toEqual([]);
  expect(codesFor({ kind: "offered", details: { deadline: "2026-03-16" } })).toEqual([]);
});

it("nothing is suggested for what is archived, ended, or planned already", () => {
  expect(codesFor({ kind: "applied", archivedAt: "2026-03-02T09:00:00Z" })).toEqual([]);
  expect(codesFor({ kind: "applied", remindAt: "2026-03-16T09:00:00Z" })).toEqual([]);
  expect(codesFor({ kind: "rejected" })).toEqual([]);
});

it("the most useful comes first", () => {
  const all: Change[] = [
    { kind: "applied" },
    { kind: "interviewing" },
    { kind: "saved", details: { deadline: "2026-03-16" } },
  ];
  const found = suggestionsFor(all.map(application), { opens: new Map(), now, zone });
  expect(found.map(({ code }) => code)).toEqual([
    "deadline-near",
    "after-interview",
    "silent-not-opened",
  ]);
});
