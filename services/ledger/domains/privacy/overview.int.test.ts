import { overviewCalls } from "@pro-talent/schemas/privacy/overview-calls";
import { afterAll, beforeAll, expect, it } from "vitest";

import * as facts from "./testing/facts.ts";
import { dayMs, openPrivacy, problemOf, requestIn } from "./testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let startMs: number;
beforeAll(async () => {
  privacy = await openPrivacy();
  startMs = privacy.time.ms;
});
afterAll(() => privacy.close());

const at = (days: number): string => new Date(startMs + days * dayMs).toISOString();
const asked = async (type: "access" | "delete"): Promise<string> => {
  const dana = privacy.person();
  const answer = type === "access" ? dana.send("POST", "/access", {}) : dana.askForDeletion();
  return requestIn(await answer).requestId;
};
const calendar = async () => {
  const answer = await privacy.officer().call("GET", "/api/console/privacy/calendar");
  return overviewCalls["GET /api/console/privacy/calendar"].answer.parse(answer.json());
};
const year = async (wanted: number) => {
  const url = `/api/console/privacy/metrics?year=${wanted}`;
  const answer = await privacy.officer().call("GET", url);
  return overviewCalls["GET /api/console/privacy/metrics"].answer.parse(answer.json());
};

it("the calendar shows every clock that runs, and none that has ended", async () => {
  const officer = privacy.officer();
  const copy = await asked("access");
  await officer.decided(copy, "claim");
  await officer.decided(copy, "extend", { law: "ccpa" });
  const [held, plain] = [await asked("delete"), await asked("delete")];
  await officer.decided(held, "hold", { law: "Income Tax Ordinance 130", reviewAt: at(60) });
  const { clocks, more } = await calendar();
  expect(more).toBe(0);
  expect(clocks).toMatchObject([
    { kind: "due", id: copy, detail: "access" },
    { kind: "erase", id: plain, endsAt: at(30), detail: "delete" },
    { kind: "hold-review", id: held, endsAt: at(60), detail: "Income Tax Ordinance 130" },
    { kind: "extension", id: copy, endsAt: at(90), detail: "access" },
  ]);
  await officer.decided(copy, "deny", { reason: "no-match" });
  expect((await calendar()).clocks.filter(({ id }) => id === copy)).toEqual([]);
  const person = await privacy.person().call("GET", "/api/console/privacy/calendar");
  expect(person.statusCode).toBe(403);
});

it("the queue says which clock ends first, and who has a request", async () => {
  const [dana, noa] = [privacy.officer(), privacy.officer()];
  const [copy, held] = [await asked("access"), await asked("delete")];
  const shown = async (id: string) => {
    const { requests } = await noa.queue();
    return requests.find(({ requestId }) => requestId === id);
  };
  await dana.decided(copy, "claim");
  await dana.decided(copy, "extend", { law: "gdpr" });
  const due = { kind: "due", endsAt: (await dana.read(copy)).dueAt };
  const lease = { name: "Dana Levi", mine: false, officerId: dana.accountId };
  expect(await shown(copy)).toMatchObject({ clock: due, extension: "gdpr", lease });
  expect(await shown(held)).toMatchObject({ clock: { kind: "erase", endsAt: at(30) } });
  await dana.decided(held, "hold", { law: "Evidence Act", reviewAt: at(60) });
  expect(await shown(held)).toMatchObject({ clock: { kind: "hold-review", endsAt: at(60) } });
  await dana.decided(copy, "deny", { reason: "no-match" });
  expect((await dana.read(copy)).clock).toBeNull();
});

it("a hold is reviewed for one of four reasons, and stands for 90 days more at most", async () => {
  const officer = privacy.officer();
  const id = await asked("delete");
  const { holds } = await officer.decided(id, "hold", { law: "Evidence Act", reviewAt: at(60) });
  const act = `holds/${holds[0]?.holdId ?? ""}/review`;
  privacy.time.ms = startMs + 61 * dayMs;
  const reason = "proceedings";
  const tooLong = await officer.decide(id, act, { reason, reviewAt: at(152) });
  expect(problemOf(tooLong).code).toBe("not_possible_now");
  const free = await officer.decide(id, act, { reason: "because Dana", reviewAt: at(100) });
  expect(free.statusCode).toBe(422);
  const after = await officer.decided(id, act, { reason, reviewAt: at(151) });
  expect(after.holds).toMatchObject([{ law: "Evidence Act", reviewAt: at(151) }]);
  expect(after.history.at(-1)).toMatchObject({ step: "hold-reviewed" });
  privacy.time.ms = startMs;
});

it("a year counts each type: what was asked for, decided, in time, and in how many days", async () => {
  privacy.time.ms = Date.UTC(2027, 4, 1, 9);
  const begun = privacy.time.ms;
  const officer = privacy.officer();
  const deny = async (id: string) => {
    await officer.decided(id, "claim");
    await officer.decided(id, "deny", { reason: "no-match" });
  };
  const copies = [await asked("access"), await asked("access"), await asked("access")];
  const dana = privacy.person();
  const withdrawn = requestIn(await dana.send("POST", "/access", {})).requestId;
  await dana.send("POST", `/${withdrawn}/withdraw`, {});
  const erased = await asked("delete");
  privacy.time.ms = begun + 2 * dayMs;
  await deny(copies[0] ?? "");
  await privacy.record(erased, facts.waived);
  privacy.time.ms = begun + 25 * dayMs;
  await deny(copies[1] ?? "");
  for (const fact of [facts.claimed, facts.journalled, facts.suppressed])
    await privacy.record(erased, fact);
  for (const step of ["links", "visits", "subject-key"])
    await privacy.record(erased, facts.stepDone(step));
  await privacy.record(erased, facts.scanClean);
  const { years, types } = await year(2027);
  expect(years).toContain(2027);
  expect(types).toEqual([
    {
      type: "access",
      received: 4,
      fulfilled: 0,
      fulfilledInPart: 0,
      denied: 2,
      deniedBy: [{ reason: "no-match", count: 2 }],
      withdrawn: 1,
      cancelled: 0,
      expired: 0,
      nothingHeld: 0,
      erased: 0,
      open: 1,
      extended: 0,
      inTime: 1,
      late: 2,
      medianDays: 13.5,
      meanDays: 13.5,
    },
    expect.objectContaining({ type: "delete", received: 1, inTime: 1, late: 0, medianDays: 25 }),
    expect.objectContaining({ type: "correct", received: 0, medianDays: null }),
  ]);
  expect((await year(2031)).types.every(({ received }) => received === 0)).toBe(true);
  privacy.time.ms = startMs;
});
