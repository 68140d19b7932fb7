import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { expect, test } from "vitest";

import { beforeAt, columnsOf, movedLocally, placeAfter, stepOf } from "./board/board-order.ts";
import { dayAfterKey, weeksOf } from "./calendar/calendar-month.ts";
import { timelineOf } from "./one/timeline-of.ts";
import type { Application, Stage } from "./queries.ts";
import { filtered, isFiltered, trackerSearchIn, withoutFilters } from "./search.ts";

const now = Date.UTC(2026, 10, 26, 12);
const at = (daysAgo: number) => instantFromMs(now - daysAgo * 86_400_000);
const stages: readonly Stage[] = [
  { stageId: "saved", kind: "saved", name: "" },
  { stageId: "applied", kind: "applied", name: "" },
  { stageId: "offered", kind: "offered", name: "" },
];
const application = (
  id: string,
  stageId: string,
  rank: string,
  more: Partial<Application> = {},
) => ({
  applicationId: id,
  details: {
    company: `Company ${id}`,
    role: "Nurse",
    place: "",
    source: "",
    jobUrl: "",
    salary: null,
    deadline: null,
    appliedOn: null,
    contacts: [],
  },
  sent: { linkIds: [], cv: null },
  stageId,
  rank,
  stageSince: at(1),
  createdAt: at(1),
  changedAt: at(1),
  archivedAt: null,
  remindAt: null,
  notes: 0,
  files: 0,
  ...more,
});
const idsOf = (applications: readonly Application[], stageId: string) =>
  columnsOf(applications, stages)
    .get(stageId)
    ?.map(({ applicationId }) => applicationId);

test("moved cards stand together where they were put, and all others keep their order", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.shuffledSubarray(ids, { minLength: 1 }), fc.nat(2), fc.nat(6)), {
        maxLength: 12,
      }),
      (moves) => {
        let applications: readonly Application[] = ids.map((id, index) =>
          application(id, index < 3 ? "saved" : "applied", `k${index}`),
        );
        for (const [moved, to, place] of moves) {
          const stageId = stages[to]?.stageId ?? "saved";
          const others = (idsOf(applications, stageId) ?? []).filter((id) => !moved.includes(id));
          const before = others[place] ?? null;
          applications = movedLocally(applications, moved, { stageId, before });
          const index = before === null ? others.length : place;
          expect(idsOf(applications, stageId)).toEqual(others.toSpliced(index, 0, ...moved));
        }
      },
    ),
  );
});

test.each([
  ["ArrowRight", false, "next"],
  ["ArrowRight", true, "previous"],
  ["ArrowLeft", false, "previous"],
  ["ArrowLeft", true, "next"],
  ["ArrowDown", true, "down"],
  ["x", false, undefined],
] as const)("%s on a page from right to left (%s) means %s", (key, rtl, step) => {
  expect(stepOf(key, rtl)).toBe(step);
});

test("a carried card stays on the board, and is put down before the card at its place", () => {
  const all = [application("a", "saved", "1"), application("b", "saved", "2")];
  const columns = columnsOf(all, stages);
  const ids = stages.map(({ stageId }) => stageId);
  const countOf = (stageId: string) => columns.get(stageId)?.length ?? 0;
  const place = { stageId: "saved", index: 1 };
  expect(placeAfter(place, "down", ids, countOf)).toEqual({ stageId: "saved", index: 2 });
  expect(placeAfter(place, "next", ids, countOf)).toEqual({ stageId: "applied", index: 0 });
  expect(placeAfter(place, "previous", ids, countOf)).toEqual(place);
  expect(beforeAt(columns, { stageId: "saved", index: 0 }, "a")).toBe("b");
  expect(beforeAt(columns, { stageId: "saved", index: 1 }, "a")).toBeNull();
});

test("every word of a search has to be somewhere in an application", () => {
  const acme = application("1", "applied", "1", { stageSince: at(8) });
  const other = application("2", "offered", "2", { stageSince: at(8), archivedAt: at(0) });
  const found = (query: string) =>
    filtered(
      { applications: [acme, other], stages },
      trackerSearchIn(new URLSearchParams(query)),
      now,
    );
  expect(found("q=nurse+COMPANY")).toEqual([acme]);
  expect(found("q=nurse+globex")).toEqual([]);
  expect(found("waiting=1")).toEqual([acme]);
  expect(found("archived=1")).toEqual([other]);
  expect(found("stage=offered")).toEqual([]);
});

test("an address that is not known asks for the board, and clearing filters keeps the view", () => {
  const search = new URLSearchParams("view=table&q=a&waiting=1&sort=company:down");
  expect(trackerSearchIn(new URLSearchParams("view=x")).view).toBe("board");
  expect(trackerSearchIn(search).sort).toEqual({ column: "company", descending: true });
  expect(withoutFilters(search).toString()).toBe("view=table&sort=company%3Adown");
  expect(isFiltered(trackerSearchIn(withoutFilters(search)))).toBe(false);
});

test("a month is shown in whole weeks from the first day of the week", () => {
  const sunday = weeksOf("2026-11", 7);
  expect([sunday[0]?.[0], sunday.at(-1)?.at(-1)]).toEqual(["2026-11-01", "2026-12-05"]);
  const monday = weeksOf("2026-11", 1);
  expect([monday[0]?.[0], monday.at(-1)?.at(-1)]).toEqual(["2026-10-26", "2026-12-06"]);
});

test.each([
  ["ArrowRight", false, "2026-02-01"],
  ["ArrowRight", true, "2026-01-30"],
  ["ArrowUp", false, "2026-01-24"],
  ["Home", false, "2026-01-25"],
  ["End", true, "2026-01-31"],
  ["PageDown", false, "2026-02-28"],
] as const)("from January 31 %s leads (right to left: %s) to %s", (key, rtl, day) => {
  expect(dayAfterKey("2026-01-31", key, { rtl, firstDay: 7 })).toBe(day);
});

test("what happened is one list, the newest first", () => {
  const whole = {
    history: [{ kind: "added" as const, at: at(3), stageId: "saved" }],
    notes: [{ noteId: "n", text: "Called", writtenAt: at(1), editedAt: null }],
  };
  expect(timelineOf(whole, []).map(({ kind }) => kind)).toEqual(["note", "history"]);
});
