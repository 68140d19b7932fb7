export type Decline = { readonly code: string; readonly decline_code?: string };
type Behaviour = {
  readonly last4: string;
  readonly onPage: "succeeds" | "asks" | Decline;
  readonly later: "succeeds" | "asks" | Decline;
};
const works = { onPage: "succeeds", later: "succeeds" } as const;
const declined = { code: "card_declined", decline_code: "generic_decline" };
const noFunds = { code: "card_declined", decline_code: "insufficient_funds" };
const stolen = { code: "card_declined", decline_code: "stolen_card" };
const expired = { code: "expired_card" };
/** The holder refused at the bank. */
export const refusedByHolder = { code: "payment_intent_authentication_failure" };

/** Cards of docs.stripe.com/testing, by the names of the sandbox's cards. */
const cards: Readonly<Record<string, Behaviour>> = {
  success: { ...works, last4: "4242" },
  declined: { last4: "0002", onPage: declined, later: declined },
  "insufficient-funds": { last4: "9995", onPage: noFunds, later: noFunds },
  stolen: { last4: "9979", onPage: stolen, later: stolen },
  expired: { last4: "0069", onPage: expired, later: expired },
  challenge: { ...works, last4: "3155", onPage: "asks" },
  "challenge-always": { last4: "3184", onPage: "asks", later: "asks" },
  "declines-later": { ...works, last4: "0341", later: declined },
  "refund-fails": { ...works, last4: "5126" },
};

/** @throws for a card that is not known */
export function behaviourOf(name: string): Behaviour {
  const card = cards[name];
  if (card === undefined) throw new Error(`No test card ${name}`);
  return card;
}
