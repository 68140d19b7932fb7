import type { PaymentProvider } from "@pro-talent/ledger/domains/billing/payments/port";
import type { TestCardName } from "@pro-talent/schemas/payments-sandbox/cards";

/** A webhook as it arrived. */
export type ArrivedHint = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

/** The cards that both providers have. */
export type BenchCard = Extract<
  TestCardName,
  | "success"
  | "declined"
  | "insufficient-funds"
  | "stolen"
  | "expired"
  | "challenge"
  | "challenge-always"
  | "declines-later"
  | "refund-fails"
>;

/** A provider that runs, and what only its holders, operators and clock can do. */
export type ProviderBench = {
  readonly provider: PaymentProvider;
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** The holder chooses a card on the hosted page. */
  readonly press: (checkoutId: string, card: BenchCard) => Promise<void>;
  /** The holder answers the bank's question. */
  readonly answerChallenge: (actionUrl: string, approved: boolean) => Promise<void>;
  readonly dispute: (
    paymentId: string,
    status: "inquiry" | "open" | "won" | "lost",
  ) => Promise<void>;
  /** The next change has its effect, its answer is lost. */
  readonly loseNextAnswer: () => Promise<void>;
  /** All webhooks so far, as they arrived. */
  readonly arrived: () => readonly ArrivedHint[];
  /** Sends what waits, in reverse order and twice. */
  readonly holdHints: () => Promise<void>;
  readonly releaseHintsReversedTwice: () => Promise<void>;
  readonly webhookSecret: string;
  readonly signatureHeader: string;
  readonly close: () => Promise<void>;
};
