type Failure = {
  readonly reason: "declined" | "insufficient-funds" | "expired-card";
  readonly hard: boolean;
};

/** How a card of the sandbox behaves. */
export type TestCard = {
  readonly brand: string;
  readonly last4: string;
  /** When the holder pays with it on the page. */
  readonly onPage: "succeeds" | "challenge" | Failure;
  /** When it is charged without the holder. */
  readonly later: "succeeds" | "challenge" | Failure;
  readonly expires: "in-years" | "this-month" | "last-month";
  /** What follows a payment by itself. */
  readonly after?: "dispute" | "refund-fails";
  /** The answer to a charge never arrives, or late. */
  readonly answer?: "answer-lost" | "slow";
};

const works = {
  brand: "visa",
  onPage: "succeeds",
  later: "succeeds",
  expires: "in-years",
} as const;
const declined = { reason: "declined", hard: false } as const;
const noFunds = { reason: "insufficient-funds", hard: false } as const;
const stolen = { reason: "declined", hard: true } as const;
const expired = { reason: "expired-card", hard: true } as const;

/** The cards that the sandbox knows; there are no others, so that no real card is ever entered. */
export const testCards = {
  success: { ...works, last4: "4242" },
  "declines-later": { ...works, last4: "0341", later: declined },
  "no-funds-later": { ...works, last4: "9235", later: noFunds },
  declined: { ...works, last4: "0002", onPage: declined, later: declined },
  "insufficient-funds": { ...works, last4: "9995", onPage: noFunds, later: noFunds },
  stolen: { ...works, last4: "9979", onPage: stolen, later: stolen },
  challenge: { ...works, last4: "3155", onPage: "challenge" },
  "challenge-always": { ...works, last4: "3184", onPage: "challenge", later: "challenge" },
  expired: { ...works, last4: "0069", onPage: expired, later: expired, expires: "last-month" },
  "expires-soon": { ...works, brand: "mastercard", last4: "4444", expires: "this-month" },
  disputed: { ...works, last4: "0259", after: "dispute" },
  "refund-fails": { ...works, last4: "5126", after: "refund-fails" },
  "answer-lost": { ...works, last4: "7001", answer: "answer-lost" },
  slow: { ...works, last4: "7002", answer: "slow" },
} as const satisfies Readonly<Record<string, TestCard>>;
export type TestCardName = keyof typeof testCards;
