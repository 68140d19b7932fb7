import { randomUUID } from "node:crypto";

import { until } from "@pro-talent/platform/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { relayOutbox } from "../../../kernel/outbox.ts";
import { openWorkers } from "../../../kernel/testing/open-ledger-workers.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import { openWorkService, queryOf } from "../testing/work-service.ts";
import { deliveryReturns } from "./send.ts";

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

type Listed = {
  deliveries: { deliveryId: string; nextAt: string | null; paused: string | null; last: object }[];
};
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

describe("the mail of a delivery", () => {
  it("of a dashboard has each tile under its title, and says what is missing", async () => {
    const analyst = service.account();
    const [kept, archived] = [
      await analyst.save("By channel", queryOf(text)),
      await analyst.save("Archived", queryOf(text)),
    ];
    const of = (source: object) => ({ tileId: randomUUID(), title: "", width: 1, source });
    const dashboard = await analyst.save("All of it", {
      kind: "dashboard",
      range: { kind: "last", days: 7 },
      tiles: [
        of({ kind: "query", queryId: kept.workId }),
        { ...of({ kind: "question", question: "channels", chart: "bar" }), title: "Arrivals" },
        of({ kind: "question", question: "channels", chart: "bar" }),
        of({ kind: "query", queryId: archived.workId }),
      ],
    });
    await analyst.send("POST", `saved/${archived.workId}/archive`);
    await analyst.deliver(dashboard);
    await service.setAhead(dayMs);
    const before = service.insights.ran.length;
    await service.sweepAndDeliver();
    expect(service.insights.ran.slice(before)).toEqual([text, "channels", "channels"]);
    const [mail] = analyst.mails();
    expect(mail?.subject).toBe("Analytics: All of it");
    const order = ["By channel", "search | 20", "Arrivals", "Channels", "archived"];
    const places = order.map((part) => mail?.text.indexOf(part) ?? -1);
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(mail?.text).toContain(`/console/analyst/dashboards/${dashboard.workId}`);
  });

  it("can be stopped with one click, which pauses that delivery alone until its owner goes on with it", async () => {
    const analyst = service.account();
    const work = await analyst.save("Q", queryOf(text));
    const [stopped, other] = [await analyst.deliver(work), await analyst.deliver(work)];
    await analyst.send("POST", `deliveries/${stopped.deliveryId}/send`);
    await service.sweepAndDeliver();
    const { headers } = await service.smtp.mailTo(analyst.email);
    expect(headers.get("list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
    const [address = ""] = headers.get("list-unsubscribe") ?? [];
    const { pathname, search } = new URL(address.replaceAll(/[<>\s]/gu, ""));
    const click = (query: string, type = "application/x-www-form-urlencoded") =>
      service.app.inject({
        method: "POST",
        url: pathname + query,
        headers: { "content-type": type },
        payload: "List-Unsubscribe=One-Click",
      });
    expect((await click(`${search}x`)).statusCode).toBe(404);
    for (const type of [undefined, "multipart/form-data; boundary=x"])
      expect((await click(search, type)).json()).toEqual({ status: "off" });
    const pausedOf = async (deliveryId: string) =>
      (await listed(analyst)).find((one) => one.deliveryId === deliveryId)?.paused;
    expect(await pausedOf(stopped.deliveryId)).toBe("by-owner");
    expect(await pausedOf(other.deliveryId)).toBeNull();
    await analyst.send("POST", `deliveries/${stopped.deliveryId}/resume`);
    expect(await pausedOf(stopped.deliveryId)).toBeNull();
    await analyst.send("DELETE", `deliveries/${stopped.deliveryId}`);
    expect((await click(search)).json()).toEqual({ status: "off" });
  });

  it("that a mailbox refuses, or that comes back for good, is the last one; one that comes back for now is not", async () => {
    const [refusing, gone, full] = [service.account(), service.account(), service.account()];
    service.smtp.script(refusing.email, { refuseRecipient: 550, text: "5.1.1 Unknown" });
    for (const analyst of [refusing, gone, full])
      await analyst.deliver(await analyst.save("Q", queryOf(text)));
    await service.setAhead(dayMs);
    await service.sweepAndDeliver();
    const comeBack = async (analyst: typeof gone, kind: "hard" | "soft") => {
      const { headers } = await service.smtp.mailTo(analyst.email);
      const [mailId = ""] = /[^<@]+(?=@)/u.exec(headers.get("message-id")?.[0] ?? "") ?? [];
      const issued = { now: service.now(), cause: testCause() };
      return await deliveryReturns(service.ledger.ledger, { mailId, kind }, issued);
    };
    expect(await comeBack(gone, "hard")).toBe(true);
    expect(await comeBack(full, "soft")).toBe(false);
    const pauses = await Promise.all([refusing, gone, full].map(listed));
    expect(pauses.map(([one]) => one?.paused)).toEqual([
      "mailbox-refused",
      "mailbox-refused",
      null,
    ]);
  });
});

describe("workers", () => {
  let workers: Awaited<ReturnType<typeof openWorkers>>;
  beforeAll(async () => {
    const { ledger, module, worker } = service;
    const change = { modules: [module], mailer: worker.mailer, clock: worker.clock };
    workers = await openWorkers(ledger, change);
  });
  afterEach(() => workers.stopAll());
  afterAll(() => workers.close());

  it("send each delivery once, and one of them ends in between", async () => {
    const analysts = Array.from({ length: 8 }, () => service.account());
    for (const analyst of analysts) await analyst.deliver(await analyst.save("Q", queryOf(text)));
    await service.setAhead(dayMs);
    await Promise.all([workers.start(), workers.start()]);
    const mails = () => analysts.flatMap((analyst) => analyst.mails());
    await until("some are mailed", () => mails().length >= 2, 30_000);
    await workers.stopOne();
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
    await workers.start();
    await until("it is mailed", () => analyst.mails().length === 1, 30_000);
  });
});
