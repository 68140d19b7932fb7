import { type BillingEvent, type Notice, notices } from "@pro-talent/schemas/billing/events";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { billingDecider } from "../decider.ts";
import {
  begun,
  cancelled,
  contract,
  event,
  granted,
  intended,
  paid,
  price,
  reducedPage,
  renewal,
  subscribed,
} from "../testing/billing-history.ts";
import { noticeMail } from "./billing-mails.ts";

const now = Instant.parse("2026-03-10T09:00:00.000Z");
const refund = `${contract}.1`;
const essential = { ...price, plan: "essential", amount: 1000 };

/** What a mail is about, after which events, and the facts it must state in English and Hebrew. */
type Expected = {
  readonly about: string;
  readonly after?: readonly [type: string, data: object][];
  readonly en: readonly string[];
  readonly he: readonly string[];
};
const premium = { en: "Premium, monthly", he: "פרימיום, חודשי" };
const amount = { en: "$20.00", he: "20.00" };
const renewalFacts = {
  about: "2026-04-01",
  en: [premium.en, amount.en, "April 1, 2026"],
  he: [premium.he, amount.he, "1 באפריל 2026"],
};
const accessEnd: Expected["after"] = [["CancellationRequested", cancelled.data]];
const grace = { failedOn: "2026-04-01", endsAt: "2026-04-14T21:00:00.000Z" };
const overdue = {
  about: renewal,
  after: [
    ["ChargeIntended", intended.data],
    ["GraceStarted", grace],
  ],
  en: [
    premium.en,
    amount.en,
    "Access until the end of",
    "April 14, 2026",
    "April 1, 2026 – April 30, 2026",
  ],
  he: [premium.he, amount.he, "גישה עד סוף יום", "14 באפריל 2026"],
} satisfies Expected;
const refunding: Expected["after"] = [
  ["RefundIntended", { refund, charge: contract, amount: 2000, reason: "withdrawal" }],
];
const raised = (about: string): Expected => ({
  about,
  after: [["PriceAnnounced", { price: { ...price, amount: 2500 }, effective: about }]],
  en: [premium.en, "$25.00", "May 1, 2026"],
  he: [premium.he, "25.00", "1 במאי 2026"],
});
const paidFacts = { en: [premium.en, amount.en], he: [premium.he, amount.he] };

const expected: Readonly<Record<Notice, Expected>> = {
  order: {
    about: contract,
    en: [...renewalFacts.en, "March 15, 2026", "Pro Talent Ltd, Haifa", "cancel at any time"],
    he: [...renewalFacts.he, "15 במרץ 2026", "Pro Talent Ltd, Haifa", "לבטל בכל עת"],
  },
  changed: { ...renewalFacts, about: contract },
  downgrade: {
    about: "2026-04-01",
    after: [["DowngradeScheduled", { price: essential, effective: "2026-04-01" }]],
    en: ["Essential, monthly", "$10.00", "April 1, 2026"],
    he: ["בסיסי, חודשי", "10.00", "1 באפריל 2026"],
  },
  cancelled: {
    about: "2026-04-01",
    after: accessEnd,
    en: ["Date and time", "March 10, 2026", "Access until the end of", "March 31, 2026"],
    he: ["תאריך ושעה", "10 במרץ 2026", "גישה עד סוף יום", "31 במרץ 2026"],
  },
  withdrawn: {
    about: contract,
    after: refunding,
    en: [amount.en, "March 10, 2026"],
    he: [amount.he, "10 במרץ 2026"],
  },
  resumed: renewalFacts,
  "payment-failed": overdue,
  "confirm-payment": overdue,
  paid: {
    about: contract,
    en: [...paidFacts.en, "March 1, 2026 – March 31, 2026"],
    he: [...paidFacts.he, "1 במרץ 2026 – 31 במרץ 2026"],
  },
  ended: { about: "cancelled", en: ["March 10, 2026"], he: ["10 במרץ 2026"] },
  refunded: { about: refund, after: refunding, ...paidFacts },
  "refund-failed": { about: refund, after: refunding, ...paidFacts },
  dispute: {
    about: contract,
    en: [...paidFacts.en, "March 10, 2026"],
    he: [...paidFacts.he, "10 במרץ 2026"],
  },
  "annual-first": renewalFacts,
  "annual-second": renewalFacts,
  reminder: renewalFacts,
  "price-first": raised("2026-05-01"),
  "price-second": raised("2026-05-01"),
};

const historyAfter = (after: Expected["after"] = []) => [
  ...subscribed,
  ...after.map(([type, data]) => event(type, data)),
];

function stateAfter(events: readonly BillingEvent[]): BillingState {
  return events.reduce(
    (state, one) => billingDecider.evolve(state, one, now),
    billingDecider.initialState,
  );
}

describe.each(["en", "he"] as const)("mails about a subscription, %s", (language) => {
  const mailAfter = (events: readonly BillingEvent[], notice: Notice, about: string) =>
    noticeMail({
      accountId: contract,
      state: stateAfter(events),
      notice: { notice, about, dueAt: now, until: null },
      contact: {
        email: "dana@example.com",
        fullName: "Dana",
        address: "",
        language,
        timeZone: "Asia/Jerusalem",
      },
      now,
      origin: "https://talent.example",
      seller: "Pro Talent Ltd, Haifa",
    });

  it.each(notices)("%s states what it must", (notice) => {
    const { about, after, [language]: facts } = expected[notice];
    const mail = mailAfter(historyAfter(after), notice, about);
    for (const fact of facts) {
      expect(mail.text).toContain(fact);
      expect(mail.html).toContain(fact);
    }
    expect(mail.html).toContain(language === "he" ? 'dir="rtl"' : 'dir="ltr"');
    expect(mail.html).toContain("https://talent.example/account/subscription");
  });

  it("a change that was paid after the cancellation states when access ends, and no next charge", () => {
    const { text } = mailAfter(historyAfter(accessEnd), "changed", contract);
    for (const fact of expected.cancelled[language].slice(2)) expect(text).toContain(fact);
    expect(text).not.toContain({ en: "Next charge", he: "החיוב הבא" }[language]);
  });

  it("the order with a launch discount states it, what was paid, and the full price from then on", () => {
    const events = [granted, reducedPage(contract), paid, begun];
    const { text } = mailAfter(events, "order", contract);
    const discount = { en: "Launch discount, 20%: -$4.00", he: "הנחת השקה, 20%:" }[language];
    for (const fact of [discount, "4.00", "16.00", "20.00"]) expect(text).toContain(fact);
  });
});
