import { openPool } from "@pro-talent/platform/postgres/pool";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { asRole } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { relayOutbox } from "../../../kernel/outbox.ts";
import { workerOptions } from "../../../kernel/testing/ledger-workers.ts";
import { buildLedgerWorker, ledgerConnectionsMin } from "../../../worker-app.ts";
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
  const workers: { readonly app: FastifyInstance; readonly end: () => Promise<void> }[] = [];
  let queueUrl: string;
  beforeAll(async () => {
    const { ownerUrl } = service.ledger;
    queueUrl = asRole(ownerUrl, "jobs_app");
    await migrateQueue({ queueUrl, ownerUrl, name: "ledger", role: "jobs_app" });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(({ end }) => end()));
  });

  async function startWorker(): Promise<void> {
    const url = asRole(service.ledger.ownerUrl, "ledger_app");
    const sql = openPool(url, { max: ledgerConnectionsMin, applicationName: "test-worker" });
    const { keys } = service.ledger.testKeys;
    const { clock } = service.worker;
    const change = {
      modules: [service.module],
      mailer: reminded.mailer,
      clock,
      sweepEveryMs: 50,
      firstWaitMs: 400,
    };
    const app = await buildLedgerWorker(workerOptions(sql, queueUrl, keys, change));
    workers.push({
      app,
      end: async () => {
        await app.close();
        await sql.end();
      },
    });
  }

  it("mail each of many reminders once, however many they are, and one ends in between", async () => {
    const applicants = await Promise.all(Array.from({ length: 12 }, () => reminded.newApplicant()));
    for (const applicant of applicants) await applicant.plan(hourMs);
    await service.setAhead(hourMs + minuteMs);
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    const mails = () => applicants.flatMap((applicant) => applicant.mails());
    await until("some are mailed", () => mails().length >= 3, 30_000);
    await workers.shift()?.end();
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
    await startWorker();
    await until("it is mailed", () => applicant.mails().length === 1, 30_000);
  });
});
