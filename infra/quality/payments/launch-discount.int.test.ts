import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { modules } from "@pro-talent/ledger/modules";
import { definitionsOf } from "@pro-talent/ledger/verifier/definitions";
import { verifyLedger } from "@pro-talent/ledger/verifier/verify";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import { SubscriptionAnswer, subscriptionCalls } from "@pro-talent/schemas/billing/calls";
import { checkoutDocuments, checkoutTextsVersion } from "@pro-talent/schemas/billing/consent-texts";
import { Quote } from "@pro-talent/schemas/billing/quotes";
import { invoiceCalls } from "@pro-talent/schemas/invoices/calls";
import {
  newsletterPaths,
  subscribePath,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { mailAddress } from "../../embedded/mail/require-mail-token.ts";
import { type Mailbox, mailbox } from "../../embedded/mail/testing/mailbox.ts";
import { openProduct } from "../testing/open-product.ts";

const [newcomer, holder] = ["newcomer@example.com", "holder@example.com"];
const choice = { plan: "premium", cycle: "annual" };

let product: Awaited<ReturnType<typeof openProduct>>;
let owner: Sql;
let mails: Mailbox;

beforeAll(async () => {
  product = await openProduct({ BILLING: "open", TIMERS_SWEEP_MS: "200" });
  await product.listen();
  owner = openPool(product.ownerUrl, { max: 2, applicationName: "test" });
  const { listeningOrigin } = appOf("mail");
  mails = mailbox(mailAddress(listeningOrigin, product.secrets.mailToken));
});
afterAll(async () => {
  await owner.end();
  await product.close();
});

function appOf(service: string) {
  const app = product.services.get(service)?.app;
  if (app === undefined) throw new Error(`${service} is not open`);
  return app;
}

type Request = { body?: object; token?: string };

/** Calls as a browser does. @throws for any answer but 2xx */
async function call(name: string, { body, token }: Request = {}) {
  const [method, url = ""] = name.split(" ");
  const service = url.startsWith("/api/account") ? "accounts" : "ledger";
  const answer = await appOf(service).inject({
    method: method === "POST" ? "POST" : "GET",
    url,
    headers: {
      "idempotency-key": randomUUID(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { payload: body }),
  });
  if (answer.statusCode >= 300) throw new Error(`${name} answered ${answer.body}`);
  return answer;
}

const tokenIn = (text: string): string => /[#?&]token=([\w-]+)/.exec(text)?.[1] ?? "";

/** From the form of the waitlist to the confirmed place. */
async function takePlace(email: string): Promise<void> {
  const form = { language: "en", sourceContext: "signup_page", consentText: "I agree." };
  const body = { email, ...form, ...subscriptionDefaults.signup_page };
  await call(`POST ${subscribePath}`, { body });
  const { text } = await mails.mailTo(email);
  await call(`POST ${newsletterPaths.confirm}`, { body: { token: tokenIn(text) } });
  await until("the place is confirmed", async () => {
    const rows = await owner`
      select from ledger.waitlist_place p join ledger.newsletter_subscriber s using (subscriber_id)
       where p.confirmed`;
    return rows.length === (email === holder ? 1 : 2);
  });
}

/** The operator's command, as npm runs it. @returns what it prints */
async function invite(...args: readonly string[]): Promise<string> {
  const command = "../../../services/ledger/domains/waitlist/invite.cli.ts";
  const file = fileURLToPath(new URL(command, import.meta.url));
  const env = { DATABASE_OPERATOR_URL: asRole(product.ownerUrl, "ledger_operator") };
  return (await promisify(execFile)(process.execPath, [file, ...args], { env })).stdout;
}

/** Opens the account of a mailed invitation. @returns the token of the sign-in */
async function join(invitation: string): Promise<string> {
  const joined = await call("POST /api/account/join", {
    body: {
      token: tokenIn(invitation),
      fullName: "Noa Levi",
      password: "seven grey herons at noon",
      language: "en",
      timeZone: "Asia/Jerusalem",
      accepted: { terms: true, privacy: true },
    },
  });
  return z.object({ token: z.string() }).parse(joined.json()).token;
}

async function subscription(token: string) {
  return SubscriptionAnswer.parse((await call("GET /api/subscription", { token })).json());
}

const discounted = (token: string) =>
  until(
    "the discount is granted",
    async () => (await subscription(token)).discountPercent ?? undefined,
  );

async function quoted(token: string) {
  const answer = await call("POST /api/checkout/quote", { token, body: choice });
  const { quote, hash } = z.object({ quote: Quote, hash: z.string() }).parse(answer.json());
  if (quote.act !== "start") throw new Error("Not the quote of a new subscription");
  return { quote, hash };
}

/** Orders what was quoted, and pays it on the page of the sandbox. */
async function buy(token: string, hash: string): Promise<void> {
  const given = { version: checkoutTextsVersion, language: "en" };
  const consents = checkoutDocuments.map((document) => ({ document, ...given }));
  const body = { ...choice, hash, consents, language: "en" };
  const { url } = (await call("POST /api/checkout", { token, body })).json<{ url: string }>();
  await appOf("payments-sandbox").inject({
    method: "POST",
    url: new URL(url).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "card=success",
  });
  await until("the plan is active", async () => (await subscription(token)).status === "active");
}

/** The page of the invoice, in a language. */
async function invoicePage(token: string, language: string): Promise<string> {
  const listed = invoiceCalls["GET /api/invoices"].answer;
  const id = await until("the invoice is issued", async () => {
    const answer = await call("GET /api/invoices", { token });
    return listed.parse(answer.json()).documents[0]?.documentId;
  });
  return (await call(`GET /api/invoices/${id}/html?language=${language}`, { token })).body;
}

const mailsTo = async (email: string) =>
  (await mails.list()).filter(({ envelope }) =>
    envelope.to.some(({ address }) => address === email),
  );

it("a place on the waitlist leads to a first invoice with the launch discount, and holders get the notice", async () => {
  await takePlace(holder);
  expect(await invite("--next", "1")).toContain("1 invited");
  const beta = await mails.mailTo(holder, { subject: /invitation/ });
  const holdersToken = await join(beta.text);
  await takePlace(newcomer);

  expect(await invite("--launch", "--discount", "20")).toContain("2 invited");
  const invitation = await mails.mailTo(newcomer, { subject: /is open/ });
  expect(invitation.text).toContain("Your first invoice is reduced by 20%.");
  const notice = await mails.mailTo(holder, { subject: /is open/ });
  expect(notice.text).toContain(
    "the first payment of your next new subscription is reduced by 20%",
  );
  expect(notice.text).not.toContain("/join");
  expect(await discounted(holdersToken)).toBe(20);

  const token = await join(invitation.text);
  expect(await discounted(token)).toBe(20);
  const { quote, hash } = await quoted(token);
  expect(quote.terms).toMatchObject({
    lines: [
      { kind: "plan", amount: 18_000 },
      { kind: "discount", amount: -3600, percent: 20 },
    ],
    total: 14_400,
  });
  expect(quote.next?.amount).toBe(18_000);
  await buy(token, hash);

  const payments = subscriptionCalls["GET /api/payments"].answer;
  const paid = payments.parse((await call("GET /api/payments", { token })).json()).payments;
  expect(paid).toMatchObject([{ purpose: "start", status: "succeeded", terms: quote.terms }]);
  const after = await subscription(token);
  expect(after).toMatchObject({
    discountPercent: null,
    price: { amount: 18_000 },
    nextBilling: { amount: 18_000 },
    refund: { amount: { amount: 14_400 } },
  });
  const page = await invoicePage(token, "en");
  for (const text of ["Launch discount, 20%", "-36.00", "144.00 USD"]) expect(page).toContain(text);
  expect(await invoicePage(token, "he")).toContain("הנחת השקה, 20%");
  const order = await mails.mailTo(newcomer, { subject: /subscription has begun/ });
  expect(order.text).toContain("Launch discount, 20%: -$36.00");
  expect((await mails.mailTo(newcomer, { subject: /invoice/ })).text).toContain("144.00");

  await expect(invite("--launch", "--discount", "20")).rejects.toMatchObject({
    stdout: expect.stringContaining("0 invited"),
  });
  expect((await mailsTo(holder)).filter(({ subject }) => /is open/.test(subject))).toHaveLength(1);
  expect((await mailsTo(newcomer)).filter(({ subject }) => /is open/.test(subject))).toHaveLength(
    1,
  );
  const { findings } = await verifyLedger(owner, { definitions: definitionsOf(modules) });
  expect(findings).toEqual([]);
});
