import { randomUUID } from "node:crypto";

import { SoftwareAuthenticator } from "@pro-talent/accounts/factors/testing/software-authenticator";
import { totpCode, totpStep } from "@pro-talent/accounts/factors/totp";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { until } from "@pro-talent/platform/testing/until";
import { Ceremony, SignInAnswer } from "@pro-talent/schemas/accounts/sign-in";
import { checkoutDocuments, checkoutTextsVersion } from "@pro-talent/schemas/billing/consent-texts";
import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import { z } from "zod";

import { type FrontDoor, type Sent } from "./front-door.ts";
import { pictureWith } from "./picture.ts";
import type { PersonalWords } from "./words.ts";

/** A person with an account, made by what a browser sends. */
export type Person = {
  readonly words: PersonalWords;
  readonly email: string;
  readonly accountId: string;
  readonly password: string;
  /** Signs calls of the account. */
  readonly signed: Sent;
  /** Of the public page. */
  readonly handle: string;
  /** Of the authenticator. */
  readonly totpSecret: Buffer;
};

const Account = z.object({ accountId: z.uuid() });
const Secret = z.object({ uri: z.string() });
const Token = z.object({ token: z.string() });
const Quoted = z.object({ hash: z.string() });
const Opened = z.object({ url: z.url() });
const Subscribed = z.object({ status: z.string() });
const Documents = z.object({ documents: z.array(z.object({ documentId: z.string() })) });
const Made = z.object({ secret: z.string() });

/** A person joins the waitlist, writes to support, registers, and fills in all that an account has. */
export async function openAccount(
  door: FrontDoor,
  words: PersonalWords,
  clock: Clock,
): Promise<Person> {
  const email = `${words.latin("e-mail")}.${words.upper("e-mail in upper case")}@example.com`;
  await subscribe(door, words, email);
  await writeToSupport(door, words, email);
  await door.ask("POST /api/account/registration", { email, language: "he" });
  const fullName = words.mixed("name");
  const first = await door.call(SignInAnswer, "POST /api/account/join", {
    token: await door.mailedToken(email, "/join"),
    fullName,
    password: "first grey heron at noon",
    language: "he",
    timeZone: "Asia/Jerusalem",
    accepted: { terms: true, privacy: true },
  });
  const { accountId } = await door.call(Account, "GET /api/account", undefined, {
    token: first.token,
  });
  const password = await forgetPassword(door, words, email);
  const again = await door.call(SignInAnswer, "POST /api/account/sign-in", { email, password });
  const { token, secret } = await setUpAuthenticator(door, again.token, clock);
  const person = {
    words,
    email,
    accountId,
    password,
    handle: words.latin("handle"),
    signed: { token: await addPasskey(door, words, token) },
    totpSecret: secret,
  };
  await describe(door, person);
  await useInterface(door, person);
  return person;
}

/** Writes a message by the form of the site. */
export async function writeToSupport(
  door: FrontDoor,
  words: PersonalWords,
  email: string,
): Promise<void> {
  await door.ask("POST /api/contact/send", {
    name: words.mixed("name of a message"),
    email,
    subject: words.hebrew("subject of a message"),
    subjectCategory: "other",
    message: `${words.mixed("message")} ${words.compressed("compressed in a message")} ${"x".repeat(3000)}`,
    sessionId: null,
    language: "he",
  });
}

/** Subscribes to the newsletter and joins the waitlist, confirms, and changes what is sent. */
export async function subscribe(
  door: FrontDoor,
  words: PersonalWords,
  email: string,
): Promise<void> {
  await door.ask("POST /api/newsletter/subscribe", {
    email,
    language: "he",
    sourceContext: "signup_page",
    consentText: newsletterConsentTexts[0]?.text.he,
    preferences: { frequency: "weekly", topics: ["launch", "updates"] },
    tags: ["signup_page", "waitlist"],
  });
  const token = await door.mailedToken(email, "/newsletter/confirm");
  await door.ask("POST /api/newsletter/confirm", { token });
  await door.ask("POST /api/newsletter/preferences/link", { email, language: "he" });
  await door.ask("POST /api/newsletter/preferences", {
    token: await door.mailedToken(email, "/newsletter/preferences"),
    language: "he",
    frequency: "monthly",
    topics: ["features"],
  });
}

/** Types wrong ones, and sets a new one by mail. @returns it */
async function forgetPassword(door: FrontDoor, words: PersonalWords, email: string) {
  for (const wrong of [words.latin("wrong password"), words.hebrew("wrong password")])
    await door.ask("POST /api/account/sign-in", { email, password: wrong }, { status: 422 });
  await door.ask("POST /api/account/password/forgotten", { email, language: "he" });
  const password = `${words.latin("password")} ${words.hebrew("password")}`;
  const token = await door.mailedToken(email, "/login/reset");
  await door.ask("POST /api/account/password/reset", { token, password });
  return password;
}

/** The next code, which is accepted already: one code is accepted once. */
export const codeOf = ({ totpSecret }: Pick<Person, "totpSecret">, clock: Clock): string =>
  totpCode(totpSecret, totpStep(clock()) + 1);

async function setUpAuthenticator(door: FrontDoor, token: string, clock: Clock) {
  const { uri } = await door.call(Secret, "POST /api/account/factors/totp", undefined, { token });
  const secret = fromBase32(new URL(uri).searchParams.get("secret") ?? "");
  const code = totpCode(secret, totpStep(clock()));
  const confirmed = await door.call(
    Token,
    "POST /api/account/factors/totp/confirm",
    { code },
    { token },
  );
  return { token: confirmed.token, secret };
}

/** A key of a device. @returns the token that replaces the other */
async function addPasskey(door: FrontDoor, words: PersonalWords, token: string): Promise<string> {
  const path = "POST /api/account/factors/passkeys";
  const { ceremony, options } = await door.call(Ceremony, `${path}/options`, undefined, { token });
  const response = new SoftwareAuthenticator(door.origin).create(options);
  const body = { ceremony, response, name: words.mixed("name of a passkey") };
  return (await door.call(Token, path, body, { token })).token;
}

function fromBase32(text: string): Buffer {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(text, (digit) => digits.indexOf(digit).toString(2).padStart(5, "0")).join(
    "",
  );
  return Buffer.from((bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function describe(door: FrontDoor, { words, handle, signed }: Person): Promise<void> {
  await door.ask(
    "PATCH /api/account/profile",
    {
      phone: words.digits("telephone"),
      address: words.mixed("address"),
      handle,
    },
    signed,
  );
  const picture = pictureWith(`${words.latin("metadata of a photo")} ${words.hebrew("metadata")}`);
  await door.ask("PUT /api/account/photo", { picture: picture.toString("base64") }, signed);
  const url = `https://example.com/${encodeURIComponent(words.hebrew("address of a link"))}`;
  const document = {
    version: 1,
    language: "en",
    look: {},
    profile: {
      fullName: words.mixed("name"),
      headline: words.mixed("headline"),
      links: [{ id: "work", label: words.combining("label of a link"), url }],
    },
    sections: [
      {
        id: "about",
        kind: "summary",
        entries: [{ id: "about-1", text: [{ text: words.mixed("summary") }] }],
      },
    ],
  };
  await door.ask("PUT /api/portfolio/pages/en", { basedOn: null, document }, signed);
}

/** Programs of the holder, by an access token. */
async function useInterface(door: FrontDoor, { words, signed }: Person): Promise<void> {
  const body = { name: words.mixed("name of an access token"), scopes: ["links:read"], days: 30 };
  const { secret } = await door.call(Made, "POST /api/account/tokens", body, signed);
  await door.ask("GET /api/v1/links", undefined, { token: secret });
}

/** Buys a plan, withdraws from it within the window, and buys another one for a year. */
export async function buyPlans(door: FrontDoor, person: Person): Promise<void> {
  await buy(door, person, { plan: "essential", cycle: "monthly" });
  const { signed } = person;
  const sent = { ...signed, headers: { "idempotency-key": randomUUID() } };
  const { hash } = await door.call(
    Quoted,
    "POST /api/subscription/cancel-quote",
    undefined,
    signed,
  );
  await door.ask("POST /api/subscription/cancel", { hash }, sent);
  await until("the plan has ended", async () => (await planOf(door, signed)) !== "active", 240_000);
  await buy(door, person, { plan: "premium", cycle: "annual" });
  const documents = await until(
    "an invoice is there",
    async () => {
      const found = (await door.call(Documents, "GET /api/invoices", undefined, signed)).documents;
      return found.length >= 2 && found;
    },
    240_000,
  );
  for (const { documentId } of documents)
    for (const form of ["pdf", "html"])
      await door.ask(`GET /api/invoices/${documentId}/${form}`, undefined, signed);
}

const planOf = async (door: FrontDoor, signed: Sent): Promise<string> =>
  (await door.call(Subscribed, "GET /api/subscription", undefined, signed)).status;

async function buy(
  door: FrontDoor,
  { signed }: Person,
  choice: { readonly plan: string; readonly cycle: string },
): Promise<void> {
  const { hash } = await door.call(Quoted, "POST /api/checkout/quote", choice, signed);
  const version = checkoutTextsVersion;
  const consents = checkoutDocuments.map((document) => ({ document, version, language: "he" }));
  const order = { ...choice, hash, consents, language: "he" };
  const sent = { ...signed, headers: { "idempotency-key": randomUUID() } };
  const { url } = await door.call(Opened, "POST /api/checkout", order, sent);
  const { pathname } = new URL(url);
  await door.ask(`POST ${pathname}`, "card=success", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await until("the plan has begun", async () => (await planOf(door, signed)) === "active", 240_000);
}
