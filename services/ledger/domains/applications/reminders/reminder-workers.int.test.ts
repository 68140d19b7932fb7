import { until } from "@pro-talent/platform/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { relayOutbox } from "../../../kernel/outbox.ts";
import { openWorkers } from "../../../kernel/testing/open-ledger-workers.ts";
import { openReminded, type Reminded } from "../testing/reminded.ts";
import type { TrackerService } from "../testing/tracker-service.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let reminded: Reminded;
let service: TrackerService;
beforeAll(async () => {
  reminded = await openReminded();
  ({ service } = reminded);
});
afterEach(() => reminded.settle());
afterAll(() => reminded.close());

describe("workers", () => {
  let workers: Awaited<ReturnType<typeof openWorkers>>;
  beforeAll(async () => {
    const { ledger, module, worker } = service;
    const change = { modules: [module], mailer: reminded.mailer, clock: worker.clock };
    workers = await openWorkers(ledger, change);
  });
  afterEach(() => workers.stopAll());
  afterAll(() => workers.close());

  it("mail each of many reminders once, however many they are, and one ends in between", async () => {
    const applicants = await Promise.all(Array.from({ length: 12 }, () => reminded.newApplicant()));
    for (const applicant of applicants) await applicant.plan(hourMs);
    await service.setAhead(hourMs + minuteMs);
    await Promise.all([workers.start(), workers.start(), workers.start()]);
    const mails = () => applicants.flatMap((applicant) => applicant.mails());
    await until("some are mailed", () => mails().length >= 3, 30_000);
    await workers.stopOne();
    await until("all are mailed", () => mails().length >= applicants.length, 30_000);
    const left = await until("nothing is left to do", async () => {
      const rows = await service.ledger.owner`
        select from ledger.outbox where done_at is null and given_up_at is null`;
      return rows.length === 0;
    });
    expect(left).toBe(true);
    expect(applicants.map((applicant) => applicant.mails().length)).toEqual(
      applicants.map(() => 1),
    );
  });

  it("mail a reminder that a queue has lost", async () => {
    const applicant = await reminded.newApplicant();
    await applicant.plan(hourMs);
    await service.setAhead(hourMs + minuteMs);
    await service.sweep();
    const { sql, log } = service.ledger;
    const lossy = { add: async () => undefined };
    expect(await relayOutbox({ sql, log, queue: lossy, firstWaitMs: 200 })).toBe(1);
    expect(await relayOutbox({ sql, log, queue: lossy, firstWaitMs: 200 })).toBe(0);
    await workers.start();
    await until("it is mailed", () => applicant.mails().length === 1, 30_000);
  });
});
