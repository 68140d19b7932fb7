import { randomUUID } from "node:crypto";

import { SubscriptionAnswer } from "@pro-talent/schemas/billing/calls";
import { checkoutDocuments, checkoutTextsVersion } from "@pro-talent/schemas/billing/consent-texts";

import type { Holder } from "./billing-service.ts";

export type Quoted = { hash: string };

/** What is bought. */
export const choice = { plan: "essential", cycle: "monthly" };
/** What is accepted with it. */
export const consents = checkoutDocuments.map((document) => ({
  document,
  version: checkoutTextsVersion,
  language: "he",
}));

/** Asks for the price, accepts the documents and goes to pay. @param key of a repetition */
export async function openCheckout(holder: Holder, key = randomUUID()): ReturnType<Holder["post"]> {
  const { hash } = (await holder.post("/api/checkout/quote", choice)).json<Quoted>();
  return await holder.post("/api/checkout", { ...choice, hash, consents, language: "he" }, key);
}

/** The subscription as its holder sees it. */
export const view = async (holder: Holder) =>
  SubscriptionAnswer.parse((await holder.get("/api/subscription")).json());
