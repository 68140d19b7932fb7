import { randomUUID } from "node:crypto";

import { MailDelayed } from "@pro-talent/platform/mail/mailer";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCommand } from "../../kernel/commands.ts";
import { reconcileAll } from "../../kernel/reconcile.ts";
import { loadState } from "../../kernel/streams.ts";
import { modules } from "../../modules.ts";
import { testCause } from "../../testing/create-test-ledger.ts";
import { definitionsOf } from "../../verifier/definitions.ts";
import { verifyLedger } from "../../verifier/verify.ts";
import { issueOwed } from "./issue.ts";
import { invoicing } from "./module.ts";
import { series } from "./series/series.ts";
import { settingsOf } from "./testing/bookkeeping.ts";
import {
  type InvoiceService,
  openInvoiceService,
  paidCharge,
  settledRefund,
} from "./testing/invoice-service.ts";
import { sampleInvoice } from "./testing/samples.ts";

let service: InvoiceService;
beforeAll(async () => {
  service = await openInvoiceService();
});
afterAll(() => service.close());

const soon = () => instantFromMs(Date.now() + 60_000);
/** The numbers of a series, as its events hold them. */
async function numbersOf(series: string): Promise<number[]> {
  const rows = await service.ledger.sql<{ number: number }[]>`
    select (data::jsonb ->> 'number')::int as number from ledger.event
     where stream like ${`series-${series}%`} order by version`;
  return rows.map(({ number }) => number);
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("a payment", () => {
  it("leads to one invoice in the buyer's language, and its return to one credit note", async () => {
    const holder = service.holder("he");
    const charge = paidCharge();
    await service.bill(holder.accountId, ...charge.events, ...settledRefund(charge.id, 400));
    await service.work();
    await service.bill(holder.accountId, ...settledRefund(charge.id, 600, 2));
    await service.work();
    const [second, first, invoice] = await holder.documents();
    expect(invoice).toMatchObject({ kind: "invoice", total: 1000, language: "he", corrects: null });
    expect(first).toMatchObject({ kind: "credit-note", total: 400, corrects: invoice?.label });
    expect(second).toMatchObject({ kind: "credit-note", total: 600, corrects: invoice?.label });
  });

  it("leads to its documents once the accounts service is back", async () => {
    const holder = service.holder();
    const { id, events } = paidCharge();
    await service.bill(holder.accountId, ...events);
    service.accounts.state.up = false;
    const issued = { now: soon(), cause: testCause() };
    await expect(issueOwed(service.context, settingsOf(), id, issued)).rejects.toThrow("500");
    expect(await holder.documents()).toEqual([]);
    service.accounts.state.up = true;
    await service.work();
    expect(await holder.documents()).toHaveLength(1);
  });

  it("of an account that is gone keeps the buyer of its first document", async () => {
    const holder = service.holder();
    const charge = paidCharge();
    await service.bill(holder.accountId, ...charge.events);
    await service.work();
    service.accounts.contacts.delete(holder.accountId);
    await service.bill(holder.accountId, ...settledRefund(charge.id, 1000));
    await service.work();
    const [note] = await holder.documents();
    const page = await holder.get(`/api/invoices/${note?.documentId}/html`);
    expect(page.body).toContain("Noa Levi");
  });
});

describe("numbers", () => {
  it("are without gaps when several workers issue at once, and again after crashes (case 40)", async () => {
    const before = (await numbersOf("inv")).length;
    const charges = await Promise.all(
      upTo(12).map(async () => {
        const holder = service.holder();
        const charge = paidCharge();
        await service.bill(holder.accountId, ...charge.events);
        return charge.id;
      }),
    );
    const issued = { now: soon(), cause: testCause() };
    const issue = (id: string) => issueOwed(service.context, settingsOf(), id, issued);
    // Each is issued by two workers; the loser of a number may give up, and is repeated.
    await Promise.allSettled([...charges, ...charges].map(issue));
    for (const id of charges) await issue(id);
    expect(await numbersOf("inv")).toEqual(upTo(before + 12));
    await service.work();
  });

  it("are not used up by what is rolled back, nor twice when a worker died before the record", async () => {
    const { ledger } = service;
    const holder = service.holder();
    const charge = paidCharge();
    await service.bill(holder.accountId, ...charge.events);
    const before = (await numbersOf("inv")).length;
    const issued = { now: soon(), cause: testCause() };
    const wrong = settingsOf({ INVOICE_SHEKEL_RATES: "" });
    await expect(issueOwed(service.context, wrong, charge.id, issued)).rejects.toThrow("no rate");
    // The number is given, and the record of it is refused by the database.
    await ledger.owner`alter table ledger.event add constraint crash
      check (type <> 'IssueRecorded') not valid`;
    await expect(issueOwed(service.context, settingsOf(), charge.id, issued)).rejects.toThrow(
      "crash",
    );
    await ledger.owner`alter table ledger.event drop constraint crash`;
    expect(await numbersOf("inv")).toEqual(upTo(before + 1));
    await service.work();
    expect(await numbersOf("inv")).toEqual(upTo(before + 1));
    expect(await holder.documents()).toHaveLength(1);
  });

  it("are read from a snapshot that does not grow, however many there are", async () => {
    const { ledger, sql } = service.ledger;
    const { number: _number, label: _label, issuedOn: on, ...facts } = sampleInvoice().issued;
    const issue = async (document: string) => {
      const command = {
        type: "IssueDocument",
        facts: { ...facts, document },
        on,
        prefix: "L-",
      } as const;
      const context = { now: soon(), cause: testCause() };
      return runCommand(ledger, series, { id: "long", command, body: { document }, ...context });
    };
    for (const _ of upTo(120)) await issue(randomUUID());
    const { state, version, eventsRead } = await loadState(sql, series, "long");
    expect(version).toBe(120);
    expect(eventsRead).toBeLessThan(100);
    expect(state).toEqual({ last: 120, lastOn: on });
    expect(await numbersOf("long")).toEqual(upTo(120));
  });
});

describe("the mail", () => {
  it("carries the document, and is repeated until the mail server accepts it", async () => {
    const holder = service.holder("he");
    const accepts = service.mailServer.send;
    service.mailServer.send = async () => {
      throw new MailDelayed("421");
    };
    await service.bill(holder.accountId, ...paidCharge().events);
    await service.work();
    service.mailServer.send = accepts;
    const own = () =>
      service.mails.filter(({ to }) => to.address === `${holder.accountId}@example.com`);
    expect(own()).toHaveLength(0);
    await service.work(instantFromMs(Date.now() + 10 * 60_000));
    await service.work(instantFromMs(Date.now() + 20 * 60_000));
    const [mail, ...others] = own();
    expect(others).toEqual([]);
    expect(mail?.language).toBe("he");
    expect(mail?.subject).toContain("INV-");
    expect(mail?.text).toContain("https://talent.example/account/subscription");
    expect(mail?.attachments?.[0]?.bytes.subarray(0, 5).toString()).toBe("%PDF-");
  });
});

describe("the buyer", () => {
  it("is in no event, and is gone seven years after the last document", async () => {
    const { ledger } = service;
    const holder = service.holder();
    const charge = paidCharge();
    await service.bill(holder.accountId, ...charge.events);
    await service.work();
    const [plain] = await ledger.sql`
      select from ledger.event where data like '%Noa Levi%' or data like '%@example.com%' limit 1`;
    expect(plain).toBeUndefined();
    const [document] = await holder.documents();
    const page = `/api/invoices/${document?.documentId}/html`;
    expect((await holder.get(page)).body).toContain("Noa Levi");
    const years = 7 * 366 * 24 * 60 * 60 * 1000;
    await service.work(instantFromMs(Date.now() + years));
    const after = await holder.get(page);
    expect(after.body).not.toContain("Noa Levi");
    expect(after.body).toContain("10.00 USD");
    expect(await ledger.subjects.find(charge.id)).toBeUndefined();
  });
});

it("whatever happened: timers, keys, snapshots and the chain are as the events demand", async () => {
  const { sql, owner } = service.ledger;
  const found = await reconcileAll({ sql, kinds: invoicing.streams });
  expect(found).toMatchObject({ armed: 0, removed: 0, destroyed: 0, skipped: 0 });
  const verified = await verifyLedger(owner, { definitions: definitionsOf(modules) });
  // The events of billing are here without its rows and timers, and the tests are ahead of the clock.
  const expected = /billing|counts as fired at another time/;
  expect(verified.findings.filter(({ what }) => !expected.test(what ?? ""))).toEqual([]);
});
