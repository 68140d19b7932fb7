import { roles } from "@pro-talent/schemas/primitives/access";
import { calendarFeedCalls } from "@pro-talent/schemas/privacy/calendar-feed";
import ICAL from "ical.js";
import { afterAll, beforeAll, expect, it } from "vitest";

import { dayMs, openPrivacy, problemOf, requestIn } from "../testing/open-privacy.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let startMs: number;
beforeAll(async () => {
  privacy = await openPrivacy();
  startMs = privacy.time.ms;
});
afterAll(() => privacy.close());

const at = (days: number): string => new Date(startMs + days * dayMs).toISOString();
const base = "/api/console/privacy/calendar-feed";
const made = calendarFeedCalls[`POST ${base}`].answer;

const makeFeed = async (officer: ReturnType<typeof privacy.officer>): Promise<string> => {
  const answer = await officer.call("POST", base, { payload: {} });
  expect(answer.statusCode).toBe(201);
  return new URL(made.parse(answer.json()).url).pathname;
};
const read = (path: string, language = "en") =>
  privacy.app.inject({ method: "GET", url: `${path}?language=${language}` });

/** What another program reads in the file. */
const entriesIn = (file: string) =>
  ICAL.Component.fromString(file)
    .getAllSubcomponents("vevent")
    .map((one) => new ICAL.Event(one))
    .map((event) => ({
      uid: event.uid,
      summary: event.summary,
      status: event.component.getFirstPropertyValue("status"),
      sequence: event.sequence,
      ends: event.endDate.toJSDate().toISOString(),
    }));

it("an officer's calendar program follows every clock, in both languages, as RFC 5545 has it", async () => {
  const officer = privacy.officer();
  const dana = privacy.person();
  const copy = requestIn(await dana.send("POST", "/access", {})).requestId;
  const erased = requestIn(await privacy.person().askForDeletion()).requestId;
  const law = "Income Tax Ordinance 130, Dana Levi";
  await officer.decided(erased, "hold", { law, reviewAt: at(60) });
  const path = await makeFeed(officer);
  const answer = await read(path);
  expect(answer.headers["content-type"]).toContain("text/calendar");
  const [due, review, erase] = entriesIn(answer.body);
  const number = copy.slice(0, 8);
  const { dueAt } = await officer.read(copy);
  expect(due).toMatchObject({ summary: `Decision due · copy of data · ${number}`, ends: dueAt });
  expect(due?.status).toBe("CONFIRMED");
  expect(review).toMatchObject({ ends: at(60), status: "CONFIRMED" });
  expect(erase).toMatchObject({ ends: at(30), status: "CANCELLED" });
  // UTC, lines of at most 75 octets that end with CRLF, and nothing of a person.
  const lines = answer.body.split("\r\n");
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  expect(answer.body.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/u);
  expect(lines.filter((line) => /^DT(?:START|END|STAMP)/u.test(line))).not.toEqual([]);
  expect(lines.filter((line) => line.startsWith("DT") && !/:\d{8}T\d{6}Z$/u.test(line))).toEqual(
    [],
  );
  for (const personal of [dana.accountId, "Dana", "@example.com", "Ordinance"])
    expect(answer.body).not.toContain(personal);
  const hebrew = await read(path, "he");
  expect(entriesIn(hebrew.body)[0]?.summary).toBe(`מועד החלטה · עותק של נתונים · ${number}`);
  expect(hebrew.body.split("\r\n").filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
});

it("an entry keeps its id when it changes, and is cancelled with its decision", async () => {
  const officer = privacy.officer();
  const id = requestIn(await privacy.person().send("POST", "/access", {})).requestId;
  const path = await makeFeed(officer);
  const entry = async () =>
    entriesIn((await read(path)).body).find(({ uid }) => uid.startsWith(`due-${id}@`));
  const before = await entry();
  await officer.decided(id, "claim");
  await officer.decided(id, "deny", { reason: "no-match" });
  const after = await entry();
  expect(after).toMatchObject({ uid: before?.uid, ends: before?.ends, status: "CANCELLED" });
  expect(after?.sequence).toBeGreaterThan(before?.sequence ?? 0);
});

it("an address ends when it is revoked, replaced, or its officer has the role no more", async () => {
  const officer = privacy.officer();
  const first = await makeFeed(officer);
  const second = await makeFeed(officer);
  expect((await read(first)).statusCode).toBe(404);
  expect((await read(second)).statusCode).toBe(200);
  expect((await officer.call("GET", base)).json()).toEqual({ madeAt: at(0) });
  const revoked = await officer.call("POST", `${base}/revoke`, { payload: {} });
  expect(revoked.json()).toEqual({ madeAt: null });
  expect(problemOf(await read(second)).code).toBe("feed_unknown");
  const third = await makeFeed(officer);
  privacy.dismiss(officer.accountId);
  expect(problemOf(await read(third)).code).toBe("feed_unknown");
  expect((await read("/api/privacy/calendar/short")).statusCode).toBe(404);
});

it("an address that reads too often in a minute is refused, with the time to wait; another reads on", async () => {
  const url = await makeFeed(privacy.officer());
  const unknown = "/api/privacy/calendar/" + "A".repeat(43);
  const app = await privacy.openApp(4);
  const readFrom = (remoteAddress: string, path: string) =>
    app.inject({ method: "GET", url: path, remoteAddress });
  const statuses: number[] = [];
  // Guesses count like reads, so that no caller finds an address by trying.
  for (const path of [url, unknown, url, unknown, url, unknown])
    statuses.push((await readFrom("192.0.2.1", path)).statusCode);
  expect(statuses).toEqual([200, 404, 200, 404, 429, 429]);
  const refused = await readFrom("192.0.2.1", url);
  expect(problemOf(refused).code).toBe("rate_limited");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.body).not.toContain("VCALENDAR");
  expect((await readFrom("192.0.2.2", url)).statusCode).toBe(200);
  await app.close();
});

it.each(roles.filter((role) => role !== "officer"))("a %s makes no feed", async (role) => {
  const { call } = privacy.staff([role]);
  expect((await call("GET", base)).statusCode).toBe(403);
  expect((await call("POST", base, { payload: {} })).statusCode).toBe(403);
  expect((await call("POST", `${base}/revoke`, { payload: {} })).statusCode).toBe(403);
});
