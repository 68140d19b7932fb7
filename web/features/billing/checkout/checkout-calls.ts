import {
  type CheckoutDocument,
  checkoutTextsVersion,
} from "@pro-talent/schemas/billing/consent-texts";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { accountApi } from "../../../api-client/account-api.ts";
import {
  type Choice,
  newKey,
  type Obstacle,
  obstacleIn,
  type Offer,
  type Trouble,
  troubleIn,
} from "../billing-calls.ts";

export type QuoteResult =
  | { kind: "offer"; offer: Offer }
  | { kind: "obstacle"; obstacle: Obstacle }
  | { kind: "failed" };

/** What a choice costs now. @throws TypeError when there is no answer */
export async function quote(choice: Choice): Promise<QuoteResult> {
  const result = await accountApi().call("POST /api/checkout/quote", { body: choice });
  const obstacle = obstacleIn(result);
  if (obstacle !== undefined) return { kind: "obstacle", obstacle };
  const answer = result.ok ? result.answer : undefined;
  return answer?.quote.act === "start"
    ? { kind: "offer", offer: { quote: answer.quote, hash: answer.hash, key: newKey() } }
    : { kind: "failed" };
}

export type Order = {
  choice: Choice;
  /** Of the quote that was shown. */
  hash: string;
  key: string;
  accepted: readonly CheckoutDocument[];
  /** Of the texts that were accepted. */
  language: Locale;
};

export type OrderResult =
  | { kind: "leave"; url: string }
  | { kind: "accepted" }
  | { kind: "changed" }
  | { kind: "obstacle"; obstacle: Obstacle }
  | { kind: "refused"; trouble: Trouble; key: string };

/** Orders what was shown. @throws TypeError when there is no answer */
export async function order(input: Order | undefined): Promise<OrderResult> {
  if (input === undefined) return { kind: "refused", trouble: "failed", key: newKey() };
  const { choice, hash, key, accepted, language } = input;
  const consents = accepted.map((document) => ({
    document,
    version: checkoutTextsVersion,
    language,
  }));
  const body = { ...choice, hash, consents, language };
  const result = await accountApi().call("POST /api/checkout", {
    body,
    headers: { "idempotency-key": key },
  });
  if (result.ok) {
    const { answer } = result;
    if (answer === undefined) return { kind: "refused", trouble: "failed", key: newKey() };
    return "url" in answer ? { kind: "leave", url: answer.url } : { kind: "accepted" };
  }
  if (result.code === "quote_changed") return { kind: "changed" };
  const obstacle = obstacleIn(result);
  return obstacle === undefined
    ? { kind: "refused", trouble: troubleIn(result), key: newKey() }
    : { kind: "obstacle", obstacle };
}
