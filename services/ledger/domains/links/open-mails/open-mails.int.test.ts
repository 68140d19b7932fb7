import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { linkCalls } from "@pro-talent/schemas/links/calls";
import type { OpenMailPreference } from "@pro-talent/schemas/links/mail-events";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

import { deliverMessage } from "../../../kernel/outbox.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import { restrict } from "../../privacy/testing/restrict.ts";
import { knownOpens } from "../testing/known-opens.ts";
import { type LinkService, openLinkService } from "../testing/link-service.ts";
import { lastDue } from "./digest-times.ts";
import { openMailReturns } from "./send.ts";
import { watchOpens } from "./watch.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const Made = linkCalls["POST /api/links"].answer;
const insights = knownOpens();
const { opened, opens } = insights;
const languages = new Map<string, Locale>();
const gone = new Set<string>();
let service: LinkService;
let smtp: ScriptedSmtp;
let mailer: Mailer;

const addressOf = (accountId: string): string => `${accountId}@example.com`;
const contactOf = async (accountId: string) =>
  gone.has(accountId)
    ? undefined
    : {
        email: addressOf(accountId),
        fullName: "Noa Levi",
        address: "",
        language: languages.get(accountId) ?? "en",
        timeZone: "Asia/Jerusalem",
      };

beforeAll(async () => {
  [service, smtp] = await Promise.all([openLinkService({ opens, contactOf }), startScriptedSmtp()]);
  const from = { name: "Pro Talent", address: "hello@talent.example" };
  mailer = connectMailer({ smtpUrl: smtp.url, from });
});
afterEach(() => {
  insights.away = false;
  smtp.forget();
});
afterAll(async () => {
  await Promise.all([mailer.close(), service.close()]);
  await smtp.stop();
});

const now = (): Instant => instantFromMs(service.worker.clock());

async function newOwner(plan: "premium" | "free", language: Locale = "en") {
  const browser = service.browser();
  const { accountId } = browser;
  languages.set(accountId, language);
  if (plan === "premium") {
    await service.ledger.owner`
      insert into ledger.billing_entitlement (account_id, plan, pos) values (${accountId}, ${plan}, 0)`;
  }
  return {
    ...browser,
    link: async (label: string) => {
      const target = { kind: "external", url: "https://example.org/cv" };
      const answer = await browser.send("POST", "/api/links", { label, target });
      return Made.parse(answer.json()).link.linkId;
    },
    open: (linkId: string, country: string | null = "IL") =>
      opened.push({ accountId, linkId, at: now(), country }),
    choose: (preference: OpenMailPreference) =>
      browser.send("PUT", "/api/link-mails", { preference }),
    mails: () => smtp.accepted().filter(({ to }) => to === addressOf(accountId)),
  };
}

/** What the worker does again and again; a new one knows only what is stored. */
const look = async (): Promise<void> => {
  const { worker: context } = service;
  await watchOpens({ context, opens, contactOf })();
};

async function deliver(): Promise<void> {
  const handlers = service.module.messages({ ...service.worker, mailer }, {});
  const messages = await service.ledger.sql<{ id: number }[]>`
    select id from ledger.outbox where name = 'links.open-mail' order by id`;
  for (const { id } of messages) await deliverMessage(service.ledger.sql, handlers, id);
}

async function lookAndDeliver(): Promise<void> {
  service.moveClock(60_000);
  await look();
  await deliver();
}

it.each([
  ["en", "Your link “Acme” was opened", "Germany"],
  ["he", "הקישור „Acme” נפתח", "גרמניה"],
] as const)(
  "in %s, the first open of a link is mailed once, with time and country",
  async (language, subject, country) => {
    const owner = await newOwner("premium", language);
    const linkId = await owner.link("Acme");
    owner.open(linkId, "DE");
    await lookAndDeliver();
    owner.open(linkId);
    await lookAndDeliver();
    expect(owner.mails()).toHaveLength(1);
    const mail = await smtp.mailTo(addressOf(owner.accountId));
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(country);
    expect(mail.text).toContain(`/links/${linkId}`);
  },
);

it("without analytics only the first open of all links is mailed", async () => {
  const owner = await newOwner("free");
  const [one, other] = [await owner.link("Acme"), await owner.link("Initech")];
  owner.open(one);
  await lookAndDeliver();
  owner.open(other);
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
  expect((await owner.choose("daily")).json()).toMatchObject({ code: "insights_not_included" });
});

it("a daily digest comes at eight, is one mail after two days, and none when nothing was opened", async () => {
  const owner = await newOwner("premium");
  const linkId = await owner.link("Acme");
  expect((await owner.choose("daily")).json()).toEqual({
    preference: "daily",
    digestsIncluded: true,
  });
  owner.open(linkId);
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(0);
  service.moveClock(dayMs);
  owner.open(linkId);
  service.moveClock(dayMs);
  await lookAndDeliver();
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
  expect((await smtp.mailTo(addressOf(owner.accountId))).subject).toBe(
    "Your links: 2 opens of 1 link",
  );
  service.moveClock(2 * dayMs);
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
});

it("an open that is confirmed after a digest was sent is in the next one, and in that one alone", async () => {
  const owner = await newOwner("premium");
  const linkId = await owner.link("Acme");
  await owner.choose("daily");
  owner.open(linkId);
  const due = lastDue("daily", { zone: "Asia/Jerusalem", locale: "en" }, now());
  service.moveClock(Date.parse(instantPlus(due, dayMs)) - Date.parse(now()));
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
  const at = instantPlus(due, dayMs - 4 * 60_000);
  opened.push({ accountId: owner.accountId, linkId, at, country: null });
  for (let day = 0; day < 2; day += 1) {
    service.moveClock(dayMs);
    await lookAndDeliver();
    expect(owner.mails()).toHaveLength(2);
  }
});

it("while insights does not answer nothing is lost: a day later one mail names what was opened", async () => {
  const owner = await newOwner("premium");
  const links = [await owner.link("Acme"), await owner.link("Initech")];
  insights.away = true;
  for (const linkId of links) {
    owner.open(linkId);
    service.moveClock(12 * hourMs);
    await expect(look()).rejects.toThrow("away");
  }
  insights.away = false;
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
  const { text } = await smtp.mailTo(addressOf(owner.accountId));
  expect(text).toContain("Acme");
  expect(text).toContain("Initech");
});

it("a worker that ends between the request and the mail sends it once, as do two workers at once", async () => {
  const owner = await newOwner("premium");
  owner.open(await owner.link("Acme"));
  service.moveClock(60_000);
  await Promise.all([look(), look()]);
  expect(owner.mails()).toHaveLength(0);
  await Promise.all([deliver(), deliver()]);
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
});

it("one click turns the mails off, and a token that is not ours changes nothing", async () => {
  const owner = await newOwner("premium");
  owner.open(await owner.link("Acme"));
  await lookAndDeliver();
  const { headers } = await smtp.mailTo(addressOf(owner.accountId));
  const [address = ""] = headers.get("list-unsubscribe") ?? [];
  const { pathname, search } = new URL(address.replaceAll(/[<>\s]/gu, ""));
  const click = (query: string) =>
    service.app.inject({
      method: "POST",
      url: pathname + query,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "List-Unsubscribe=One-Click",
    });
  expect((await click(`${search}x`)).statusCode).toBe(404);
  expect((await owner.send("GET", "/api/link-mails")).json()).toMatchObject({
    preference: "first-open",
  });
  expect((await click(search)).json()).toEqual({ status: "off" });
  owner.open(await owner.link("Initech"));
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
});

it("a mailbox on the do-not-mail list gets no mail, and one that is gone or complains gets no more", async () => {
  const [listed, refusing, complaining] = await Promise.all(
    ["premium", "premium", "premium"].map(() => newOwner("premium")),
  );
  if (listed === undefined || refusing === undefined || complaining === undefined)
    throw new Error("Three owners are needed");
  const { mailboxes } = service.ledger;
  await mailboxes.block(mailboxes.hashOf(addressOf(listed.accountId)), "never_again");
  smtp.script(addressOf(refusing.accountId), { refuseRecipient: 550, text: "5.1.1 Unknown" });
  for (const owner of [listed, refusing, complaining]) owner.open(await owner.link("Acme"));
  await lookAndDeliver();
  expect(listed.mails()).toHaveLength(0);
  const context = { now: now(), cause: testCause() };
  const mailId = `opens-${complaining.accountId}-1`;
  await openMailReturns(service.ledger.ledger, { mailId, kind: "complaint" }, context);
  for (const { send } of [refusing, complaining])
    expect((await send("GET", "/api/link-mails")).json()).toMatchObject({ preference: "off" });
});

it("after an account is closed nothing is asked or mailed for it any more", async () => {
  const owner = await newOwner("premium");
  owner.open(await owner.link("Acme"));
  await owner.choose("weekly");
  gone.add(owner.accountId);
  service.moveClock(8 * dayMs);
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(0);
  const rows = await service.ledger.sql`
    select from ledger.link_open_mail where account_id = ${owner.accountId}`;
  expect(rows).toHaveLength(0);
});

it("a long list names twelve links and counts the others; opens of long ago are not mailed", async () => {
  const owner = await newOwner("premium");
  const first = await owner.link("Long ago");
  opened.push({
    accountId: owner.accountId,
    linkId: first,
    at: instantPlus(now(), -8 * dayMs),
    country: null,
  });
  owner.open(first);
  for (let index = 1; index <= 14; index += 1) owner.open(await owner.link(`Company ${index}`));
  await lookAndDeliver();
  const { text } = await smtp.mailTo(addressOf(owner.accountId));
  expect(text).toContain("And 2 more");
  expect(text).toContain("Company 12");
  expect(text).not.toContain("Company 13");
  expect(text).not.toContain("Long ago");
});

it("no mail is requested or sent while the deletion of the account is scheduled", async () => {
  const [owner, other] = [await newOwner("premium"), await newOwner("premium")];
  owner.open(await owner.link("Acme"));
  service.moveClock(60_000);
  await look();
  const cancel = await restrict(service.ledger, owner.accountId, now);
  owner.open(await owner.link("Initech"));
  other.open(await other.link("Hooli"));
  await lookAndDeliver();
  expect([owner.mails().length, other.mails().length]).toEqual([0, 1]);
  await cancel();
  owner.open(await owner.link("Umbrella"));
  await lookAndDeliver();
  expect(owner.mails()).toHaveLength(1);
});
