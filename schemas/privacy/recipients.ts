/** Recipients of data of a person outside the platform. */
export const recipientKinds = [
  "payment-provider",
  "mail-provider",
  "own-webhook",
  "link-visitors",
] as const;
export type RecipientKind = (typeof recipientKinds)[number];

/** What came of the duty to notify a recipient; why it was not needed or possible is stated beside it. */
export const notificationResults = ["notified", "not-needed", "impossible"] as const;
export type NotificationResult = (typeof notificationResults)[number];

type Handling = {
  /** When data was corrected (Protection of Privacy Law, Israel, section 14; GDPR, article 19). */
  readonly correction: { readonly result: NotificationResult; readonly why: CorrectionReason };
  /** When the account is erased. */
  readonly deletion: { readonly result: NotificationResult; readonly why: DeletionReason };
};

export const correctionReasons = ["holds-no-such-field", "passes-mail-on", "own-choice"] as const;
type CorrectionReason = (typeof correctionReasons)[number];
export const deletionReasons = ["customer-deleted", "passes-mail-on", "own-choice"] as const;
type DeletionReason = (typeof deletionReasons)[number];

const passesOn = { result: "not-needed", why: "passes-mail-on" } as const;
const ownChoice = { result: "not-needed", why: "own-choice" } as const;

/**
 * How each kind is notified. The payment provider knows an account by an id that means nothing elsewhere, and
 * a card: no field that can be corrected reaches it, and its customer is deleted through its interface. The
 * mail provider delivers and keeps no copy for the platform. Webhooks and links lead where the person chose.
 */
export const handlingOf: Readonly<Record<RecipientKind, Handling>> = {
  "payment-provider": {
    correction: { result: "not-needed", why: "holds-no-such-field" },
    deletion: { result: "notified", why: "customer-deleted" },
  },
  "mail-provider": { correction: passesOn, deletion: passesOn },
  "own-webhook": { correction: ownChoice, deletion: ownChoice },
  "link-visitors": { correction: ownChoice, deletion: ownChoice },
};

/** Years for which recipients are named. */
export const recipientYears = 3;
