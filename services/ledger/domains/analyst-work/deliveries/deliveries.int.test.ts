import { openPool } from "@pro-talent/platform/postgres/pool";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { asRole } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { relayOutbox } from "../../../kernel/outbox.ts";
import { workerOptions } from "../../../kernel/testing/ledger-workers.ts";
import { buildLedgerWorker, ledgerConnectionsMin } from "../../../worker-app.ts";
import { openWorkService, queryOf } from "../testing/work-service.ts";

const dayMs = 24 * 60 * 60_000;
const text = "SELECT channel, uniqExact(visitor_id) AS visitors FROM sessions GROUP BY channel";

let service: Awaited<ReturnType<typeof openWorkService>>;
beforeAll(async () => {
  service = await openWorkService();
});
afterEach(async () => {
  await service.setAhead(0);
  const { owner } = service.ledger;
  await owner`delete from ledger.due_timer`;
  await owner`update ledger.outbox set given_up_at = now() where done_at is null`;
});
afterAll(() => service.close());

type Listed = { deliveries: { nextAt: string | null; paused: string | null; last: object }[] };
const listed = async (analyst: ReturnType<typeof service.account>) =>
  (await analyst.send("GET", "deliveries")).json<Listed>().deliveries;

describe("a delivery", () => {
  it("comes by mail at each of its times, once, in the account's language, to its own address", async () => {
    const analyst = service.account(["holder", "analyst"], "he");
    const work = await analyst.save("לפי ערוץ", queryOf(text));
    await analyst.deliver(work);
    await service.sweepAndDeliver();
    expect(analyst.mails()).toEqual([]);
    await service.setAhead(dayMs);
    await service.sweepAndDeliver();
    await service.sweepAndDeliver();
    const [mail, ...others] = analyst.mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("נתוני שימוש: לפי ערוץ");
    expect(mail?.text).toContain("search | 20");
    expect(mail?.text).toContain(`/console/analyst/queries/${work.workId}`);
    expect(mail?.text).not.toContain("SELECT");
    expect(await listed(analyst)).toMatchObject([{ paused: null, last: { outcome: "sent" } }]);
    // After a break it is sent once for all times that were missed.
    await service.setAhead(5 * dayMs);
    await service.sweepAndDeliver();
    await service.sweepAndDeliver();
    expect(analyst.mails()).toHaveLength(2);
    // A clock that was set back makes nothing due again.
    await service.setAhead(4 * dayMs);
    await service.sweepAndDeliver();
    expect(analyst.mails()).toHaveLength(2);
  });

  it("of an account that lost the role is paused with the reason, and says nothing", async () => {
    const analyst = service.account();
    await analyst.deliver(await analyst.save("Q", queryOf(text)));
    analyst.lose();
    await service.setAhead(dayMs);
    const before = service.insights.ran.length;
    await service.sweepAndDeliver();
    expect(analyst.mails()).toEqual([]);
    expect(service.insights.ran).toHaveLength(before);
    // The session of the tests still has the role.
    expect(await listed(analyst)).toMatchObject([
      { paused: "role-lost", nextAt: null, last: { outcome: "paused" } },
    ]);
  });

  it("of work that is not shared any more is paused, and goes on when it is", async () => {
    const [owner, colleague] = [service.account(), service.account()];
    const work = await owner.save("Shared", queryOf(text));
    const share = (...sharedWith: string[]) =>
      owner.send("PUT", `saved/${work.workId}/sharing`, { sharedWith });
    await share("analyst");
    const { deliveryId } = await colleague.deliver(work);
    await share();
    await service.setAhead(dayMs);
    await service.sweepAndDeliver();
    expect(colleague.mails()).toEqual([]);
    expect(await listed(colleague)).toMatchObject([{ paused: "work-unavailable", title: null }]);
    const resume = ["POST", `deliveries/${deliveryId}/resume`] as const;
    expect(await colleague.code(...resume)).toBe("work_not_found");
    await share("analyst");
    expect((await colleague.send(...resume)).json()).toMatchObject({
      delivery: { paused: null, title: "Shared", nextAt: expect.any(String) },
    });
  });

  it("is planned, sent at once, changed and removed by its owner alone, and never of what cannot be withheld", async () => {
    const [owner, colleague] = [service.account(), service.account()];
    const work = await owner.save("Q", queryOf(text));
    const { deliveryId } = await owner.deliver(work);
    const path = `deliveries/${deliveryId}`;
    expect(await colleague.code("POST", `${path}/send`)).toBe("delivery_not_found");
    await owner.send("POST", `${path}/send`);
    expect(await owner.code("POST", `${path}/send`)).toBe("delivery_sent_lately");
    await service.sweepAndDeliver();
    expect(owner.mails()).toHaveLength(1);
    const monthly = { every: "month", day: 31, time: "07:00", zone: "UTC" };
    const changed = await owner.send("PUT", path, { schedule: monthly, lastDays: 30 });
    expect(changed.json()).toMatchObject({ delivery: { schedule: monthly, lastDays: 30 } });
    expect(await colleague.code("DELETE", path)).toBe("delivery_not_found");
    await owner.send("DELETE", path);
    expect(await listed(owner)).toEqual([]);
    const free = await owner.save("Free", queryOf("SELECT 1"));
    const plan = {
      of: { kind: "query", workId: free.workId },
      schedule: monthly,
      lastDays: 30,
    };
    expect(await owner.code("POST", "deliveries", plan)).toBe("query_not_withheld");
  });
});

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
    const { clock, mailer } = service.worker;
    const modules = [service.module];
    const change = { modules, mailer, clock, sweepEveryMs: 50, firstWaitMs: 400 };
    const app = await buildLedgerWorker(workerOptions(sql, queueUrl, keys, change));
    workers.push({
      app,
      end: async () => {
        await app.close();
        await sql.end();
      },
    });
  }

  it("send each delivery once, and one of them ends in between", async () => {
    const analysts = Array.from({ length: 8 }, () => service.account());
    for (const analyst of analysts) await analyst.deliver(await analyst.save("Q", queryOf(text)));
    await service.setAhead(dayMs);
    await Promise.all([startWorker(), startWorker()]);
    const mails = () => analysts.flatMap((analyst) => analyst.mails());
    await until("some are mailed", () => mails().length >= 2, 30_000);
    await workers.shift()?.end();
    await until("all are mailed", () => mails().length >= analysts.length, 30_000);
    await until("nothing is left to do", async () => {
      const rows = await service.ledger.owner`
        select from ledger.outbox where done_at is null and given_up_at is null`;
      return rows.length === 0;
    });
    expect(analysts.map((analyst) => analyst.mails().length)).toEqual(analysts.map(() => 1));
  });

  it("send a delivery that a queue has lost", async () => {
    const analyst = service.account();
    await analyst.deliver(await analyst.save("Q", queryOf(text)));
    await service.setAhead(dayMs);
    await service.sweep();
    const { sql, log } = service.ledger;
    const lossy = { add: async () => undefined };
    expect(await relayOutbox({ sql, log, queue: lossy, firstWaitMs: 200 })).toBe(1);
    expect(await relayOutbox({ sql, log, queue: lossy, firstWaitMs: 200 })).toBe(0);
    await startWorker();
    await until("it is mailed", () => analyst.mails().length === 1, 30_000);
  });
});
