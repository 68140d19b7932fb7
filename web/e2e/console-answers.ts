import { Breach, breachCalls } from "@pro-talent/schemas/breaches/calls";
import { noticeHours } from "@pro-talent/schemas/breaches/kinds";
import { overviewCalls } from "@pro-talent/schemas/privacy/overview-calls";
import { processingRecordCalls } from "@pro-talent/schemas/privacy/processing-record";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

import { type AnsweredCall, answerCalls } from "./answer-calls.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const iso = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
const id = (digit: number): string => `${digit}f8fad5b-d9cb-469f-a165-70867728950e`;

export const { clocks } = overviewCalls["GET /api/console/privacy/calendar"].answer.parse({
  more: 0,
  clocks: [
    { kind: "hold-review", endsAt: iso(-3), id: id(5), detail: "Income Tax Ordinance, סעיף 130" },
    { kind: "breach", endsAt: iso(0.9), id: id(7), detail: "breaches.deadline" },
    { kind: "due", endsAt: iso(2), id: id(1), detail: "access" },
    { kind: "identity", endsAt: iso(2), id: id(2), detail: "correct" },
    { kind: "erase", endsAt: iso(9), id: id(5), detail: "delete" },
    { kind: "inactivity", endsAt: iso(12), id: id(6), detail: "inactivity.notice" },
    { kind: "backups", endsAt: iso(70), id: id(4), detail: "delete" },
  ],
});

const figures = {
  cancelled: 0,
  deniedBy: [],
  erased: 0,
  expired: 0,
  extended: 0,
  fulfilledInPart: 0,
  nothingHeld: 0,
  open: 0,
  withdrawn: 0,
};
const year = overviewCalls["GET /api/console/privacy/metrics"].answer.parse({
  years: [2026, 2025],
  types: [
    {
      ...figures,
      type: "access",
      received: 41,
      fulfilled: 33,
      denied: 4,
      deniedBy: [
        { reason: "no-match", count: 3 },
        { reason: "suspected-fraud", count: 1 },
      ],
      withdrawn: 2,
      open: 2,
      extended: 3,
      inTime: 38,
      late: 1,
      medianDays: 4.5,
      meanDays: 6.2,
    },
    {
      ...figures,
      type: "delete",
      received: 18,
      fulfilled: 7,
      fulfilledInPart: 4,
      denied: 0,
      cancelled: 3,
      open: 4,
      inTime: 18,
      late: 0,
      medianDays: 30,
      meanDays: 29.4,
    },
    {
      ...figures,
      type: "correct",
      received: 0,
      fulfilled: 0,
      denied: 0,
      inTime: 0,
      late: 0,
      medianDays: null,
      meanDays: null,
    },
  ],
});

const record = processingRecordCalls["GET /api/privacy/officer/processing-record"].answer.parse({
  activities: [
    {
      id: "accounts",
      name: { en: "Accounts", he: "חשבונות" },
      purpose: { en: "Sign-in", he: "התחברות" },
      basis: "contract",
      subjects: ["account-holders"],
      recipients: ["mail-provider"],
      assets: ["accounts.account", "accounts.session"].map((name) => ({
        store: "postgres",
        name,
        fields: [],
        retention: {
          clock: "account-deleted",
          enforcedBy: { by: "code", detail: "eraseAccount" },
        },
        eraser: null,
        exporter: null,
        scanner: null,
      })),
    },
  ],
});

/** A breach that was discovered so many hours ago. */
export function exampleBreach(digit: number, hoursAgo: number, change: object = {}): Breach {
  const draft = (title: string, body: string) => ({ title, body });
  const drafts = {
    en: draft("Notification of a personal data breach", "What happened: A laptop was stolen"),
    he: draft("הודעה על אירוע אבטחה במידע אישי", "מה קרה: מחשב נייד נגנב"),
  };
  return Breach.parse({
    breachId: id(digit),
    discoveredAt: iso(-hoursAgo / 24),
    notifyBy: iso((noticeHours - hoursAgo) / 24),
    people: 1200,
    records: 3400,
    dataCategories: ["contact"],
    peopleCategories: ["account-holders"],
    stores: ["postgres accounts.account"],
    authority: "open",
    subjects: "open",
    closedAt: null,
    version: 1,
    text: {
      nature: "מחשב נייד נגנב, a laptop was stolen",
      consequences: "",
      measures: "Keys changed",
    },
    authorityReason: null,
    subjectsReason: null,
    drafts: { authority: drafts, subjects: drafts },
    history: [{ type: "BreachRecorded", at: iso(-hoursAgo / 24), officerId: id(9) }],
    ...change,
  });
}

const Decided = z.object({ of: z.enum(["authority", "subjects"]), notify: z.boolean() });
const Notified = z.object({ of: z.enum(["authority", "subjects"]) });
const Recorded = z.object({ facts: z.object({ people: z.int(), stores: z.array(z.string()) }) });

/** The calls of the calendar, the figures and the register, as journeys need them. */
export class ConsoleAnswers {
  clocks: readonly object[] = clocks;
  year: object = year;
  breaches: Breach[] = [exampleBreach(7, 50), exampleBreach(8, 80, { authority: "to-send" })];
  /** When the address for calendar programs was made. */
  feedMadeAt: string | null = null;
  readonly acts: (readonly [act: string, body: unknown])[] = [];
  /** By the last part of the path: the status that is answered instead, once. */
  readonly instead = new Map<string, { status: number; code: string }>();

  async takeOver(context: BrowserContext): Promise<void> {
    await answerCalls(
      context,
      (path) =>
        /^\/api\/(?:console\/privacy\/(?:calendar|metrics|breaches)|privacy\/officer)/u.test(path),
      (route) => this.#answer(route),
    );
    await answerCalls(
      context,
      (path) => /^\/api\/console\/privacy\/requests\/[^/]+\/evidence[^/]*$/u.test(path),
      (route) => route.fulfill({ contentType: "application/zip", body: "PK" }),
    );
  }

  async #answer(route: AnsweredCall): Promise<void> {
    const request = route.request();
    const parts = new URL(request.url()).pathname.split("/");
    const last = parts.at(-1) ?? "";
    const instead = this.instead.get(last);
    this.instead.delete(last);
    if (instead !== undefined)
      await route.fulfill({ status: instead.status, json: { code: instead.code } });
    else if (parts.includes("calendar-feed"))
      await route.fulfill(this.#feed(request.method(), last));
    else if (last === "calendar") await route.fulfill({ json: { clocks: this.clocks, more: 0 } });
    else if (last === "metrics") await route.fulfill({ json: this.year });
    else if (last === "processing-record") await route.fulfill({ json: record });
    else if (request.method() === "POST") await this.#act(route, parts);
    else if (last === "breaches") await this.#list(route);
    else
      await route.fulfill({ json: { breach: this.breaches.find((one) => one.breachId === last) } });
  }

  #feed(method: string, last: string) {
    if (method === "GET") return { json: { madeAt: this.feedMadeAt } };
    this.feedMadeAt = last === "revoke" ? null : iso(0);
    const url = `https://example.com/api/privacy/calendar/${"a".repeat(43)}`;
    return { status: last === "revoke" ? 200 : 201, json: { madeAt: this.feedMadeAt, url } };
  }

  async #list(route: AnsweredCall): Promise<void> {
    const answer = breachCalls["GET /api/console/privacy/breaches"].answer;
    await route.fulfill({ json: answer.parse({ breaches: this.breaches }) });
  }

  async #act(route: AnsweredCall, parts: readonly string[]): Promise<void> {
    const body: unknown = route.request().postDataJSON();
    const [breachId = "", act = "record"] = parts.slice(5);
    this.acts.push([act, body]);
    if (act === "record") {
      const { facts } = Recorded.parse(body);
      this.breaches = [exampleBreach(6, 1, facts), ...this.breaches];
      await route.fulfill({ status: 201, json: { breachId: id(6) } });
      return;
    }
    const change = this.#changeOf(act, body);
    this.breaches = this.breaches.map((one) =>
      one.breachId === breachId
        ? Breach.parse({ ...one, ...change, version: one.version + 1 })
        : one,
    );
    await route.fulfill({ json: { status: "recorded" } });
  }

  #changeOf(act: string, body: unknown): object {
    if (act === "decide") {
      const { of, notify } = Decided.parse(body);
      return { [of]: notify ? "to-send" : "not-needed" };
    }
    if (act === "notified") return { [Notified.parse(body).of]: "sent" };
    return act === "close" ? { closedAt: iso(0) } : {};
  }
}
