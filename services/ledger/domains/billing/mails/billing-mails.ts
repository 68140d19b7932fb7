import { createHash } from "node:crypto";

import { type MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { type Period } from "@pro-talent/schemas/billing/calendar";
import { Notice } from "@pro-talent/schemas/billing/events";
import { formatMoney } from "@pro-talent/schemas/billing/money";
import type { ChargeTerms, Price } from "@pro-talent/schemas/billing/prices";
import type { BillingState, Charge, Subscription } from "@pro-talent/schemas/billing/state";
import { type Day, dayIn, dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { Contact } from "../../../contacts.ts";
import { evidenceNotices, isEvidence } from "../notices.decider.ts";
import { nextOf } from "../quotes.decider.ts";
import {
  accessEndsAt,
  announcedCharge,
  type DueNotice,
  paidPeriod,
  refundEndsAt,
  refusalsOf,
  todayOf,
} from "../renewal.decider.ts";
import { billingTerms, noticeTexts } from "./billing-texts.ts";

const evidenceIds = new RegExp(
  `^billing-(?<notice>${evidenceNotices.join("|")})-(?<account>[0-9a-f-]{36})-(?<about>[0-9a-f-]+)[.](?<attempt>\\d{1,3})$`,
);

/** Which notice, of which account, has this mail id; undefined when its return would change nothing. */
export function noticeOfMail(mailId: string) {
  const { notice, account, about, attempt } = evidenceIds.exec(mailId)?.groups ?? {};
  const accountId = Uuid.safeParse(account);
  const known = Notice.safeParse(notice);
  if (!accountId.success || !known.success || about === undefined) return undefined;
  return { accountId: accountId.data, notice: known.data, about, attempt: Number(attempt) };
}

type Fact = { readonly term: string; readonly value: string };

export type NoticeInput = {
  readonly accountId: string;
  readonly state: BillingState;
  readonly notice: DueNotice;
  readonly contact: Contact;
  readonly now: Instant;
  readonly origin: string;
  /** Name and address of the seller, on one line. */
  readonly seller: string;
};

/** A mail about a subscription. Its id is the same at every attempt. */
export function noticeMail(input: NoticeInput): Mail {
  const { accountId, notice, contact, origin } = input;
  const { language } = contact;
  const { subject, text } = noticeTexts[language][notice.notice];
  const terms = billingTerms[language];
  const facts = factsOf(input);
  const blocks: readonly MailBlock[] = [
    { kind: "paragraph", text },
    ...(facts.length === 0 ? [] : [{ kind: "facts", facts } as const]),
    { kind: "action", label: terms.manage, url: `${origin}/account/subscription` },
  ];
  return {
    id: `billing-${notice.notice}-${accountId}-${mailKey(input)}`,
    to: { name: contact.fullName, address: contact.email },
    subject,
    language,
    automatic: true,
    ...renderMail({
      language,
      title: subject,
      preheader: text,
      blocks,
      footer: [{ kind: "small", text: terms.whyReceived }],
    }),
  };
}

/**
 * Of a mail whose return matters: what it is about, and how often it was refused or returned before. Of
 * others a digest: what one is about may be the same again later, and then it is owed from another instant.
 */
function mailKey({ state, notice: { notice, about } }: NoticeInput): string {
  if (isEvidence(notice)) return `${about}.${refusalsOf(state, notice, about)}`;
  const owed = state.owed.find((one) => one.notice === notice && one.about === about);
  return createHash("sha256")
    .update(`${about} ${owed?.at ?? ""}`)
    .digest("hex")
    .slice(0, 24);
}

function factsOf(input: NoticeInput): readonly Fact[] {
  const { state, notice } = input;
  const { subscription } = state;
  const charge = state.charges.find((one) => one.charge === notice.about);
  switch (notice.notice) {
    case "order":
    case "changed":
      return subscription === null ? [] : orderFacts(input, subscription, charge);
    case "paid":
      return chargeFacts(input, charge);
    case "payment-failed":
    case "confirm-payment":
    case "dispute":
      return [...chargeFacts(input, charge), ...endFacts(input)];
    case "refunded":
    case "refund-failed":
      return refundFacts(input);
    case "cancelled":
    case "withdrawn":
    case "ended":
      return endFacts(input);
    default:
      return subscription === null ? [] : renewalFacts(input, subscription);
  }
}

/** What the law asks of the confirmation of an order (Consumer Protection Law 14C). */
function orderFacts(
  input: NoticeInput,
  subscription: Subscription,
  charge: Charge | undefined,
): readonly Fact[] {
  const write = writerOf(input);
  const { price, zone, ending } = subscription;
  const refundUntil = refundEndsAt(subscription, input.now);
  const next = nextOf(subscription);
  const isOpen = input.now < refundUntil;
  return [
    write.plan(price),
    ...(charge === undefined ? [] : write.terms(charge.terms)),
    write.price(price),
    write.period(paidPeriod(subscription)),
    ending === null
      ? write.day("nextCharge", next.on, write.money(next.amount, next.currency))
      : write.end(ending.endsAt, zone),
    ...(isOpen ? [write.day("withdrawUntil", dayPlus(dayIn(refundUntil, zone), -1))] : []),
    write.instant("at", charge?.at ?? input.notice.dueAt, zone),
    { term: write.words.seller, value: input.seller },
  ];
}

function chargeFacts(input: NoticeInput, charge: Charge | undefined): readonly Fact[] {
  const write = writerOf(input);
  if (charge === undefined) return [];
  return [write.plan(charge.price), ...write.terms(charge.terms), write.period(charge.cover)];
}

function refundFacts(input: NoticeInput): readonly Fact[] {
  const { state, notice } = input;
  const write = writerOf(input);
  const refund = state.refunds.find((one) => one.refund === notice.about);
  const charge = state.charges.find((one) => one.charge === refund?.charge);
  if (refund === undefined || charge === undefined) return [];
  const value = write.money(refund.amount, charge.terms.currency);
  return [{ term: write.words.amount, value }, write.plan(charge.price)];
}

/** Date and time of a receipt, when access ends, and what is returned. */
function endFacts(input: NoticeInput): readonly Fact[] {
  const { state, notice, contact } = input;
  const write = writerOf(input);
  const zone = state.subscription?.zone ?? contact.timeZone;
  const endsAt = accessEndsAt(state);
  const returned = state.refunds.filter(
    ({ charge }) => state.charges.find((one) => one.charge === charge)?.contract === notice.about,
  );
  const currency = state.charges.find(({ contract }) => contract === notice.about)?.terms.currency;
  const sum = returned.reduce((all, { amount }) => all + amount, 0);
  return [
    write.instant("at", notice.dueAt, zone),
    ...(endsAt === null ? [] : [write.end(endsAt, zone)]),
    ...(notice.notice === "withdrawn" && currency !== undefined
      ? [{ term: write.words.amount, value: write.money(sum, currency) }]
      : []),
  ];
}

/** The plan, the day of the charge and its amount, as they are if the mail is delivered today. */
function renewalFacts(input: NoticeInput, subscription: Subscription): readonly Fact[] {
  const { now, notice } = input;
  const write = writerOf(input);
  const { announced, scheduled, price } = subscription;
  if (notice.notice === "downgrade" && scheduled !== null) {
    return [
      write.plan(scheduled.price),
      write.day("from", scheduled.effective),
      write.price(scheduled.price),
    ];
  }
  if (notice.notice.startsWith("price-") && announced !== null) {
    return [
      write.plan(announced.price),
      write.day("from", announced.effective),
      write.price(announced.price),
    ];
  }
  const charge = announcedCharge(subscription, todayOf(subscription, now));
  const { to } = paidPeriod(subscription);
  const on = notice.notice === "reminder" ? charge.on : to;
  return [
    write.plan(scheduled?.price ?? price),
    write.day("renewal", on),
    { term: write.words.amount, value: write.money(charge.amount, price.currency) },
  ];
}

/** Writes facts in a language. */
function writerOf({ contact }: NoticeInput) {
  const { language } = contact;
  const words = billingTerms[language];
  const money = (amount: number, currency: string) => formatMoney({ amount, currency }, language);
  type Term = "nextCharge" | "renewal" | "from" | "withdrawUntil" | "at";
  return {
    words,
    money,
    plan: ({ plan, cycle }: Price): Fact => ({
      term: words.plan,
      value: `${words.plans[plan]}, ${words.cycles[cycle]}`,
    }),
    price: ({ amount, currency }: Price): Fact => ({
      term: words.price,
      value: money(amount, currency),
    }),
    terms: ({ lines, total, currency, taxes }: ChargeTerms): readonly Fact[] => [
      ...lines.flatMap((line) =>
        line.kind === "discount"
          ? [{ term: words.discount(line.percent), value: money(line.amount, currency) }]
          : [],
      ),
      { term: words.amount, value: money(total, currency) },
      ...taxes.map(({ name, basisPoints, amount }) => ({
        term: words.included(name, `${basisPoints / 100}%`),
        value: money(amount, currency),
      })),
    ],
    period: ({ from, to }: Period): Fact => ({
      term: words.period,
      value: `${longDay(from, language)} – ${longDay(dayPlus(to, -1), language)}`,
    }),
    /** Midnight is the end of the day before: a time of 0:00 is easily taken for the end of its own day. */
    end: (endsAt: Instant, zone: string): Fact => {
      const last = dayPlus(dayIn(endsAt, zone), -1);
      const isMidnight = startOfDay(dayPlus(last, 1), zone) === endsAt;
      return isMidnight
        ? { term: words.accessUntilEnd, value: longDay(last, language) }
        : { term: words.accessUntil, value: momentFormat(language, zone).format(new Date(endsAt)) };
    },
    day: (term: Term, day: Day, beside = ""): Fact => ({
      term: words[term],
      value: [longDay(day, language), beside].filter((part) => part !== "").join(": "),
    }),
    instant: (term: Term, at: Instant, zone: string): Fact => ({
      term: words[term],
      value: momentFormat(language, zone).format(new Date(at)),
    }),
  };
}

const dayFormats: Readonly<Record<Locale, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }),
  he: new Intl.DateTimeFormat("he", { dateStyle: "long", timeZone: "UTC" }),
};

const momentFormats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes much longer than using it. */
function momentFormat(language: Locale, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = momentFormats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone,
  });
  momentFormats.set(key, format);
  return format;
}

function longDay(day: Day, language: Locale): string {
  return dayFormats[language].format(new Date(`${day}T00:00:00Z`));
}
