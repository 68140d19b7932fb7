import { type Mail, MailDelayed, MailRefused } from "@pro-talent/platform/mail/mailer";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { deliverMails } from "./deliver-mails.ts";
import { type ReportOpening, reportOpenings } from "./openings.ts";
import { type AccountsUnderTest, openAccountsUnderTest } from "./testing/accounts-under-test.ts";

const minute = 60_000;
const hour = 60 * minute;

let accounts: AccountsUnderTest;
beforeAll(async () => {
  accounts = await openAccountsUnderTest();
});
beforeEach(async () => {
  await accounts.sql`delete from accounts.account_opening`;
  await accounts.sql`delete from accounts.requested_mail`;
});
afterAll(() => accounts.drop());

describe("the opening of an account", () => {
  type Report = Parameters<ReportOpening>[0];
  const pass = (report: ReportOpening) =>
    reportOpenings(accounts.sql, report, accounts.context.clock());

  it("reaches the ledger although the worker ended between the account and the record", async () => {
    await accounts.join("killed@example.com");
    const reports: Report[] = [];
    // The ledger has recorded it, and the answer is lost.
    const lost = async (report: Report) => {
      reports.push(report);
      throw new Error("connection reset");
    };
    await expect(pass(lost)).rejects.toThrow("connection reset");
    expect(await pass(lost)).toBe(0);
    accounts.advance(minute);
    expect(await pass(async (report) => void reports.push(report))).toBe(1);
    accounts.advance(24 * hour);
    expect(await pass(lost)).toBe(0);
    expect(reports).toHaveLength(2);
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[0]).toMatchObject({
      acceptedAt: "2026-11-22T12:00:00.000Z",
      documents: [{ document: "terms" }, { document: "privacy" }],
    });
    expect(reports[0]?.invitationId).not.toBeNull();
  });

  it("is reported again for as long as it takes, and by one worker at a time", async () => {
    await accounts.join("patient@example.com");
    let attempts = 0;
    const away = async () => {
      attempts += 1;
      throw new Error("away");
    };
    for (let passed = 0; passed < 5 * 24; passed += 1) {
      await pass(away).catch(() => undefined);
      accounts.advance(hour);
    }
    expect(attempts).toBe(5 * 24);
    const reports: Report[] = [];
    const report = async (one: Report) => void reports.push(one);
    await Promise.all([pass(report), pass(report), pass(report)]);
    expect(reports).toHaveLength(1);
  });
});

describe("a requested mail", () => {
  const request = (email: string) =>
    accounts.call("POST /api/account/registration", { body: { email, language: "he" } });
  const pass = (send: (mail: Mail) => Promise<void>, onGivenUp = (_kind: string): void => {}) => {
    const { sql, keys, publicOrigin, clock } = accounts.context;
    return deliverMails({ sql, keys, publicOrigin, mailer: { send }, onGivenUp }, clock());
  };
  const waiting = async () =>
    (await accounts.sql<{ n: number }[]>`select count(*) as n from accounts.requested_mail`)[0]?.n;

  it("is the same mail in each attempt, and its link is valid from the one that succeeds", async () => {
    await request("retry@example.com");
    const mails: Mail[] = [];
    const delayed = async (mail: Mail) => {
      mails.push(mail);
      throw new MailDelayed("greylisted");
    };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(pass(delayed)).rejects.toThrow("greylisted");
      accounts.advance(6 * hour);
    }
    await pass(async (mail) => void mails.push(mail));
    expect(mails).toHaveLength(4);
    expect(new Set(mails.map(({ id, text }) => `${id} ${text}`)).size).toBe(1);
    expect(await waiting()).toBe(0);
    accounts.advance(24 * hour - 1);
    const token = /#token=([\w-]+)/.exec(mails[0]?.text ?? "")?.[1];
    const link = await accounts.call("POST /api/account/invitation", { body: { token } });
    expect(link.statusCode).toBe(200);
  });

  it("is given up after twelve attempts, and dropped at once when the mailbox does not exist", async () => {
    await request("never@example.com");
    const kinds: string[] = [];
    let attempts = 0;
    const fails = async () => {
      attempts += 1;
      throw new MailDelayed("away");
    };
    for (let passed = 0; passed < 100; passed += 1) {
      await pass(fails, (kind) => kinds.push(kind)).catch(() => undefined);
      accounts.advance(hour);
    }
    expect([attempts, kinds]).toEqual([12, ["registration"]]);
    await accounts.sql`delete from accounts.requested_mail`;
    await request("no-mailbox@example.com");
    await pass(async () => {
      throw new MailRefused("no such mailbox");
    });
    expect(await waiting()).toBe(0);
  });

  it("is sent by one of several workers", async () => {
    for (let n = 0; n < 4; n += 1) await request(`worker-${n}@example.com`);
    const sent: string[] = [];
    const send = async ({ to }: Mail) => void sent.push(to.address);
    await Promise.all([pass(send), pass(send), pass(send)]);
    expect(new Set(sent).size).toBe(4);
    expect(sent).toHaveLength(4);
  });
});
