import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

import { type LedgerWorkers, openLedgerWorkers } from "./testing/open-ledger-workers.ts";

let workers: LedgerWorkers;
let smtp: ScriptedSmtp;
let mailer: Mailer;
beforeAll(async () => {
  [workers, smtp] = await Promise.all([openLedgerWorkers(), startScriptedSmtp()]);
  mailer = connectMailer({ smtpUrl: smtp.url, from: { name: "", address: "a@talent.example" } });
});
afterAll(async () => {
  await workers.rest();
  await mailer.close();
  await Promise.all([smtp.stop(), workers.close()]);
});

const mail = { subject: "s", text: "t", html: "<p>t</p>", language: "en" } as const;

it("a mail that may have arrived has two copies at most, hours apart, and is then given up", async () => {
  const to = { address: "noa@example.com" };
  smtp.script(to.address, "keep-and-drop");
  await workers.start({ "test.post": () => mailer.send({ ...mail, id: "test-1", to }) }, 100);
  const [id = 0] = await workers.post([{ name: "test.post", payload: {} }]);
  type Row = { turn: number; hours: number; given_up: boolean };
  const row = async (): Promise<Row | undefined> => {
    const [found] = await workers.ledger.owner<Row[]>`
      select turn, given_up_at is not null as given_up,
             extract(epoch from due_at - clock_timestamp())::float8 / 3600 as hours
        from ledger.outbox where id = ${id}`;
    return found;
  };
  const waits = () => until("it waits", async () => ((await row())?.hours ?? 0) > 3.9);
  await waits();
  expect(await row()).toMatchObject({ given_up: false });
  // No job of the queue tries again on its own: the message's job has ended well.
  const delayed = await workers.store.bull.getJobs(["delayed"]);
  expect(delayed.map(({ name }) => name)).not.toContain("ledger.deliver-message");
  expect(smtp.byMessageId()).toEqual(new Map([["<test-1@talent.example>", 1]]));

  const moveTimeOn = () =>
    workers.ledger.owner`update ledger.outbox set due_at = clock_timestamp() where id = ${id}`;
  await moveTimeOn();
  await until("it is given up", async () => (await row())?.given_up);
  await moveTimeOn();
  const [later = 0] = await workers.post([{ name: "test.post", payload: {} }]);
  smtp.script(to.address, "accept");
  await until("a later message is done", async () => (await workers.done([later])) === 1);
  expect(smtp.byMessageId()).toEqual(new Map([["<test-1@talent.example>", 3]]));
  expect(await workers.done([id])).toBe(0);
});
